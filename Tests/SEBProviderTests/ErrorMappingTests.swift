import HTTPExchange
import PaymentModels
import ProviderInterface
import SEBProvider
import TestSupport
import Testing

extension ProviderCall {
  fileprivate func error(
    _ transport: ClosureTransport, _ change: (inout SEBSettings) -> Void = { _ in }
  ) async throws -> ProviderError? {
    await error(of: try makeProvider(transport, change), about: paymentID, try money("1"))
  }
}

/// The same transport behind one that gives out tokens.
private func withToken(_ transport: ClosureTransport) -> ClosureTransport {
  ClosureTransport { request throws(HTTPTransportError) in
    request.isTokenRequest ? response(tokenJSON()) : try await transport.send(request)
  }
}

@Suite("FB-25 The answer is not JSON; which transport errors mean “unknown”, at SEB")
struct UnreadableAnswerTests {
  private static let answers =
    UnreadableAnswer.all(whole: paymentJSON()) + [
      UnreadableAnswer(
        "409 with an odd code", status: 409, body: Array(#"{"code":"<script>"}"#.utf8))
    ]

  @Test(arguments: answers, ProviderCall.allCases)
  func `an answer that proves nothing is unknown`(
    answer: UnreadableAnswer, call: ProviderCall
  ) async throws {
    let transport = answer.transport
    let error = try await call.error(withToken(transport))
    #expect(answer.violations(of: error, sent: transport.sent.count) == [])
  }

  @Test(arguments: LostExchange.all, ProviderCall.allCases)
  func `what the transport says is passed on`(
    exchange: LostExchange, call: ProviderCall
  ) async throws {
    #expect(exchange.violations(of: try await call.error(withToken(exchange.transport))) == [])
  }
}

@Suite("SEB's own errors say what the caller may do")
struct SEBErrorTests {
  // EGW lists 400, 403, 404, 409 and 503; where the code stands is assumed.
  private static let rows = [
    SpokenError(400, #"{"code":"invalid_request","message":"x"}"#, .refused, "invalid_request"),
    SpokenError(400, #"{"code":"INVALID_REQUEST"}"#, .refused, "invalid_request"),
    SpokenError(409, #"{"code":"CONFLICT"}"#, .refused, "conflict"),
    SpokenError(401, #"{"code":"unauthorized"}"#, .unauthorized, "unauthorized"),
    SpokenError(404, #"{"code":"not_found"}"#, .notFound, "not_found"),
    SpokenError(503, #"{"code":"unavailable"}"#, .unknown, "unavailable"),
  ]

  @Test(arguments: rows + SpokenError.fromTheEdge, ProviderCall.allCases)
  func `each has its kind and code`(row: SpokenError, call: ProviderCall) async throws {
    #expect(row.violations(of: try await call.error(withToken(row.transport))) == [])
  }

  @Test func `where the code stands is a setting`() async throws {
    let answer = answering(#"{"error":{"code":"invalid_request"}}"#, status: 400)
    #expect(try await ProviderCall.read.error(answer)?.kind == .unknown)
    let error = try await ProviderCall.read.error(answer) { $0.errorCodePath = "error.code" }
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
  private func shown(_ body: String, status: Int) async throws -> String {
    let seb = try provider(body, status: status, headers: ["Content-Type": "text/html"])
    return "\(try #require(await failure { try await seb.read(paymentID) }))"
  }

  @Test(arguments: [
    "bad client \(clientSecret)", clientSecret.uppercased(), "Bearer \(accessToken)",
    "+372 5550 0001", "buyer@shop.example", String(repeating: "x", count: 190) + " " + accessToken,
  ])
  func `secret, token, phone and address are starred out`(body: String) async throws {
    let text = try await shown(body, status: 400).lowercased()
    for part in ["5d0c1f9a", "a7c3", "5550 0001", "buyer@"] { #expect(!text.contains(part)) }
    #expect(text.contains("*"))
  }

  @Test func `a payment that cannot be read is not shown, with its key`() async throws {
    let cut = String(paymentJSON().dropLast(2))
    let seb = try provider(cut)
    let errors = [
      await failure { try await seb.create([], idempotencyKey: "k") },
      await failure {
        try await provider(paymentJSON(redirect: nil)).create([], idempotencyKey: "k")
      },
    ]
    #expect(errors.allSatisfy { $0.map { !"\($0)".contains("9b2e71c4") } == true })
  }

  @Test func `a token server's answer is not shown`() async throws {
    for status in [200, 401, 500] {
      let transport = ClosureTransport { _ in
        response(#"{"refresh_token":"\#(accessToken)"}"#, status: status)
      }
      let seb = try makeProvider(transport)
      let error = try #require(await failure { try await seb.read(paymentID) })
      #expect(!"\(error)".contains("a7c3"))
    }
  }

  @Test func `provider, configuration and created payment print no secret`() async throws {
    let seb = try provider(paymentJSON())
    let created = try await seb.create([], idempotencyKey: "k")
    var text = "\(seb) \(seb.configuration) \(created) "
    dump(seb.configuration, to: &text)
    dump(created, to: &text)
    for part in ["5d0c1f9a", "a7c3", "9b2e71c4"] { #expect(!text.contains(part)) }
  }
}
