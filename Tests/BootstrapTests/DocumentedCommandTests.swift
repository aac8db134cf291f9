import CommandLineParser
import Foundation
import MerchantCommands
import Testing

@testable import Bootstrap

/// A command line as a page of the documents shows it.
private struct ShownCommand: Sendable, CustomTestStringConvertible {
  let file: String
  let program: String
  let line: String
  var testDescription: String { "\(file): \(program) \(line)" }

  /// Every line of a fenced block that begins with one of the programs, also behind a `$` or as
  /// `make` built it.
  static let all: [ShownCommand] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let pages = ["README.md", "CONTRIBUTING.md"].map { root.appending(path: $0) } + docs(root)
    return pages.flatMap { page in
      let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
      return lines(text).map {
        ShownCommand(
          file: String(page.path.dropFirst(root.path.count + 1)), program: $0.program,
          line: $0.line)
      }
    }
  }()

  private static func docs(_ root: URL) -> [URL] {
    let files = FileManager.default.enumerator(
      at: root.appending(path: "Docs"), includingPropertiesForKeys: nil)
    return (files?.compactMap { $0 as? URL } ?? []).filter {
      // The page of all commands is their own help.
      $0.pathExtension == "md" && $0.lastPathComponent != "Commands.md"
    }.sorted { $0.path < $1.path }
  }

  private static func lines(_ text: String) -> [(program: String, line: String)] {
    var isInside = false
    var found: [(program: String, line: String)] = []
    for line in text.replacing("\\\n", with: " ").split(separator: "\n") {
      let line = line.drop { $0 == " " }
      if line.hasPrefix("```") { isInside.toggle() }
      let pattern = #/^(\$ )?([A-Z_]+=\S+ )*(\S*\/)?(till(-app|-server)?) (.*)$/#
      guard isInside, let match = line.firstMatch(of: pattern) else { continue }
      found.append((String(match.output.4), String(match.output.6)))
    }
    return found
  }

  /// The words as a shell has them: quotes off, what follows `#`, `|`, `>` or `;` is its own.
  var words: [String] {
    var words: [String] = []
    var word = ""
    var quote: Character?
    var isWord = false
    for character in line + " " {
      if let open = quote {
        if character == open { quote = nil } else { word.append(character) }
      } else if character == "\"" || character == "'" {
        quote = character
        isWord = true
      } else if character == " " {
        if ["|", ">", ";", "&&", "&"].contains(word) || word.hasPrefix("#") || word.hasPrefix(">") {
          return words
        }
        if isWord { words.append(Self.filled(word)) }
        word = ""
        isWord = false
      } else {
        word.append(character)
        isWord = true
      }
    }
    return words
  }

  /// An example's value in the place of a word that stands for one.
  private static func filled(_ word: String) -> String {
    ["ID", "ORDER_ID", "PAYMENT_ID"].contains(word)
      ? "01976f3a-7c1b-7def-8abc-0123456789ab" : word
  }
}

@Suite("Commands that the documents show")
struct DocumentedCommandTests {
  @Test(arguments: ShownCommand.all)
  fileprivate func `every command of the documents is one`(shown: ShownCommand) {
    let fault =
      switch shown.program {
      case "till": fault(tillCommand.parse(shown.words))
      case "till-app": fault(TillAppProgram.command.parse(shown.words))
      default: fault(TillServerProgram.command.parse(shown.words))
      }
    #expect(fault == nil, "\(shown.testDescription)")
  }

  private func fault<Action>(_ outcome: CommandOutcome<Action>) -> String? {
    if case .refused(let error) = outcome { error.description } else { nil }
  }

  @Test func `there are some`() {
    let programs = ShownCommand.all.map(\.program)
    #expect(programs.count { $0 == "till" } > 15)
    #expect(Set(programs) == ["till", "till-app", "till-server"])
  }
}
