import KitEnvironment
import StrictJSON
import TestSupport
import Testing

@Suite("JSON writer")
struct WriterTests {
  static func text(_ value: JSONValue) -> String {
    String(decoding: value.serialized(), as: UTF8.self)
  }

  @Test(
    arguments: [
      (.null, "null"), (.bool(true), "true"), (.bool(false), "false"),
      (.number("1.50"), "1.50"), (.integer(-7), "-7"), (.integer(UInt64.max), "\(UInt64.max)"),
      (.string(""), "\"\""), (.array([]), "[]"), (.object([]), "{}"),
      (.array([.null, .array([.null])]), "[null,[null]]"),
      (.object(["b": .integer(1), "a": .object(["c": .null])]), #"{"b":1,"a":{"c":null}}"#),
      (.optional(nil), "null"), (.optional("x"), "\"x\""),
    ] as [(JSONValue, String)])
  func `the text is compact and keeps the order`(value: JSONValue, text: String) {
    #expect(Self.text(value) == text)
  }

  @Test(
    arguments: [
      ("a/b", "a/b"), ("é€😀", "é€😀"), ("\u{7F}\u{2028}", "\u{7F}\u{2028}"),
      ("\"\\", #"\"\\"#), ("\u{8}\u{C}\n\r\t", #"\b\f\n\r\t"#),
      ("\0\u{1}\u{1F}", #"\u0000\u0001\u001f"#), ("é\né", #"é\né"#),
    ])
  func `only what must be escaped is escaped`(text: String, escaped: String) {
    #expect(Self.text(.string(text)) == "\"\(escaped)\"")
    #expect(Self.text(.object([JSONMember(name: text, value: .null)])) == "{\"\(escaped)\":null}")
  }

  @Test func `what is written is read back as the same bytes`() throws {
    var bytesWritten = 0
    for seed in UInt64(1)...400 {
      let random = seededRandom(seed)
      let value = arbitraryValue(random, depth: 5)
      let written = value.serialized()
      let read = try JSONValue(parsing: written)
      #expect(read == value, "seed \(seed)")
      #expect(read.serialized() == written, "seed \(seed)")
      bytesWritten += written.count
    }
    #expect(bytesWritten > 100_000, "the values are not all small")
  }

  @Test func `a number that is none is a bug of the caller`() async {
    await #expect(processExitsWith: .failure) { _ = JSONValue.number("NaN").serialized() }
    await #expect(processExitsWith: .failure) { _ = JSONValue.number("").serialized() }
    await #expect(processExitsWith: .failure) { _ = JSONValue.number("1,2").serialized() }
  }

  @Test func `a name that stands twice is a bug of the caller`() async {
    await #expect(processExitsWith: .failure) {
      _ = JSONValue.object(["a": .null, "a": .null]).serialized()
    }
  }
}

/// A value of any shape; the same for the same source of random words.
func arbitraryValue(_ random: RandomSource, depth: Int) -> JSONValue {
  switch random.below(depth > 0 ? 7 : 5) {
  case 0: return .null
  case 1: return .bool(random.below(2) == 0)
  case 2: return .integer(Int64(bitPattern: random.next()))
  case 3:
    return .number("-\(random.below(1_000)).\(random.below(1_000))e\(random.below(40))")
  case 4: return .string(arbitraryText(random))
  case 5:
    return .array((0..<random.below(6)).map { _ in arbitraryValue(random, depth: depth - 1) })
  default:
    // The index makes the name unlike the others, in any normalisation.
    return .object(
      (0..<random.below(20)).map { index in
        JSONMember(
          name: "\(index) \(arbitraryText(random))",
          value: arbitraryValue(random, depth: depth - 1))
      })
  }
}

/// A text of ASCII, control characters and all other planes alike.
func arbitraryText(_ random: RandomSource) -> String {
  (0..<random.below(12)).reduce(into: "") { text, _ in
    let bound: UInt64 = [0x20, 0x80, 0x800, 0x11_0000][Int(random.below(4))]
    text.unicodeScalars.append(Unicode.Scalar(UInt32(random.below(bound))) ?? "\u{FFFD}")
  }
}
