extension Rule {
  /// Beyond the formatter's own rule: also members of public protocols and of public extensions,
  /// and the cases of public enums.
  static let documented = Rule(
    "public declarations are documented",
    files: { Place.modules.contains($0.place) && $0.swift != nil }
  ) { file in
    guard let swift = file.swift else { return [] }
    var scopes = Scopes()
    var findings: [Finding] = []
    for (index, code) in swift.codeLines.enumerated() {
      let declaration = Declaration(code)
      if let declaration, scopes.isPublic(declaration), !isDocumented(file, index) {
        findings.append(
          file.finding(
            index + 1,
            "public \(declaration.keyword) without `///`: say what it is and when to use it"))
      }
      scopes.advance(over: code, declaring: declaration)
    }
    return findings
  }

  private static func isDocumented(_ file: SourceFile, _ index: Int) -> Bool {
    for line in file.lines[..<index].reversed() {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("///") || text.hasSuffix("*/") { return true }
      // Attributes and the sentence that an unsafe attribute owes may stand between.
      guard text.hasPrefix("@") || text.hasPrefix("//") else { return false }
    }
    return false
  }
}

/// The declaration that a line begins, if any.
struct Declaration: Hashable {
  var keyword: String
  var modifiers: Set<String>

  private static let keywords: Set<String> = [
    "func", "var", "let", "init", "subscript", "typealias", "associatedtype", "case", "struct",
    "class", "enum", "actor", "protocol", "extension",
  ]
  private static let modifierWords: Set<String> = [
    "public", "open", "package", "internal", "private", "fileprivate", "static", "final",
    "mutating",
    "nonmutating", "nonisolated", "override", "required", "convenience", "lazy", "weak", "unowned",
    "dynamic", "indirect", "prefix", "postfix", "infix", "isolated", "consuming", "borrowing",
  ]

  init?(_ code: String) {
    let tokens = Token.all(in: Array(code.utf8)).map(\.text)
    var modifiers: Set<String> = []
    var position = 0
    while position < tokens.count {
      let text = tokens[position]
      if text == "@" {
        position += 2
      } else if text == "(" {
        // The argument of a modifier or attribute.
        guard let close = tokens[position...].firstIndex(of: ")") else { return nil }
        position = close + 1
      } else if Self.modifierWords.contains(text) {
        modifiers.insert(text)
        position += 1
      } else if text == "class", position + 1 < tokens.count,
        ["func", "var", "subscript"].contains(tokens[position + 1])
      {
        position += 1
      } else {
        guard Self.keywords.contains(text) else { return nil }
        keyword = text
        self.modifiers = modifiers
        return
      }
    }
    return nil
  }
}

/// The braces that are open at a line, and which of them make their members public.
private struct Scopes {
  private enum Kind { case publicProtocol, publicEnum, publicExtension, other }
  private var open: [Kind] = []
  /// A declaration whose `{` is still to come.
  private var pending: Kind?
  private var parentheses = 0

  func isPublic(_ declaration: Declaration) -> Bool {
    guard parentheses == 0, declaration.keyword != "extension" else { return false }
    if !declaration.modifiers.isDisjoint(with: ["public", "open"]) { return true }
    guard
      declaration.modifiers.isDisjoint(with: ["private", "fileprivate", "internal", "package"])
    else { return false }
    return switch open.last {
    case .publicProtocol, .publicExtension: true
    case .publicEnum: declaration.keyword == "case"
    case .other, nil: false
    }
  }

  mutating func advance(over code: String, declaring declaration: Declaration?) {
    if parentheses == 0, let declaration { pending = kind(of: declaration) }
    for byte in code.utf8 {
      switch byte {
      case UInt8(ascii: "("): parentheses += 1
      case UInt8(ascii: ")"): parentheses -= 1
      case UInt8(ascii: "{"):
        open.append(parentheses == 0 ? pending ?? .other : .other)
        pending = nil
      case UInt8(ascii: "}"): _ = open.popLast()
      default: break
      }
    }
  }

  private func kind(of declaration: Declaration) -> Kind {
    let isPublic = !declaration.modifiers.isDisjoint(with: ["public", "open"])
    return switch declaration.keyword {
    case "protocol" where isPublic: .publicProtocol
    case "enum" where isPublic: .publicEnum
    case "extension" where isPublic: .publicExtension
    default: .other
    }
  }
}
