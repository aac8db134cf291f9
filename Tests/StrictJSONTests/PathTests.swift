import StrictJSON
import Testing

@Suite("Lookups by path")
struct PathTests {
  let answer = JSONValue.object([
    "payment": .object([
      "id": .string("pay_A1"), "amount": .string("140.00"), "fee": .number("1.50"),
      "expires_at": .null, "captures": .array([.object(["id": .string("c1")])]),
    ]),
    "0": .string("a name of digits"),
  ])

  @Test func `a path leads through names and indices`() throws {
    #expect(try answer.text(at: "payment.id") == "pay_A1")
    #expect(try answer.text(at: "payment.captures.0.id") == "c1")
    #expect(try answer.text(at: "0") == "a name of digits")
    #expect(try answer.elements(at: "payment.captures").count == 1)
  }

  @Test func `an amount is a string or a number, as its text`() throws {
    #expect(try answer.decimalText(at: "payment.amount") == "140.00")
    #expect(try answer.decimalText(at: "payment.fee") == "1.50")
  }

  @Test(
    arguments: ["payment.status", "payment.expires_at", "payment.captures.1", "payment.id.x", "y"])
  func `what is absent or null is missing`(path: String) {
    #expect(answer.find(path) == nil)
    #expect(throws: JSONPathError(path: path, "is missing")) { try answer.at(path) }
    #expect(throws: JSONPathError(path: path, "is missing")) { try answer.text(at: path) }
    #expect((try? answer.elements(at: path)) == [])
  }

  @Test func `another kind is an error that names the path`() {
    #expect(throws: JSONPathError(path: "payment.fee", "is not a string")) {
      try answer.text(at: "payment.fee")
    }
    #expect(throws: JSONPathError(path: "payment", "is neither a string nor a number")) {
      try answer.decimalText(at: "payment")
    }
    let error = #expect(throws: JSONPathError.self) { try answer.elements(at: "payment.id") }
    #expect(error?.description == "payment.id is not an array")
  }

  @Test func `accessors answer nil for other kinds`() {
    let values: [JSONValue] = [
      .null, .bool(true), .number("1"), .string("x"), .array([]), .object([]),
    ]
    #expect(values.map(\.isNull) == [true, false, false, false, false, false])
    #expect(values.compactMap(\.boolean) == [true])
    #expect(values.compactMap(\.numberText) == ["1"])
    #expect(values.compactMap(\.text) == ["x"])
    #expect(values.compactMap(\.elements) == [[]])
    #expect(values.compactMap(\.members) == [[]])
    #expect(values.compactMap { $0["x"] } == [] && values.compactMap { $0[0] } == [])
  }

  @Test(
    arguments: [
      ("0", 0), ("-1", -1), ("9223372036854775807", .max), ("9223372036854775808", nil),
      ("1.0", nil), ("1e2", nil),
    ] as [(String, Int64?)])
  func `an integer is a number without point and exponent`(text: String, value: Int64?) {
    #expect(JSONValue.number(text).int64 == value)
  }
}
