import StrictJSON
import Testing

@Suite("Texts that are JSON")
struct AcceptedTextTests {
  @Test(
    arguments: [
      ("null", .null),
      ("true", .bool(true)),
      ("false", .bool(false)),
      (" \t\r\n0 \t\r\n", .number("0")),
      ("\"\"", .string("")),
      ("[]", .array([])),
      ("[ ]", .array([])),
      ("{}", .object([])),
      ("{\n}", .object([])),
      ("[1,2]", .array([.number("1"), .number("2")])),
      ("[[],{}]", .array([.array([]), .object([])])),
      ("{\"\":0}", .object(["": .number("0")])),
      ("{ \"a\" : 1 , \"b\" : 2 }", .object(["a": .number("1"), "b": .number("2")])),
      ("{\"b\":1,\"a\":2}", .object(["b": .number("1"), "a": .number("2")])),
      ("{\"a\":{\"a\":1}}", .object(["a": .object(["a": .number("1")])])),
    ] as [(String, JSONValue)])
  func `the value is read with its order`(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: Array(text.utf8)) == value)
  }

  @Test(
    arguments: [
      "0", "-0", "1", "-1", "10", "1.0", "1.50", "0.0", "-0.0", "1e3", "1E3", "1e+3", "1e-3",
      "0e0", "0.1e01", "1.0000000000000000001", "99999999999999999999999999", "1e999999",
    ])
  func `a number keeps its text`(text: String) throws {
    #expect(try JSONValue(parsing: Array(text.utf8)) == .number(text))
    #expect(try JSONValue(parsing: Array("[\(text)]".utf8))[0]?.numberText == text)
  }

  @Test(
    arguments: [
      (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
      (#""\u0041\u00e9\u00E9\u20ac""#, "A\u{E9}\u{E9}\u{20AC}"),
      (#""\u0000""#, "\0"),
      (#""\ud83d\ude00""#, "\u{1F600}"),
      (#""\uD800\uDC00\uDBFF\uDFFF""#, "\u{10000}\u{10FFFF}"),
      (#""\uffff\ufffd""#, "\u{FFFF}\u{FFFD}"),
      ("\"é€😀\"", "é€😀"),
      ("\"é\\n€\\u0041😀\"", "é\n€A😀"),
      ("\"\u{7F}\u{2028}\u{2029}\u{FEFF}\"", "\u{7F}\u{2028}\u{2029}\u{FEFF}"),
      (#""\\u0041""#, "\\u0041"),
      (#""https:\/\/shop.example\/p\/1""#, "https://shop.example/p/1"),
    ])
  func `a string is resolved`(text: String, value: String) throws {
    let parsed = try #require(try JSONValue(parsing: Array(text.utf8)).text)
    // Compared by bytes: String counts texts of another normalisation as equal.
    #expect(Array(parsed.utf8) == Array(value.utf8))
  }

  @Test func `a big object is read in order and quickly`() throws {
    let count = 50_000
    let body = (0..<count).map { "\"n\($0)\":\($0)" }.joined(separator: ",")
    let value = try JSONValue(parsing: Array("{\(body)}".utf8))
    #expect(value.members?.map(\.name) == (0..<count).map { "n\($0)" })
  }
}
