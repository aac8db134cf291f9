/// A Swift file taken apart just far enough to look for words: code without comments and string
/// contents, line by line as it was, and the string literals by themselves.
///
/// It is no parser. A regular-expression literal that holds a quote would confuse it, so the house
/// does not use those.
struct SwiftText: Sendable {
  /// A string literal: where it opens and what it holds, interpolations left out.
  struct Literal: Hashable, Sendable {
    var line: Int
    var text: String
  }

  /// The lines with comments and string contents blanked.
  var codeLines: [String]
  var literals: [Literal]
  var tokens: [Token]

  init(_ text: String) {
    var scanner = Scanner(source: Array(text.utf8))
    scanner.scanCode(insideInterpolation: false)
    codeLines = String(decoding: scanner.code, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    literals = scanner.literals.sorted { $0.line < $1.line }
    tokens = Token.all(in: scanner.code)
  }
}

/// Walks over the bytes once. Kept bytes go to `code`; all others stay blank there.
private struct Scanner {
  let source: [UInt8]
  var code: [UInt8]
  var literals: [SwiftText.Literal] = []
  private var position = 0
  private var line = 1

  init(source: [UInt8]) {
    self.source = source
    code = source.map { $0 == UInt8(ascii: "\n") ? $0 : UInt8(ascii: " ") }
  }

  private func byte(_ offset: Int = 0) -> UInt8? {
    position + offset < source.count ? source[position + offset] : nil
  }

  private mutating func skip(_ count: Int = 1) {
    for _ in 0..<count {
      if byte() == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
  }

  private mutating func keep() {
    code[position] = source[position]
    skip()
  }

  mutating func scanCode(insideInterpolation: Bool) {
    var depth = 0
    while let current = byte() {
      switch current {
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"): skipLine()
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): skipBlockComment()
      case UInt8(ascii: "\""): scanString(pounds: 0)
      case UInt8(ascii: "#"): scanPounds()
      case UInt8(ascii: "`"): scanQuotedName()
      case UInt8(ascii: "("):
        depth += 1
        keep()
      case UInt8(ascii: ")"):
        if insideInterpolation, depth == 0 { return }
        depth -= 1
        keep()
      default: keep()
      }
    }
  }

  private mutating func skipLine() {
    while let current = byte(), current != UInt8(ascii: "\n") { skip() }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      switch (byte(), byte(1)) {
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        depth += 1
        skip(2)
      case (UInt8(ascii: "*"), UInt8(ascii: "/")):
        depth -= 1
        skip(2)
      case (nil, _): return
      default: skip()
      }
    } while depth > 0
  }

  /// A name in backticks becomes the name `_`: a sentence in it is no code.
  private mutating func scanQuotedName() {
    code[position] = UInt8(ascii: "_")
    skip()
    while let current = byte(), current != UInt8(ascii: "`"), current != UInt8(ascii: "\n") {
      skip()
    }
    skip()
  }

  private mutating func scanPounds() {
    var pounds = 0
    while byte(pounds) == UInt8(ascii: "#") { pounds += 1 }
    if byte(pounds) == UInt8(ascii: "\"") {
      skip(pounds)
      scanString(pounds: pounds)
    } else {
      for _ in 0..<pounds { keep() }
    }
  }

  private mutating func scanString(pounds: Int) {
    let start = line
    let quotes = byte(1) == UInt8(ascii: "\"") && byte(2) == UInt8(ascii: "\"") ? 3 : 1
    var content: [UInt8] = []
    keep()
    skip(quotes - 1)
    while let current = byte() {
      if current == UInt8(ascii: "\""), closes(quotes: quotes, pounds: pounds) {
        skip(quotes - 1)
        keep()
        skip(pounds)
        break
      }
      if current == UInt8(ascii: "\n"), quotes == 1 { break }
      if current == UInt8(ascii: "\\"), escapes(pounds: pounds) {
        skip(1 + pounds)
        if byte() == UInt8(ascii: "(") {
          keep()
          scanCode(insideInterpolation: true)
          if byte() != nil { keep() }
        } else if byte() != nil {
          skip()
        }
        content.append(UInt8(ascii: " "))
      } else {
        content.append(current)
        skip()
      }
    }
    literals.append(.init(line: start, text: String(decoding: content, as: UTF8.self)))
  }

  private func closes(quotes: Int, pounds: Int) -> Bool {
    (0..<quotes).allSatisfy { byte($0) == UInt8(ascii: "\"") }
      && (0..<pounds).allSatisfy { byte(quotes + $0) == UInt8(ascii: "#") }
  }

  private func escapes(pounds: Int) -> Bool {
    (0..<pounds).allSatisfy { byte(1 + $0) == UInt8(ascii: "#") }
  }
}
