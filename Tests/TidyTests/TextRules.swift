import Foundation

/// Patterns that must not stand in any file. They are put together from halves, so that this file
/// does not hold them.
enum Leftover {
  static let placeholder = "To be " + "filled"

  /// The third one is a currency code of ISO 4217 too, so it counts in comments only.
  static let marks = "\\b(TO" + "DO|FIX" + "ME)\\b|(//|#|<!--).*\\bXX" + "X\\b"

  static let workplaces =
    "(?i)/wo" + "rk/|/ro" + "ot/|\\bsub" + "agents?\\b|session " + "budget|\\bclau" + "de\\b|npm"
    + "js\\.|\\bpy" + "pi\\.|deb\\.deb" + "ian\\.org"

  static let secrets = [
    "sk_li" + "ve_[0-9A-Za-z]{8,}",
    // A real key carries a random UUID; one that is mostly zeros is plainly made up.
    "\\b[sp]k_(test_)?(?!0{8})[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    "-----BEGIN [A-Z ]*PRIV" + "ATE KEY",
    "\\bAK" + "IA[0-9A-Z]{16}\\b",
    "\\bgh" + "[pousr]_[0-9A-Za-z]{36}",
    "\\bwhsec_" + "[0-9A-Za-z+/]{32,}",
  ]
}

extension SourceFile {
  /// The lines where a pattern stands.
  fileprivate func lines(matching pattern: String) -> [Int] {
    // One look at the whole text first: most files hold none.
    guard text.range(of: pattern, options: .regularExpression) != nil else { return [] }
    return lines.indices.filter {
      lines[$0].range(of: pattern, options: .regularExpression) != nil
    }.map { $0 + 1 }
  }
}

extension Rule {
  static let secrets = Rule("nothing looks like a secret", files: { _ in true }) { file in
    Set(Leftover.secrets.flatMap { file.lines(matching: $0) }).sorted().map {
      file.finding(
        $0, "this looks like a secret: take it from the environment; a made-up key begins 00000000-"
      )
    }
  }

  static let workplaces = Rule("the project speaks of itself alone", files: { _ in true }) { file in
    file.lines(matching: Leftover.workplaces).map {
      file.finding($0, "names a machine, a workplace or a registry: say what it means here")
    }
  }

  static let leftovers = Rule("nothing is left over", files: { _ in true }) { file in
    file.lines(matching: Leftover.marks).map {
      file.finding($0, "a leftover mark: do it now, or write the limit down in Docs")
    }
  }

  /// A placeholder beside real files is dead; one alone is a module that nobody has written yet.
  static let placeholders = Rule("no placeholder stays beside real code") { project in
    let folders = Dictionary(grouping: project.swiftFiles) { file in
      file.path.split(separator: "/").dropLast().joined(separator: "/")
    }
    return project.swiftFiles.filter { file in
      let folder = file.path.split(separator: "/").dropLast().joined(separator: "/")
      return file.text.contains(Leftover.placeholder)
        && (House.isFilled || (folders[folder]?.count ?? 0) > 1)
    }.map { $0.finding(1, "a placeholder: remove the file, or write the module") }
  }

  static let markdown = Rule("documents have one title and links that work") { project in
    project.files.filter { $0.path.hasSuffix(".md") }.flatMap { file in
      let prose = Markdown.prose(file)
      let titles = prose.filter { $0.text.hasPrefix("# ") }
      var findings: [Finding] = []
      if titles.count != 1 || titles.first?.line != 1 {
        findings.append(
          file.finding(titles.last?.line ?? 1, "exactly one `# ` title, on the first line"))
      }
      for (line, text) in prose {
        for target in Markdown.links(text) {
          if !Markdown.exists(target, from: file, in: project) {
            findings.append(file.finding(line, "the link \(target) leads nowhere"))
          } else if !Markdown.hasAnchor(target, from: file, in: project) {
            findings.append(file.finding(line, "no heading of that page is \(target)"))
          }
        }
      }
      return findings
    }
  }

  static let decisions = Rule("every decision is in the index") { project in
    let folder = "Docs/Decisions/"
    guard let index = project.file(folder + "README.md") else { return [] }
    return project.files.filter {
      $0.path.hasPrefix(folder) && $0.path != index.path
        && !index.text.contains("(\($0.path.dropFirst(folder.count)))")
    }.map { index.finding(1, "\($0.path) is missing from the table") }
  }

  static let shellScripts = Rule("shell scripts stop at the first error") { project in
    project.files.filter {
      $0.path.hasPrefix("Scripts/") || $0.path.hasPrefix(".ci/")
    }.filter { $0.text.hasPrefix("#!") }.flatMap { file in
      var findings: [Finding] = []
      if file.lines.first != "#!/usr/bin/env bash" {
        findings.append(file.finding(1, "scripts are bash: `#!/usr/bin/env bash`"))
      }
      if !file.lines.contains("set -euo pipefail") {
        findings.append(file.finding(2, "a script begins with `set -euo pipefail`"))
      }
      if !project.executables.contains(file.path) {
        findings.append(file.finding(1, "not executable: chmod +x"))
      }
      return findings
    }
  }

  static let makefile = Rule("Makefile targets are documented and real") { project in
    guard let file = project.file("Makefile") else { return [] }
    let phony = Set(
      file.lines.filter { $0.hasPrefix(".PHONY:") }.flatMap { $0.split(separator: " ").dropFirst() }
    )
    return file.lines.enumerated().flatMap { index, line -> [Finding] in
      var findings: [Finding] = []
      if let target = line.wholeMatch(of: #/([a-z][a-z-]*):(?!=).*/#)?.1 {
        if !line.contains(" ## ") {
          findings.append(file.finding(index + 1, "\(target) has no `##` text for make help"))
        }
        if !phony.contains(target) {
          findings.append(file.finding(index + 1, "\(target) is missing from .PHONY"))
        }
      }
      for script in line.matches(of: #/\bScripts\/[a-z-]+/#) {
        if House.isFilled, !project.paths.contains(String(script.output)) {
          findings.append(file.finding(index + 1, "\(script.output) does not exist"))
        }
      }
      return findings
    }
  }
}

extension Rule {
  static let toldCommands = Rule("documents name commands that exist") { project in
    guard let makefile = project.file("Makefile") else { return [] }
    let targets = Set(
      makefile.lines.compactMap { $0.prefixMatch(of: #/([a-z][a-z-]*):/#)?.1 }.map(String.init))
    return project.files.filter { $0.path.hasSuffix(".md") }.flatMap { file in
      file.lines.enumerated().flatMap { index, line -> [Finding] in
        // In a code span, or first on a line of a code block.
        let made = line.matches(of: #/(?:^|`)make ([a-z][a-z-]*)/#).map { String($0.1) }
          .filter { !targets.contains($0) }
          .map { file.finding(index + 1, "there is no target \($0) in the Makefile") }
        let run = line.matches(of: #/(?:^|`)(Scripts\/[\w\/.-]*\w)/#).map { String($0.1) }
          .filter { !project.paths.contains($0) }
          .map { file.finding(index + 1, "there is no \($0)") }
        return made + run
      }
    }
  }
}
