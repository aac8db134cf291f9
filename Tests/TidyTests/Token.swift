/// A word or one punctuation character of code.
struct Token: Hashable, Sendable {
  var text: String
  var line: Int
  /// Whether white space stands before it.
  var spaced: Bool

  var isWord: Bool { text.utf8.first.map(Self.isWordByte) ?? false }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  /// The tokens of text from which comments and string contents are gone.
  static func all(in code: [UInt8]) -> [Token] {
    var tokens: [Token] = []
    var line = 1
    var spaced = true
    var position = 0
    while position < code.count {
      let byte = code[position]
      if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t") {
        if byte == UInt8(ascii: "\n") { line += 1 }
        spaced = true
        position += 1
        continue
      }
      var end = position + 1
      if isWordByte(byte) {
        while end < code.count, isWordByte(code[end]) { end += 1 }
      }
      let text = String(decoding: code[position..<end], as: UTF8.self)
      tokens.append(Token(text: text, line: line, spaced: spaced))
      spaced = false
      position = end
    }
    return tokens
  }

  /// The texts of the tokens of a pattern such as `Task {`.
  static func pattern(_ text: String) -> [String] {
    all(in: Array(text.utf8)).map(\.text)
  }
}
