import HTTPExchange
import PaymentModels
import ProviderInterface
import TabbyProvider
import TestSupport
import Testing

/// A call whose failures are looked at.
enum Call: String, CaseIterable, CustomTestStringConvertible {
  case create, read, capture, refund, close

  var testDescription: String { rawValue }

  func error(_ transport: ClosureTransport) async throws -> ProviderError? {
    let tabby = try makeProvider(transport)
    let operation = ProviderOperation(
      providerPaymentID: paymentID, amount: try money("140.00"), reference: OperationID("op-1"))
    return switch self {
    case .create: await failure { try await tabby.create([0x7B, 0x7D], idempotencyKey: "k") }
    case .read: await failure { try await tabby.read(paymentID) }
    case .capture: await failure { try await tabby.capture(operation) }
    case .refund: await failure { try await tabby.refund(operation) }
    case .close: await failure { try await tabby.close(paymentID) }
    }
  }
}

@Suite("FB-25 The answer is not JSON; which transport errors mean “unknown”")
struct UnreadableAnswerTests {
  struct Answer: CustomTestStringConvertible {
    let testDescription: String
    var status = 200
    var type: String? = "application/json"
    var body: [UInt8]
    var shows = ""
  }

  private static let html = Array("<html><title>Bad Gateway</title></html>".utf8)
  private static let gzip: [UInt8] = [0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 3, 0xAB, 0xAE, 5, 0]

  private static let answers = [
    Answer(
      testDescription: "502 html", status: 502, type: "text/html", body: html,
      shows: "Bad Gateway"),
    Answer(testDescription: "200 html", type: "text/html", body: html, shows: "text/html"),
    Answer(
      testDescription: "200 plain words called JSON", body: Array("error code: 1042".utf8),
      shows: "error code: 1042"),
    Answer(testDescription: "200 empty", body: [], shows: "0 bytes"),
    Answer(testDescription: "204", status: 204, type: nil, body: [], shows: "no content type"),
    Answer(
      testDescription: "200 cut at 40 bytes", body: Array(paymentJSON().utf8.prefix(40)),
      shows: "40 bytes, not shown"),
    Answer(testDescription: "200 gzip that nobody unpacked", body: gzip),
    Answer(
      testDescription: "500 plain", status: 500, type: "text/plain",
      body: Array("Internal Server error".utf8), shows: "Internal Server error"),
    Answer(
      testDescription: "500 JSON", status: 500,
      body: Array(#"{"status":"error","errorType":"internal","error":"x"}"#.utf8)),
    Answer(
      testDescription: "302 to a login page", status: 302, type: "text/html",
      body: Array("<a href=/login>".utf8)),
    Answer(testDescription: "201 with a payment", status: 201, body: Array(paymentJSON().utf8)),
    Answer(
      testDescription: "400 html", status: 400, type: "text/html",
      body: Array("<h1>400 Bad Request</h1>".utf8), shows: "400 Bad Request"),
    Answer(
      testDescription: "400 JSON that is not Tabby's", status: 400,
      body: Array(#"{"message":"Bad Request"}"#.utf8)),
    Answer(testDescription: "400 empty", status: 400, body: []),
    Answer(
      testDescription: "409 with an odd error type", status: 409,
      body: Array(#"{"errorType":"<script>"}"#.utf8)),
    Answer(
      testDescription: "408 plain", status: 408, type: "text/plain", body: Array("timeout".utf8)),
  ]

  @Test(arguments: answers, Call.allCases)
  func `an answer that proves nothing is unknown`(answer: Answer, call: Call) async throws {
    let transport = ClosureTransport { _ in
      var headers: HTTPHeaders = [:]
      headers["Content-Type"] = answer.type
      headers["Location"] = answer.status == 302 ? "/login" : nil
      return HTTPResponse(status: answer.status, headers: headers, body: answer.body)
    }
    let error = try await call.error(transport)
    #expect(error?.kind == .unknown)
    #expect(error?.status == answer.status)
    #expect(error?.detail.contains("HTTP \(answer.status)") == true)
    #expect(error?.detail.contains(answer.shows) == true || answer.shows.isEmpty)
    #expect(transport.sent.count == 1)
  }

  @Test(
    arguments: [
      ("name not found", HTTPTransportError.Kind.notSent), ("TLS handshake failed", .notSent),
      ("connect refused", .notSent), ("connection reset", .unknown), ("deadline passed", .unknown),
      ("answer body over the limit", .unknown),
    ], Call.allCases)
  func `what the transport says is passed on`(
    exchange: (reason: String, kind: HTTPTransportError.Kind), call: Call
  ) async throws {
    let transport = ClosureTransport { _ throws(HTTPTransportError) in
      throw HTTPTransportError(exchange.kind, reason: exchange.reason)
    }
    let error = try await call.error(transport)
    #expect(error?.kind == (exchange.kind == .notSent ? .notSent : .unknown))
    #expect(error?.detail == exchange.reason)
    #expect(error?.status == nil)
  }
}

@Suite("Tabby's own errors say what the caller may do")
struct TabbyErrorTests {
  private static let rows: [(Int, String, ProviderError.Kind, String?)] = [
    (400, #"{"status":"error","errorType":"bad_data","error":"x"}"#, .refused, "bad_data"),
    (
      400,
      #"{"status":"error","errorType":"bad_data","errors":[{"field":"$.payment.currency","#
        + #""code":"invalid_value","message":""}]}"#, .refused, "bad_data"
    ),
    (400, #"{"errorType":"bad_data","error":"already closed"}"#, .refused, "bad_data"),
    (409, #"{"errorType":"conflict","error":"payment is disputed"}"#, .refused, "conflict"),
    (401, #"{"status":"error","errorType":"not_authorized"}"#, .unauthorized, "not_authorized"),
    (401, "", .unauthorized, nil),
    (403, #"{"status":"error","errorType":"no_permission"}"#, .unauthorized, "no_permission"),
    (403, "<html>Attention Required! | Cloudflare</html>", .unauthorized, nil),
    (404, #"{"errorType":"not_found","error":"no such payment"}"#, .notFound, "not_found"),
    (404, "404 page not found", .notFound, nil),
    (429, "", .throttled, nil), (429, "slow down", .throttled, nil),
  ]

  @Test(arguments: rows, Call.allCases)
  func `each has its kind and code`(
    row: (status: Int, body: String, kind: ProviderError.Kind, code: String?), call: Call
  ) async throws {
    let error = try await call.error(answering(row.body, status: row.status))
    #expect(error?.kind == row.kind)
    #expect(error?.status == row.status)
    #expect(error?.code == row.code)
    #expect(error?.retryAfter == nil)
  }

  @Test(arguments: [
    ("7", Duration.seconds(7)), ("0", .seconds(0)), ("99999", .seconds(99_999)),
    ("100000", nil), ("-1", nil), ("1.5", nil), ("", nil), ("Wed, 21 Oct 2026 07:28:00 GMT", nil),
  ])
  func `a wish to wait is honoured if it is a number of seconds`(
    text: String, wait: Duration?
  ) async throws {
    let transport = answering("", status: 429, headers: ["Retry-After": text])
    #expect(try await Call.read.error(transport)?.retryAfter == wait)
  }

  @Test func `Tabby's words are shown to the operator`() async throws {
    let body = #"{"errorType":"bad_data","error":"could not capture not authorized payments"}"#
    let error = try await Call.capture.error(answering(body, status: 400))
    #expect(error?.detail.contains("could not capture not authorized payments") == true)
  }
}
