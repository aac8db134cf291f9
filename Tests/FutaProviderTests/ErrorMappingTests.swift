import HTTPExchange
import PaymentModels
import ProviderInterface
import FutaProvider
import TestSupport
import Testing

/// The calls that are sent.
private let calls: [ProviderCall] = [.create, .read]

extension ProviderCall {
  fileprivate func error(
    _ transport: ClosureTransport, _ change: (inout FutaSettings) -> Void = { _ in }
  ) async throws -> ProviderError? {
    await error(of: try makeProvider(transport, change), about: paymentID, try money("1"))
  }
}

@Suite("FB-25 The answer is not JSON; which transport errors mean “unknown”, at Futa")
struct UnreadableAnswerTests {
  private static let answers =
    UnreadableAnswer.all(whole: paymentJSON()) + [
      UnreadableAnswer("400 with a bare error", status: 400, body: Array(#"{"error":"bad"}"#.utf8)),
      UnreadableAnswer(
        "409 with an odd code", status: 409, body: Array(#"{"error":{"code":"<script>"}}"#.utf8)),
    ]

  @Test(arguments: answers, calls)
  func `an answer that proves nothing is unknown`(
    answer: UnreadableAnswer, call: ProviderCall
  ) async throws {
    let transport = answer.transport
    let error = try await call.error(transport)
    #expect(answer.violations(of: error, sent: transport.sent.count) == [])
  }

  @Test(arguments: LostExchange.all, calls)
  func `what the transport says is passed on`(
    exchange: LostExchange, call: ProviderCall
  ) async throws {
    #expect(exchange.violations(of: try await call.error(exchange.transport)) == [])
  }
}

@Suite("Futa's own errors say what the caller may do")
struct FutaErrorTests {
  private static let rows = [
    SpokenError(
      400, #"{"error":{"code":"invalid_request","message":"x"}}"#, .refused, "invalid_request"),
    SpokenError(
      409, #"{"error":{"code":"idempotency_conflict"}}"#, .refused, "idempotency_conflict"),
    SpokenError(422, #"{"error":{"code":"embedding_refused"}}"#, .refused, "embedding_refused"),
    SpokenError(401, #"{"error":{"code":"unauthorized"}}"#, .unauthorized, "unauthorized"),
    SpokenError(404, #"{"error":{"code":"not_found"}}"#, .notFound, "not_found"),
  ]

  @Test(arguments: rows + SpokenError.fromTheEdge, calls)
  func `each has its kind and code`(row: SpokenError, call: ProviderCall) async throws {
    #expect(row.violations(of: try await call.error(row.transport)) == [])
  }

  @Test func `where the code stands is a setting`() async throws {
    let answer = answering(#"{"code":"invalid_request"}"#, status: 400)
    #expect(try await ProviderCall.read.error(answer)?.kind == .unknown)
    let error = try await ProviderCall.read.error(answer) { $0.errorCodePath = "code" }
    #expect(error?.kind == .refused)
    #expect(error?.code == "invalid_request")
  }

  @Test(arguments: retryAfterRows)
  func `a wish to wait is honoured if it is a number of seconds`(
    row: (text: String, wait: Duration?)
  ) async throws {
    let transport = answering("", status: 429, headers: ["Retry-After": row.text])
    #expect(try await ProviderCall.read.error(transport)?.retryAfter == row.wait)
  }
}

@Suite("No error shows a secret or a buyer")
struct SecrecyTests {
  private static let webhookSecret = "hook~secret!0001"

  private func shown(_ body: String, status: Int = 400) async throws -> String {
    let futa = try provider(body, status: status, headers: ["Content-Type": "text/html"]) {
      $0.webhook = PaymentDeliverySettings.futa(secrets: [Secret(Self.webhookSecret)])
    }
    let error = try #require(await failure { try await futa.read(paymentID) })
    return "\(error)"
  }

  @Test(arguments: [
    "bad key \(secretKey)", secretKey.uppercased(), webhookSecret, "+243 81 000 0001",
    "buyer@shop.example", String(repeating: "x", count: 190) + " " + secretKey,
  ])
  func `keys, webhook secrets, phones and addresses are starred out`(body: String) async throws {
    let text = try await shown(body).lowercased()
    for part in ["5d0c1f9a", "hook~secret", "81 000", "buyer@"] {
      #expect(!text.contains(part))
    }
    #expect(text.contains("*"))
  }

  @Test func `provider and configuration print no secret`() throws {
    let futa = try provider("") {
      $0.webhook = PaymentDeliverySettings.futa(secrets: [Secret(Self.webhookSecret)])
    }
    var text = "\(futa) \(futa.configuration) "
    dump(futa.configuration, to: &text)
    #expect(!text.contains("5d0c1f9a"))
    #expect(!text.contains("hook~secret"))
  }
}
