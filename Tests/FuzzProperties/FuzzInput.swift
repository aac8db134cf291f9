/// An input that is read from its front.
struct FuzzInput {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// The next byte; 0 behind the end.
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// One of so many choices.
  mutating func choice(of count: Int) -> Int { Int(byte()) % count }

  /// One of the elements.
  mutating func choice<Element>(from elements: [Element]) -> Element {
    elements[choice(of: elements.count)]
  }

  /// The next eight bytes as a number.
  mutating func int64() -> Int64 {
    Int64(bitPattern: (0..<8).reduce(UInt64(0)) { word, _ in word << 8 | UInt64(byte()) })
  }

  /// The bytes up to the next line feed, which is skipped.
  mutating func line() -> [UInt8] {
    let line = rest.prefix { $0 != UInt8(ascii: "\n") }
    rest = rest.dropFirst(line.count + 1)
    return Array(line)
  }

  /// All that is left.
  mutating func remainder() -> [UInt8] {
    defer { rest = [] }
    return Array(rest)
  }

  /// All that is left, as a text; what is no UTF-8 is mended.
  mutating func text() -> String { String(decoding: remainder(), as: UTF8.self) }

  /// The next line, as a text.
  mutating func textLine() -> String { String(decoding: line(), as: UTF8.self) }
}
