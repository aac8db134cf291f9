import HTTPExchange
import PaymentModels
import ProviderInterface
import SEBProvider
import TestSupport
import Testing

/// A call whose failures are looked at.
enum Call: String, CaseIterable, CustomTestStringConvertible {
  case create, read, capture, refund, close

  var testDescription: String { rawValue }

  func error(
    _ transport: ClosureTransport, _ change: (inout SEBSettings) -> Void = { _ in }
  ) async throws -> ProviderError? {
    let seb = try makeProvider(transport, change)
    let operation = ProviderOperation(
      providerPaymentID: paymentID, amount: try money("1"), reference: OperationID("op"))
    return switch self {
    case .create: await failure { try await seb.create([0x7B, 0x7D], idempotencyKey: "k") }
    case .read: await failure { try await seb.read(paymentID) }
    case .capture: await failure { try await seb.capture(operation) }
    case .refund: await failure { try await seb.refund(operation) }
    case .close: await failure { try await seb.close(paymentID) }
    }
  }
}

@Suite("FB-25 The answer is not JSON; which transport errors mean “unknown”, at SEB")
struct UnreadableAnswerTests {
  private static let answers: [(Int, String, String)] = [
    (502, "text/html", "<html><title>Bad Gateway</title></html>"),
    (200, "text/html", "<html><title>Bad Gateway</title></html>"),
    (200, "application/json", "error code: 1042"), (200, "application/json", ""),
    (204, "text/plain", ""), (202, "application/json", paymentJSON()),
    (200, "application/json", String(paymentJSON().prefix(40))),
    (200, "application/json", #"{"paymentId":"a","paymentId":"b"}"#),
    (503, "application/json", #"{"code":"unavailable"}"#),
    (302, "text/html", "<a href=/login>"), (400, "text/html", "<h1>400 Bad Request</h1>"),
    (400, "application/json", #"{"message":"Bad Request"}"#), (400, "application/json", ""),
    (409, "application/json", #"{"code":"<script>"}"#), (408, "text/plain", "timeout"),
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
    #expect(transport.calls.count == 1)
  }

  @Test(arguments: [HTTPTransportError.Kind.notSent, .unknown], Call.allCases)
  func `what the transport says is passed on`(
    kind: HTTPTransportError.Kind, call: Call
  ) async throws {
    let transport = ClosureTransport { request throws(HTTPTransportError) in
      if request.isTokenRequest { return response(tokenJSON()) }
      throw HTTPTransportError(kind, reason: "the wire")
    }
    let error = try await call.error(transport)
    #expect(error?.kind == (kind == .notSent ? .notSent : .unknown))
    #expect(error?.detail == "the wire")
  }
}

@Suite("SEB's own errors say what the caller may do")
struct SEBErrorTests {
  // EGW lists 400, 403, 404, 409 and 503; where the code stands is assumed.
  private static let rows: [(Int, String, ProviderError.Kind, String?)] = [
    (400, #"{"code":"invalid_request","message":"x"}"#, .refused, "invalid_request"),
    (400, #"{"code":"INVALID_REQUEST"}"#, .refused, "invalid_request"),
    (409, #"{"code":"conflict"}"#, .refused, "conflict"),
    (401, #"{"code":"unauthorized"}"#, .unauthorized, "unauthorized"),
    (403, "<html>Attention Required!</html>", .unauthorized, nil),
    (404, #"{"code":"not_found"}"#, .notFound, "not_found"),
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
    let answer = answering(#"{"error":{"code":"invalid_request"}}"#, status: 400)
    #expect(try await Call.read.error(answer)?.kind == .unknown)
    let error = try await Call.read.error(answer) { $0.errorCodePath = "error.code" }
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
