import CommandLineParser
import KitEnvironment
import MerchantCommands
import StrictJSON
import SystemRuntime

/// Carries out `till init`.
struct ShopDraftRunner {
  let terminal: Terminal
  let environment: KitEnvironment
  /// The program as it was called, for commands that are shown.
  var program = Program.nameAsTyped

  /// Codes of sysexits(3).
  private static let unwrittenCode: Int32 = 73

  /// Writes, checks, says what came of it, and gives the exit code.
  func run(_ options: ShopDraftOptions) -> Int32 {
    let known = AccountDraft.all(sandbox: options.sandbox)
    if let stranger = options.providers.first(where: { name in
      !known.contains { $0.name == name }
    }) {
      terminal.complain(
        "error: \(stranger) is no provider of this program; "
          + "it has \(known.map(\.name).joined(separator: ", "))")
      return UsageError.exitCode
    }
    let accounts = known.filter { options.providers.contains($0.name) }.map(\.draft)
    let draft = ShopDraft(
      accounts: accounts, isComplete: options.sandbox != nil, environment: environment)
    let kept: [String]
    do {
      kept = try ShopDraftFiles(directory: options.directory, replaces: options.replaces)
        .write(draft.files)
    } catch {
      terminal.complain("error: \(error)")
      return Self.unwrittenCode
    }
    return report(draft, kept, check(draft, options), options)
  }

  // MARK: The check

  private struct Finding {
    var missing: [AccountDraft.Need] = []
    /// What is wrong beside that, which only a file that somebody changed meanwhile can show.
    var fault: ConfigurationError?
  }

  /// Reads the files as the server does. Each time that it asks for something which a provider
  /// gives, that is noted and stood in for, until nothing else is missing.
  private func check(_ draft: ShopDraft, _ options: ShopDraftOptions) -> Finding {
    var draft = draft
    var finding = Finding()
    let file = "\(options.directory)/\(ShopDraft.settingsName)"
    while true {
      do {
        var files: [String: JSONValue] = [:]
        if !finding.missing.isEmpty {
          let text = blankingComments(Array(draft.settings.utf8))
          files[file] = try JSONValue(parsing: text)
        }
        _ = try ServerConfiguration(
          file: file,
          source: SettingsSource(
            directory: options.directory, environment: draft.environment, files: files))
        return finding
      } catch let error as ConfigurationError {
        guard
          let need = draft.needs.first(where: {
            $0.setting == error.setting && draft.values[$0.setting] == nil
          })
        else {
          finding.fault = error
          return finding
        }
        finding.missing.append(need)
        draft.fill(need)
      } catch {
        preconditionFailure("the settings that are written are JSON: \(error)")
      }
    }
  }

  // MARK: The report

  private func report(
    _ draft: ShopDraft, _ kept: [String], _ finding: Finding, _ options: ShopDraftOptions
  ) -> Int32 {
    let directory = options.directory
    let names = draft.files.map(\.name)
    let width = names.map(\.count).max() ?? 0
    var text = "written to \(shellWord(directory)):\n"
    for file in draft.files {
      let gap = String(repeating: " ", count: width - file.name.count + 2)
      text += "  \(file.name)\(gap)\(file.use)\(file.isSecret ? "; for this user alone" : "")\n"
    }
    if !kept.isEmpty { text += "what was there is kept as:\n" }
    for name in kept { text += "  \(name)\n" }
    text += "\(draft.madeCount) secrets were made.\n"
    if let fault = finding.fault {
      terminal.write(text)
      terminal.complain("error: \(fault)")
      return ConfigurationError.exitCode
    }
    if !finding.missing.isEmpty {
      text += "\nstill to be filled in:\n"
      for need in draft.needs where finding.missing.contains(need) {
        let place = need.variable == nil ? ShopDraft.settingsName : ShopDraft.secretsName
        text += "  \(need.variable ?? need.setting) in \(place)\n      \(need.origin)\n"
      }
    }
    terminal.write(text + "\n" + next(options, isComplete: finding.missing.isEmpty))
    return finding.missing.isEmpty ? 0 : ConfigurationError.exitCode
  }

  private func next(_ options: ShopDraftOptions, isComplete: Bool) -> String {
    let settings = shellWord("\(options.directory)/\(ShopDraft.settingsName)")
    let secrets = shellWord(Self.sourced("\(options.directory)/\(ShopDraft.secretsName)"))
    let check = isComplete ? "" : "  \(program) doctor --config \(settings) --offline\n"
    let start = options.sandbox == nil ? "" : "  \(program) sandbox   # in another terminal\n"
    return """
      \(isComplete ? "till-server starts with it" : "then"):
      \(start)  set -a; . \(secrets); set +a
      \(check)  \(program)-server --config \(settings)

      """
  }

  /// A path as `.` of a shell takes it, which looks for names without a slash in PATH.
  private static func sourced(_ path: String) -> String {
    path.contains("/") ? path : "./\(path)"
  }

  /// A word that a shell takes as it stands.
  private func shellWord(_ text: String) -> String {
    let plain = text.utf8.allSatisfy { byte in
      switch byte {
      case 48...57, 65...90, 97...122: true
      default: "/._-+@:,=".utf8.contains(byte)
      }
    }
    return plain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
