/// The bounds that keep a file readable at one sitting.
enum Shape {
  static let fileLinesMax = 400
  /// The manifest cannot be split, and grows by the modules.
  static let manifestLinesMax = 500
  static let columnsMax = 100
  static let functionLinesMax = 70
  static let mainLinesMax = 40
  static let readmeLinesMax = 150
}

extension Rule {
  private static let codeKinds = [".swift", ".h", ".modulemap", ".sql"]

  private static func isCode(_ file: SourceFile) -> Bool {
    codeKinds.contains { file.path.hasSuffix($0) } || file.path == "Makefile"
      || file.path.hasPrefix("Scripts/") || file.path.hasPrefix(".ci/")
  }

  static let fileLength = Rule("files are short", files: isCode) { file in
    let isMain = file.place == .apps && file.path.hasSuffix("/main.swift")
    let limit =
      file.path == "Package.swift"
      ? Shape.manifestLinesMax : isMain ? Shape.mainLinesMax : Shape.fileLinesMax
    guard file.lines.count > limit else { return [] }
    return [
      file.finding(
        limit + 1, "\(file.lines.count) lines, the limit is \(limit): split it by concept")
    ]
  }

  static let lineLength = Rule("lines are short", files: isCode) { file in
    file.lines.enumerated().compactMap { index, line in
      line.count > Shape.columnsMax
        ? file.finding(index + 1, "\(line.count) columns, the limit is \(Shape.columnsMax)") : nil
    }
  }

  static let functionLength = Rule("functions are short", files: { $0.swift != nil }) { file in
    Function.all(in: file.swift?.tokens ?? []).compactMap { function in
      function.length > Shape.functionLinesMax
        ? file.finding(
          function.line,
          "\(function.length) lines in one function, the limit is \(Shape.functionLinesMax): "
            + "name its steps")
        : nil
    }
  }

  static let readme = Rule("the README is short", files: { $0.path == "README.md" }) { file in
    file.lines.count > Shape.readmeLinesMax
      ? [
        file.finding(
          Shape.readmeLinesMax + 1, "\(file.lines.count) lines: move it to Docs and link to it")
      ] : []
  }
}

/// A function, initialiser or deinitialiser with a body, found by counting brackets.
struct Function: Hashable {
  var line: Int
  var length: Int

  private static let openers: Set<String> = ["func", "init", "deinit", "subscript"]
  /// What shows that a declaration had no body: the next one begins.
  private static let next: Set<String> = [
    "func", "init", "deinit", "subscript", "var", "let", "case", "associatedtype", "public",
    "private", "internal", "package", "static", "mutating", "}",
  ]

  static func all(in tokens: [Token]) -> [Function] {
    tokens.indices.compactMap { index in
      guard openers.contains(tokens[index].text), index == 0 || tokens[index - 1].text != ".",
        let open = bodyStart(tokens, after: index), let close = bodyEnd(tokens, from: open)
      else { return nil }
      let line = tokens[index].line
      return Function(line: line, length: tokens[close].line - line + 1)
    }
  }

  private static func bodyStart(_ tokens: [Token], after index: Int) -> Int? {
    var depth = 0
    for position in tokens.indices.dropFirst(index + 1) {
      switch tokens[position].text {
      case "(", "[": depth += 1
      case ")", "]":
        depth -= 1
        if depth < 0 { return nil }
      case "{" where depth == 0: return position
      case let text where depth == 0 && next.contains(text): return nil
      default: break
      }
    }
    return nil
  }

  private static func bodyEnd(_ tokens: [Token], from open: Int) -> Int? {
    var depth = 0
    for position in tokens.indices.dropFirst(open) {
      if tokens[position].text == "{" { depth += 1 }
      if tokens[position].text == "}" {
        depth -= 1
        if depth == 0 { return position }
      }
    }
    return nil
  }
}
