extension Rule {
  /// A reader must be able to check each unsafe step against the sentence that defends it.
  static let unsafeSentence = Rule(
    "unsafe code has its reason above it",
    files: {
      [.adapters, .portableAdapters, .simulation, .apps, .tests].contains($0.place)
        && $0.swift != nil
    }
  ) { file in
    let tokens = file.swift?.tokens ?? []
    let lines = tokens.indices.filter { index in
      let before = index > 0 ? tokens[index - 1].text : ""
      return switch tokens[index].text {
      case "unsafe": true
      case "unchecked", "safe": before == "@"
      default: false
      }
    }.map { tokens[$0].line }
    return Set(lines).sorted().filter { !hasSentence(file, above: $0) }.map {
      file.finding(
        $0, "unsafe without a sentence above: say which lock, lifetime or C contract makes it right"
      )
    }
  }

  /// How far above the sentence may stand: one paragraph of calls under one contract.
  private static let paragraphLinesMax = 12

  private static func hasSentence(_ file: SourceFile, above line: Int) -> Bool {
    for index in (0..<(line - 1)).reversed().prefix(paragraphLinesMax) {
      let text = file.lines[index].drop { $0 == " " }
      if text.hasPrefix("//") { return true }
      if text.isEmpty { return false }
      let declaration = Declaration(file.swift?.codeLines[index] ?? "")?.keyword
      if ["func", "init", "subscript"].contains(declaration) {
        return hasPlainComment(file, above: index)
      }
    }
    return false
  }

  /// Whether a function's own comment goes beyond `///`, which tells callers what it does and not
  /// why its body is right.
  private static func hasPlainComment(_ file: SourceFile, above index: Int) -> Bool {
    file.lines[..<index].reversed().map { $0.drop { $0 == " " } }
      .prefix { $0.hasPrefix("//") || $0.hasPrefix("@") }
      .contains { $0.hasPrefix("//") && !$0.hasPrefix("///") }
  }

  static let emptyCatch = Rule(
    "no empty catch", files: { $0.swift != nil && $0.place != .other }
  ) { file in
    let tokens = file.swift?.tokens ?? []
    return tokens.indices.compactMap { index in
      guard tokens[index].text == "catch", index == 0 || tokens[index - 1].text != ".",
        let open = tokens[index...].firstIndex(where: { $0.text == "{" }),
        open + 1 < tokens.count, tokens[open + 1].text == "}"
      else { return nil }
      return file.finding(
        tokens[index].line, "empty catch: record the error, or use try? and say why it may be lost")
    }
  }

  static let forceUnwrap = Rule(
    "no force unwrap",
    files: { Place.modules.union([.apps]).contains($0.place) && $0.swift != nil }
  ) { file in
    let tokens = file.swift?.tokens ?? []
    return tokens.indices.dropFirst().compactMap { index in
      let before = tokens[index - 1]
      let isNotEqual =
        index + 1 < tokens.count && tokens[index + 1].text == "=" && !tokens[index + 1].spaced
      guard tokens[index].text == "!", !tokens[index].spaced, !isNotEqual,
        before.isWord || [")", "]", "?", ">"].contains(before.text),
        before.text != "try", before.text != "as"
      else { return nil }
      return file.finding(tokens[index].line, "`!`: use guard let, or precondition with its reason")
    }
  }

  /// SQLite gives rows in whatever order its plan finds them.
  static let orderedSelect = Rule(
    "a SELECT of several rows is ordered",
    files: { [.adapters, .portableAdapters].contains($0.place) && $0.swift != nil }
  ) { file in
    joinedLiterals(file).compactMap { literal in
      let words = literal.text.split { " \n\t".contains($0) }.joined(separator: " ").uppercased()
      guard words.hasPrefix("SELECT ") || words.hasPrefix("WITH "), words.contains(" FROM "),
        !words.contains(" ORDER BY "), !givesOneRow(words), !saysOneRow(file, above: literal.line)
      else { return nil }
      return file.finding(
        literal.line,
        "SELECT without ORDER BY on a unique key; if a unique key picks the row, say `One row: …` "
          + "above")
    }
  }

  /// The literals of a file, those that a line-leading `+` joins as one.
  private static func joinedLiterals(_ file: SourceFile) -> [SwiftText.Literal] {
    guard let swift = file.swift else { return [] }
    return swift.literals.reduce(into: []) { joined, literal in
      let code = swift.codeLines[literal.line - 1].drop { $0 == " " }
      if code.hasPrefix("+"), !joined.isEmpty {
        joined[joined.count - 1].text += literal.text
      } else {
        joined.append(literal)
      }
    }
  }

  /// Whether the statement shows by itself that its order does not matter: an aggregate, a mere
  /// question whether there is a row, or a look-up by `id`, the name that primary keys have.
  private static func givesOneRow(_ words: String) -> Bool {
    if words.contains(" GROUP BY ") { return false }
    let heads = ["COUNT(", "MAX(", "MIN(", "SUM(", "COALESCE(", "TOTAL(", "EXISTS", "1 FROM "]
    return heads.contains { words.hasPrefix("SELECT " + $0) } || words.contains(" WHERE ID = ?")
  }

  private static func saysOneRow(_ file: SourceFile, above line: Int) -> Bool {
    file.lines[max(0, line - 4)..<min(line, file.lines.count)].contains {
      $0.contains("//") && $0.lowercased().contains("one row")
    }
  }

  /// Shims exist to give Swift what it cannot call; they hold no logic and clash with nobody.
  static let shims = Rule(
    "shims are small, prefixed and explained",
    files: { $0.place == .system && $0.path.hasSuffix(".h") }
  ) { file in
    file.lines.indices.compactMap { index in
      let line = file.lines[index]
      guard line.first.map({ $0.isLetter }) == true, line.contains("("), !line.hasPrefix("typedef")
      else { return nil }
      if line.hasPrefix("extern") { return nil }
      guard line.hasPrefix("static "), line.contains("till_") else {
        return file.finding(index + 1, "what a shim declares is static and named till_…")
      }
      // One comment may stand above a family of functions, with no blank line between.
      let paragraph = file.lines[..<index].reversed().prefix { !$0.isEmpty }
      guard paragraph.contains(where: { $0.hasPrefix("//") || $0.hasSuffix("*/") }) else {
        return file.finding(index + 1, "a comment above says why Swift needs it")
      }
      return nil
    }
  }
}
