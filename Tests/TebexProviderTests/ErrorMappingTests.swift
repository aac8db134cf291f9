import HTTPExchange
import PaymentModels
import ProviderInterface
import TebexProvider
import TestSupport
import Testing

/// A call whose failures are looked at.
enum Call: String, CaseIterable, CustomTestStringConvertible {
  case create, read, transaction

  var testDescription: String { rawValue }

  func error(_ transport: ClosureTransport) async throws -> ProviderError? {
    let tebex = try makeProvider(transport)
    return switch self {
    case .create:
      await failure {
        try await tebex.create(tebex.prepareCreate(makeTerms()), idempotencyKey: "k")
      }
    case .read: await failure { try await tebex.read(ident) }
    case .transaction: await failure { try await tebex.readTransaction(transactionID, of: ident) }
    }
  }
}

@Suite("FB-25 The answer is not JSON; which transport errors mean “unknown”, at Tebex")
struct UnreadableAnswerTests {
  private static let answers: [(Int, String, String)] = [
    (502, "text/html", "<html><title>Bad Gateway</title></html>"),
    (200, "text/html", "<html><title>Bad Gateway</title></html>"),
    (200, "application/json", "error code: 1042"), (200, "application/json", ""),
    (204, "text/plain", ""), (202, "application/json", basketJSON()),
    (200, "application/json", String(basketJSON().prefix(40))),
    (200, "application/json", #"{"ident":"a","ident":"b"}"#), (200, "application/json", "[]"),
    (200, "application/json", #"{"data":{}}"#),
    (500, "application/json", #"{"title":"x","status":500,"detail":"y"}"#),
    (302, "text/html", "<a href=/login>"), (400, "text/html", "<h1>400 Bad Request</h1>"),
    (400, "application/json", #"{"message":"Bad Request"}"#), (400, "application/json", ""),
    (422, "application/json", #"{"detail":"x"}"#), (408, "text/plain", "timeout"),
  ]

  @Test(arguments: answers, Call.allCases)
  func `an answer that proves nothing is unknown`(
    answer: (status: Int, type: String, body: String), call: Call
  ) async throws {
    let transport = answering(
      answer.body, status: answer.status, headers: ["Content-Type": answer.type])
    let error = try await call.error(transport)
    #expect(error?.kind == .unknown)
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

@Suite("Tebex' own errors say what the caller may do")
struct TebexErrorTests {
  private static let rows: [(Int, String, ProviderError.Kind)] = [
    (400, #"{"type":"about:blank","title":"Bad Request","status":400,"detail":"x"}"#, .refused),
    (422, #"{"title":"Unprocessable Entity","status":422,"detail":"bad token"}"#, .refused),
    (422, #"{"status":422,"detail":"Basic credentials are required"}"#, .refused),
    (401, #"{"status":401,"title":"Unauthorized"}"#, .unauthorized), (403, "<html>", .unauthorized),
    (404, #"{"status":404,"title":"Not Found","detail":"Basket not found"}"#, .notFound),
    (404, "404 page not found", .notFound), (429, "slow down", .throttled),
  ]

  @Test(arguments: rows, Call.allCases)
  func `each has its kind`(
    row: (status: Int, body: String, kind: ProviderError.Kind), call: Call
  ) async throws {
    let error = try await call.error(answering(row.body, status: row.status))
    #expect(error?.kind == row.kind)
    #expect(error?.status == row.status)
  }

  @Test func `a wish to wait is honoured`() async throws {
    let answer = answering("", status: 429, headers: ["Retry-After": "7"])
    #expect(try await Call.read.error(answer)?.retryAfter == .seconds(7))
  }
}

@Suite("No error shows a secret or a buyer")
struct SecrecyTests {
  @Test(arguments: [
    "bad key \(privateKey)", privateKey.uppercased(), webhookSecret, "project-5d0c1f9a",
    "pass~5d0c1f9a", "+1 555 000 0001", "buyer@shop.example",
    String(repeating: "x", count: 190) + " " + privateKey,
  ])
  func `keys, webhook secrets, phones and addresses are starred out`(body: String) async throws {
    let tebex = try provider(body, status: 400, headers: ["Content-Type": "text/html"])
    let text = "\(try #require(await failure { try await tebex.read(ident) }))".lowercased()
    for part in ["5d0c1f9a", "webhook_secret", "555 000", "buyer@"] {
      #expect(!text.contains(part))
    }
    #expect(text.contains("*"))
  }

  @Test func `a basket that cannot be read is not shown`() async throws {
    let tebex = try provider(String(basketJSON().prefix(200)))
    let error = try #require(await failure { try await tebex.read(ident) })
    #expect(!"\(error)".contains("support"))
  }

  @Test func `provider and configuration print no secret`() throws {
    let tebex = try makeProvider()
    var text = "\(tebex) \(tebex.configuration) "
    dump(tebex.configuration, to: &text)
    #expect(!text.contains("5d0c1f9a"))
    #expect(!text.contains("webhook_secret"))
  }
}
