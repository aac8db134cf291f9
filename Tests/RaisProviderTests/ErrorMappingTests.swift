import RaisProvider
import HTTPExchange
import PaymentModels
import ProviderInterface
import TestSupport
import Testing

/// A call whose failures are looked at.
enum Call: String, CaseIterable, CustomTestStringConvertible {
  case create, read

  var testDescription: String { rawValue }

  func error(
    _ transport: ClosureTransport, _ change: (inout RaisSettings) -> Void = { _ in }
  ) async throws -> ProviderError? {
    let rais = try makeProvider(transport, change)
    return switch self {
    case .create: await failure { try await rais.create([0x7B, 0x7D], idempotencyKey: "k") }
    case .read: await failure { try await rais.read(paymentID) }
    }
  }
}

@Suite("FB-25 The answer is not JSON; which transport errors mean “unknown”")
struct UnreadableAnswerTests {
  private static let answers: [(Int, String, String)] = [
    (502, "text/html", "<html><title>Bad Gateway</title></html>"),
    (200, "text/html", "<html><title>Bad Gateway</title></html>"),
    (200, "application/json", "error code: 1042"), (200, "application/json", ""),
    (204, "text/plain", ""), (202, "application/json", paymentJSON()),
    (200, "application/json", String(paymentJSON().prefix(40))),
    (200, "application/json", #"{"id":"a","id":"b"}"#),
    (500, "application/json", #"{"error":{"code":"internal","message":"x"}}"#),
    (302, "text/html", "<a href=/login>"), (400, "text/html", "<h1>400 Bad Request</h1>"),
    (400, "application/json", #"{"message":"Bad Request"}"#), (400, "application/json", ""),
    (400, "application/json", #"{"error":"bad"}"#),
    (409, "application/json", #"{"error":{"code":"<script>"}}"#), (408, "text/plain", "timeout"),
  ]

  @Test(arguments: answers, Call.allCases)
  func `an answer that proves nothing is unknown`(
    answer: (status: Int, type: String, body: String), call: Call
  ) async throws {
    let transport = answering(
      answer.body, status: answer.status, headers: ["Content-Type": answer.type])
    let error = try await call.error(transport)
    #expect(error?.kind == .unknown)
    #expect(error?.status == answer.status)
    #expect(transport.sent.count == 1)
  }

  @Test(arguments: [HTTPTransportError.Kind.notSent, .unknown], Call.allCases)
  func `what the transport says is passed on`(
    kind: HTTPTransportError.Kind, call: Call
  ) async throws {
    let transport = ClosureTransport { _ throws(HTTPTransportError) in
      throw HTTPTransportError(kind, reason: "the wire")
    }
    let error = try await call.error(transport)
    #expect(error?.kind == (kind == .notSent ? .notSent : .unknown))
    #expect(error?.detail == "the wire")
  }
}

@Suite("Raïs' own errors say what the caller may do")
struct RaisErrorTests {
  private static let rows: [(Int, String, ProviderError.Kind, String?)] = [
    (400, #"{"error":{"code":"invalid_request","message":"x"}}"#, .refused, "invalid_request"),
    (
      409, #"{"error":{"code":"idempotency_conflict","message":"x"}}"#, .refused,
      "idempotency_conflict"
    ),
    (422, #"{"error":{"code":"invalid_amount"}}"#, .refused, "invalid_amount"),
    (401, #"{"error":{"code":"unauthorized"}}"#, .unauthorized, "unauthorized"),
    (403, "<html>Attention Required!</html>", .unauthorized, nil),
    (404, #"{"error":{"code":"not_found"}}"#, .notFound, "not_found"),
    (404, "404 page not found", .notFound, nil), (429, "slow down", .throttled, nil),
  ]

  @Test(arguments: rows, Call.allCases)
  func `each has its kind and code`(
    row: (status: Int, body: String, kind: ProviderError.Kind, code: String?), call: Call
  ) async throws {
    let error = try await call.error(answering(row.body, status: row.status))
    #expect(error?.kind == row.kind)
    #expect(error?.status == row.status)
    #expect(error?.code == row.code)
  }

  @Test func `where the code stands is a setting`() async throws {
    let answer = answering(#"{"code":"invalid_request"}"#, status: 400)
    #expect(try await Call.read.error(answer)?.kind == .unknown)
    let error = try await Call.read.error(answer) { $0.errorCodePath = "code" }
    #expect(error?.kind == .refused)
    #expect(error?.code == "invalid_request")
  }

  @Test func `a wish to wait is honoured`() async throws {
    let answer = answering("", status: 429, headers: ["Retry-After": "7"])
    #expect(try await Call.read.error(answer)?.retryAfter == .seconds(7))
  }
}

@Suite("No error shows a secret or a buyer")
struct SecrecyTests {

  private func shown(_ body: String, status: Int = 400) async throws -> String {
    let rais = try provider(body, status: status, headers: ["Content-Type": "text/html"]) {
      $0.webhook = RaisWebhookSettings(secrets: [Secret(webhookSecret)])
    }
    let error = try #require(await failure { try await rais.read(paymentID) })
    return "\(error)"
  }

  @Test(arguments: [
    "bad key \(testKey)", testKey.uppercased(), webhookSecret, "+224 62 000 0001",
    "buyer@shop.example", String(repeating: "x", count: 190) + " " + testKey,
  ])
  func `keys, webhook secrets, phones and addresses are starred out`(body: String) async throws {
    let text = try await shown(body).lowercased()
    for part in ["5d0c1f9a", "hook~secret", "62 000", "buyer@"] {
      #expect(!text.contains(part))
    }
    #expect(text.contains("*"))
  }

  @Test func `provider and configuration print no secret`() throws {
    let rais = try provider("") {
      $0.webhook = RaisWebhookSettings(secrets: [Secret(webhookSecret)])
    }
    var text = "\(rais) \(rais.configuration) "
    dump(rais.configuration, to: &text)
    #expect(!text.contains("5d0c1f9a"))
    #expect(!text.contains("hook~secret"))
  }
}
