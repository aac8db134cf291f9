import HTTPExchange
import MerchantAPI
import MerchantServer
import PaymentModels
import PaymentStore
import StrictJSON
import TestSupport
import Testing

@Suite("Requests that the server refuses, and writes nothing for")
struct BadRequestTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let status: Int
    var method = "POST"
    var target = "/v1/checkouts"
    var headers: [(String, String)] = [
      ("Authorization", "Bearer \(ServerWorld.user)"), ("Idempotency-Key", "k1"),
      ("Content-Type", "application/json"),
    ]
    var body: [UInt8] = []

    init(_ name: String, _ status: Int, body: String) {
      testDescription = name
      self.status = status
      self.body = Array(body.utf8)
    }

    init(_ name: String, _ status: Int, bytes: [UInt8]) {
      testDescription = name
      self.status = status
      body = bytes
    }

    init(
      _ name: String, _ status: Int, _ method: String, _ target: String,
      headers: [(String, String)], body: String = ""
    ) {
      testDescription = name
      self.status = status
      self.method = method
      self.target = target
      self.headers = headers
      self.body = Array(body.utf8)
    }
  }

  private static func lamp(_ quantity: String) -> String {
    #"{"provider":"tabby","items":[{"product_id":"lamp","quantity":\#(quantity)}]}"#
  }

  private static let bodies: [Row] = [
    Row("no body", 400, body: ""),
    Row("cut short", 400, body: String(lamp("1").dropLast())),
    Row("two values", 400, body: lamp("1") + lamp("1")),
    Row("trailing comma", 400, body: #"{"provider":"tabby",}"#),
    Row("not UTF-8", 400, bytes: Array(#"{"provider":""#.utf8) + [0xC3, 0x28] + Array("\"}".utf8)),
    Row("byte order mark", 400, bytes: [0xEF, 0xBB, 0xBF] + Array(lamp("1").utf8)),
    Row("a member twice", 400, body: #"{"provider":"tabby","provider":"tabby"}"#),
    Row("nine levels deep", 400, body: String(repeating: "[", count: 9) + "1"),
    Row("one byte over the limit", 413, bytes: Array(repeating: 0x20, count: 65_537)),
    Row("at the limit and empty", 400, bytes: Array(repeating: 0x20, count: 65_536)),
    Row("an array", 422, body: "[1]"),
    Row("no provider", 422, body: #"{"items":[{"product_id":"lamp","quantity":1}]}"#),
    Row("provider is a number", 422, body: #"{"provider":7,"items":[]}"#),
    Row(
      "provider unknown", 422,
      body: #"{"provider":"nobody","items":[{"product_id":"lamp","quantity":1}]}"#),
    Row("no items", 422, body: #"{"provider":"tabby","items":[]}"#),
    Row(
      "unknown product", 422,
      body: #"{"provider":"tabby","items":[{"product_id":"yacht","quantity":1}]}"#),
    Row("quantity 0", 422, body: lamp("0")),
    Row("quantity -1", 422, body: lamp("-1")),
    Row("quantity 10^9", 422, body: lamp("1000000000")),
    Row("quantity 1001", 422, body: lamp("1001")),
    Row("quantity 10^30", 422, body: lamp("1" + String(repeating: "0", count: 30))),
    Row("quantity 1.5", 422, body: lamp("1.5")),
    Row("quantity as text", 422, body: lamp("\"1\"")),
    Row("a price of one's own", 422, body: #"{"provider":"tabby","items":[],"total":"0.01"}"#),
    Row(
      "order and items", 422,
      body: #"{"provider":"tabby","order_id":"\#(Sample.orderID(1))","items":[]}"#),
    Row("order id is no UUID", 422, body: #"{"provider":"tabby","order_id":"../../x"}"#),
    Row(
      "order unknown", 404, body: #"{"provider":"tabby","order_id":"\#(Sample.orderID(9))"}"#),
  ]

  private static let user = ("Authorization", "Bearer \(ServerWorld.user)")
  private static let boss = ("Authorization", "Bearer \(ServerWorld.operatorKey)")
  private static let key = ("Idempotency-Key", "k1")
  private static let type = ("Content-Type", "application/json")
  private static let checkouts = "/v1/checkouts"
  private static let payment = "/v1/payments/\(Sample.paymentID(1))"
  private static let order = "/v1/orders/\(Sample.orderID(1))"

  private static let callers: [Row] = [
    Row("no token", 401, "POST", checkouts, headers: [key, type], body: lamp("1")),
    Row(
      "wrong token", 401, "POST", checkouts,
      headers: [("Authorization", "Bearer nobody"), key, type], body: lamp("1")),
    Row(
      "another scheme", 401, "POST", checkouts,
      headers: [("Authorization", "Basic \(ServerWorld.user)"), key, type], body: lamp("1")),
    Row(
      "two tokens", 401, "POST", checkouts, headers: [user, user, key, type], body: lamp("1")),
    Row("operator buys", 403, "POST", checkouts, headers: [boss, key, type], body: lamp("1")),
    Row("user captures", 403, "POST", payment + "/captures", headers: [user, key]),
    Row("user refunds", 403, "POST", payment + "/refunds", headers: [user, key]),
    Row("user closes", 403, "POST", payment + "/close", headers: [user, key]),
    Row("user cancels", 403, "POST", order + "/cancel", headers: [user]),
    Row("user reads the journal", 403, "GET", order + "/journal", headers: [user]),
    Row("user lists payments", 403, "GET", "/v1/payments", headers: [user]),
    Row("user lists webhooks", 403, "GET", "/v1/webhooks", headers: [user]),
    Row("nobody lists payments", 401, "GET", "/v1/payments", headers: []),
    Row("no key", 400, "POST", checkouts, headers: [user, type], body: lamp("1")),
    Row("two keys", 400, "POST", checkouts, headers: [user, key, key, type], body: lamp("1")),
    Row("operation without key", 400, "POST", payment + "/captures", headers: [boss]),
    Row("no content type", 415, "POST", checkouts, headers: [user, key], body: lamp("1")),
    Row(
      "form", 415, "POST", checkouts,
      headers: [user, key, ("Content-Type", "application/x-www-form-urlencoded")],
      body: lamp("1")),
    Row(
      "close with an amount", 422, "POST", payment + "/close", headers: [boss, key, type],
      body: #"{"amount":"1.00","reason":"r"}"#),
    Row(
      "capture of nothing known", 404, "POST", payment + "/captures", headers: [boss, key, type],
      body: #"{"reason":"r"}"#),
    Row("capture without a reason", 422, "POST", payment + "/captures", headers: [boss, key]),
    Row("refund without a reason", 422, "POST", payment + "/refunds", headers: [boss, key]),
    Row("close without a reason", 422, "POST", payment + "/close", headers: [boss, key]),
    Row("cancel without a reason", 422, "POST", order + "/cancel", headers: [boss]),
  ]

  private static let paths: [Row] = [
    Row("no such path", 404, "GET", "/v2/payments", headers: [boss]),
    Row("no UUID", 404, "GET", "/v1/payments/1", headers: [boss]),
    Row("upper case", 404, "GET", payment.uppercased(), headers: [boss]),
    Row(
      "upper-case id", 404, "GET", "/v1/payments/\(Sample.uuid(2, 1).uppercased())A",
      headers: [boss]),
    Row("dots", 404, "GET", "/v1/payments/../orders/x", headers: [boss]),
    Row("escaped dots", 404, "GET", "/v1/payments/%2e%2e", headers: [boss]),
    Row("escaped slash", 404, "GET", "/v1/payments/%2Fetc", headers: [boss]),
    Row(
      "long id", 404, "GET", "/v1/payments/" + String(repeating: "a", count: 8_000),
      headers: [boss]),
    Row("DELETE", 405, "DELETE", payment, headers: [boss]),
    Row("GET a checkout", 405, "GET", checkouts, headers: [user]),
    Row("POST an order", 405, "POST", order, headers: [boss]),
    Row("wait is no number", 404, "GET", payment + "?wait=x", headers: [boss]),
    Row("limit is no number", 400, "GET", "/v1/payments?limit=x", headers: [boss]),
    Row("before is no id", 400, "GET", "/v1/payments?before=x", headers: [boss]),
    Row("outcome unknown", 404, "GET", "/return/other", headers: []),
    Row("provider unknown", 404, "POST", "/webhooks/nobody", headers: []),
  ]

  @Test(arguments: bodies + callers + paths)
  func `each is answered with its status and leaves no row`(row: Row) async throws {
    try await ServerWorld.run { world in
      var headers: HTTPHeaders = [:]
      for (name, value) in row.headers { headers.add(name, value) }
      let request = HTTPRequest(
        method: row.method, target: row.target, headers: headers, body: row.body)
      let response = try await world.moving { await world.server.respond(to: request) }
      #expect(response.status == row.status, "\(String(decoding: response.body, as: UTF8.self))")
      #expect(response.headers["Content-Type"] == "application/problem+json")
      #expect(Problem(response: response)?.detail.isEmpty == false)
      #expect((response.headers["Allow"] != nil) == (row.status == 405))
      #expect((response.headers["WWW-Authenticate"] != nil) == (row.status == 401))
      #expect(try await world.paymentCount() == 0)
      #expect(world.provider.payments.isEmpty)
      // What was refused leaves its key free.
      #expect(try await world.checkout(key: "k1").status == 201)
    }
  }

  @Test(arguments: ["application/json", "Application/JSON; charset=utf-8", "application/json ;x=y"])
  func `a JSON content type may have parameters`(type: String) async throws {
    try await ServerWorld.run { world in
      let answer = try await world.send(
        "POST", "/v1/checkouts", token: ServerWorld.user, key: "k1",
        body: Array(Self.lamp("1").utf8), type: type)
      #expect(answer.status == 201)
    }
  }
}
