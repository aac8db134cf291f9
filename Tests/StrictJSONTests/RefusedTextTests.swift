import StrictJSON
import Testing

@Suite("Texts that are not JSON")
struct RefusedTextTests {
  static func error(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) -> JSONError? {
    do {
      _ = try JSONValue(parsing: bytes, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    arguments: [
      // Nothing, or too little.
      "", " ", "[", "[1", "[1,", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "\"", "\"a",
      "\"\\", "\"\\u00", "t", "tru", "nul", "-", "1.", "1e", "1e+", "[\"a", "{\"a",
      // Commas and colons.
      "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]", "[1:2]", "{\"a\":1,}", "{,}", "{\"a\" 1}",
      "{\"a\"::1}", "{\"a\",1}", "{\"a\":}", "{:1}", "{\"a\":1,,\"b\":2}", "{\"a\":1 \"b\":2}",
      ",", ":", "[1}", "{\"a\":1]", "]", "}",
      // Names that are no strings.
      "{a:1}", "{1:1}", "{'a':1}", "{null:1}", "{[]:1}",
      // Bytes after the value.
      "1 2", "null null", "{}{}", "[]]", "\"a\"b", "1,", "truex", "{}#",
      // Words, quotes and comments that other dialects have.
      "True", "TRUE", "nulL", "undefined", "NaN", "Infinity", "-Infinity", "nan", "'a'",
      "// c\n1", "/* c */1", "[1/**/]", "#1", "`a`", "(1)", "[1;2]",
      // Numbers.
      "01", "-01", "00", "+1", ".5", "-.5", "1.e3", "1..2", "1.2.3", "1e1.5", "1ee3", "--1",
      "- 1", "0x10", "1_000", "1,5", "0b1", "1e+-3", "-a", "012", "1.0.", "٣", "１",
      // Escapes.
      #""\x41""#, #""\a""#, #""\'""#, #""\0""#, #""\U0041""#, #""\u""#, #""\u00g0""#,
      #""\u 041""#, #""\u+041""#, "\"\\\u{E9}\"", "\"\\\n\"",
      // Surrogates without a partner.
      #""\ud800""#, #""\udc00""#, #""\ud800x""#, #""\ud800\n""#, #""\ud800\u0041""#,
      #""\ud800\ud800""#, #""\udc00\ud800""#, #""\ud83d\\ude00""#,
      // Control characters, white space that is none in JSON.
      "\"\n\"", "\"\t\"", "\"\u{0}\"", "\"\u{1F}\"", "\"\\n\u{1}\"", "\u{C}1", "1\u{0}", "\u{0}",
      "\u{A0}1", "[\u{2028}1]", "\u{200B}1",
      // A byte order mark.
      "\u{FEFF}1", "\u{FEFF}", " \u{FEFF}1",
    ])
  func `the text is refused`(text: String) {
    #expect(Self.error(Array(text.utf8)) != nil)
  }

  @Test(
    arguments: [
      ("a byte that never occurs", [0xFF]),
      ("a byte that never occurs", [0xFE]),
      ("continuation alone", [0x80]),
      ("continuation too many", [0xC3, 0xA9, 0xA9]),
      ("truncated pair", [0xC3]),
      ("truncated triple", [0xE2, 0x82]),
      ("truncated quadruple", [0xF0, 0x9F, 0x98]),
      ("lead before ASCII", [0xC3, 0x41]),
      ("overlong solidus, two bytes", [0xC0, 0xAF]),
      ("overlong NUL", [0xC0, 0x80]),
      ("overlong solidus, three bytes", [0xE0, 0x80, 0xAF]),
      ("overlong, four bytes", [0xF0, 0x80, 0x80, 0xAF]),
      ("surrogate U+D800", [0xED, 0xA0, 0x80]),
      ("surrogate pair as two triples", [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]),
      ("above U+10FFFF", [0xF4, 0x90, 0x80, 0x80]),
      ("five-byte form", [0xF8, 0x88, 0x80, 0x80, 0x80]),
      ("ISO 8859-1", [0xE9]),
    ] as [(String, [UInt8])])
  func `bytes that are not UTF-8 are refused`(kind: String, bytes: [UInt8]) {
    let quote: [UInt8] = [0x22]
    let escapedLineFeed: [UInt8] = [0x5C, 0x6E]
    let expected = JSONError("invalid UTF-8", offset: 1)
    #expect(Self.error(quote + bytes + quote) == expected, "\(kind)")
    #expect(Self.error(quote + bytes + escapedLineFeed + quote) == expected, "\(kind)")
    #expect(Self.error(quote + escapedLineFeed + bytes + quote) == expected, "\(kind)")
    #expect(Self.error(bytes) != nil, "\(kind) outside a string")
  }

  @Test(
    arguments: [
      (#"{"a":1,"a":2}"#, 7),
      (#"{"a":1,"b":2,"a":1}"#, 13),
      (#"{"a":1,"\u0061":2}"#, 7),
      (#"{"":1,"":2}"#, 6),
      (#"[{"x":{"a":1,"a":1}}]"#, 13),
      ("{\"\u{E9}\":1,\"e\u{301}\":2}", 8),
    ])
  func `a name that occurs twice is refused where it repeats`(text: String, offset: Int) {
    #expect(Self.error(Array(text.utf8)) == JSONError("duplicate name", offset: offset))
  }

  @Test(arguments: [1, 2, 11, 12, 13, 14, 1_000])
  func `the last name of an object of any size is checked against the first`(count: Int) {
    let names = (0..<count).map { "\"n\($0)\":0" }
    #expect(Self.error(Array("{\((names + ["\"m\":0"]).joined(separator: ","))}".utf8)) == nil)
    for repeated in [0, count / 2, count - 1] {
      let text = "{\((names + ["\"n\(repeated)\":0"]).joined(separator: ","))}"
      #expect(Self.error(Array(text.utf8))?.reason == "duplicate name")
    }
  }

  @Test func `an error tells the reason and the place, never the text`() throws {
    let error = try #require(Self.error(Array(#"{"card":"4111"#.utf8)))
    #expect(error.description == "text ends too early at byte 13")
  }
}
