import MerchantAPI
import StrictJSON
import TestSupport
import Testing

/// A body's schema, its parser, and members that stand for all that differ.
private struct Case: Sendable, CustomTestStringConvertible {
  let schema: String
  let parse: @Sendable (JSONValue) throws -> Void
  /// A body that is right, and values to put in place of each member.
  let right: JSONValue
  let values: [String: [JSONValue]]
  var testDescription: String { schema }
}

private func text(_ count: Int, of scalar: String = "x") -> JSONValue {
  .string(String(repeating: scalar, count: count))
}

private let strangers: [JSONValue] = [
  .null, .bool(true), .integer(0), .integer(1), "", "x", .array([]), .object([JSONMember]()),
]
private let reasons: [JSONValue] = [
  text(255), text(256), text(255, of: "é"), text(256, of: "é"), text(255, of: "👍"), " ", "\u{A0}",
  "\u{3000}\u{2003}", " a ", "a\nb", "\u{85}", "\u{7F}a", "a\u{0}", "a\n", "\u{2028}", "a\u{2028}",
  "\u{FEFF}", "\u{200B}",
]
private let id = "01976f3a-7c1b-7def-8abc-0123456789ab"
private func item(_ product: JSONValue, _ quantity: JSONValue) -> JSONValue {
  .object(["product_id": product, "quantity": quantity])
}
private func items(_ count: Int) -> JSONValue {
  .array((0..<count).map { item(.string("p\($0)"), .integer(1)) })
}

private let cases = [
  Case(
    schema: "CheckoutBody", parse: { _ = try CheckoutBody(json: $0) },
    right: .object(["provider": "tabby", "items": items(1), "order_id": .string(id)]),
    values: [
      "provider": [text(32), text(33), text(32, of: "é"), text(33, of: "é")],
      "order_id": [
        .string(id.uppercased()), .string(id + "0"), .string(String(id.dropLast())),
        .string(id + "\n"),
      ],
      "items": [
        items(0), items(100), items(101), .array([item(text(64), .integer(1_000))]),
        .array([item(text(65), .integer(1))]), .array([item("a", .integer(1_001))]),
        .array([item("a", .integer(0))]), .array([item("a", .number("1.5"))]),
        .array([item("", .integer(1))]), .array([item(.null, .integer(1))]),
        .array([.object(["product_id": "a"])]),
        .array([.object(["product_id": "a", "quantity": .integer(1), "price": .integer(1)])]),
      ],
    ]),
  Case(
    schema: "SignalBody", parse: { _ = try SignalBody(json: $0) },
    right: .object(["signal": "closed"]), values: ["signal": ["Closed", "page_final", "paid"]]),
  Case(
    schema: "ReasonBody", parse: { _ = try ReasonBody(json: $0) },
    right: .object(["reason": "as asked"]), values: ["reason": reasons]),
  Case(
    schema: "OperationBody", parse: { _ = try OperationBody(json: $0) },
    right: .object(["amount": "1.00", "reason": "as asked"]),
    values: ["amount": [text(32, of: "1"), text(33, of: "1")], "reason": reasons]),
  Case(
    schema: "ResolveBody", parse: { _ = try ResolveBody(json: $0) },
    right: .object(["decision": "keep", "reason": "as asked"]),
    values: ["decision": ["accept", "refund", "dismiss", "Accept"], "reason": reasons]),
  Case(
    schema: "ReconcileBody", parse: { _ = try ReconcileBody(json: $0) },
    right: .object(["since_seconds": .integer(60), "apply": .bool(true), "cursor": "c"]),
    values: [
      "since_seconds": [
        .integer(ReconcileBody.sinceSecondsMax), .integer(ReconcileBody.sinceSecondsMax + 1),
      ],
      "cursor": [text(256), text(257), text(256, of: "é")],
    ]),
  Case(
    schema: "ReplayBody", parse: { _ = try ReplayBody(json: $0, bodyBytesMax: 64 << 10) },
    right: .object([
      "provider": "tabby", "headers": .array([]), "body": "{}",
      "received_at": "2026-11-30T00:00:00Z", "reason": "as asked",
    ]),
    values: [
      "provider": [text(32), text(33)], "reason": reasons,
      "body": [text(64 << 10), text((64 << 10) + 1)],
      "headers": [
        headers(100), headers(101), .array([.object(["name": "a"])]),
        .array([.object(["value": "a"])]), .array([.object(["name": "a", "value": .null])]),
        .array([.object(["name": text(128), "value": text(8_192)])]),
        .array([.object(["name": text(129), "value": "a"])]),
        .array([.object(["name": "a", "value": text(8_193)])]),
        .array([.object(["name": "a", "value": "b", "more": "c"])]),
      ],
    ]),
  Case(
    schema: "PauseBody", parse: { _ = try PauseBody(json: $0) },
    right: .object(["account": "uae", "reason": "as asked"]),
    values: ["account": [text(64), text(65)], "reason": reasons]),
  Case(
    schema: "EraseBody", parse: { _ = try EraseBody(json: $0) },
    right: .object(["subject": "u-1", "reason": "as asked"]),
    values: ["subject": [text(255), text(256), text(255, of: "é")], "reason": reasons]),
]

private func headers(_ count: Int) -> JSONValue {
  .array(Array(repeating: .object(["name": "a", "value": "b"]), count: count))
}

@Suite("What the document says of bodies")
struct BodySchemaTests {
  private let check = SchemaCheck(OpenAPIDocument.json, forbidsStrangers: false)

  @Test(arguments: cases)
  fileprivate func `a body is taken exactly if its schema says so`(row: Case) throws {
    let schema = try check.schema(row.schema)
    let members = try #require(row.right.members)
    #expect(check.faults(row.right, schema).isEmpty)
    var bodies = strangers + [row.right]
    bodies.append(.object(members + [JSONMember(name: "stranger", value: .integer(1))]))
    for (index, member) in members.enumerated() {
      var others = members
      others.remove(at: index)
      bodies.append(.object(others))
      // A moment is a form of its own, which the document names and does not spell out.
      guard member.name != "received_at" else { continue }
      for value in strangers + (row.values[member.name] ?? []) {
        bodies.append(.object(others + [JSONMember(name: member.name, value: value)]))
      }
    }
    for body in bodies {
      let faults = check.faults(body, schema)
      let isTaken = (try? row.parse(body)) != nil
      #expect(faults.isEmpty == isTaken, "\(faults) \(String(describing: body).prefix(300))")
    }
  }

  @Test func `a product that comes twice is all that the schema lets pass`() throws {
    let body = JSONValue.object([
      "provider": "tabby", "items": .array([item("a", .integer(1)), item("a", .integer(2))]),
    ])
    #expect(check.faults(body, try check.schema("CheckoutBody")).isEmpty)
    #expect(throws: BodyError.self) { try CheckoutBody(json: body) }
  }
}
