import HTTPExchange
import PaymentModels
import ProviderInterface
import TabbyProvider
import TestSupport
import Testing

extension ProviderCall {
  fileprivate func error(_ transport: ClosureTransport) async throws -> ProviderError? {
    await error(of: try makeProvider(transport), about: paymentID, try money("140.00"))
  }
}

@Suite("FB-25 The answer is not JSON; which transport errors mean “unknown”, at Tabby")
struct UnreadableAnswerTests {
  private static let answers =
    UnreadableAnswer.all(whole: paymentJSON()) + [
      UnreadableAnswer("201 with a payment", status: 201, body: Array(paymentJSON().utf8)),
      UnreadableAnswer(
        "409 with an odd error type", status: 409, body: Array(#"{"errorType":"<script>"}"#.utf8)),
    ]

  @Test(arguments: answers, ProviderCall.allCases)
  func `an answer that proves nothing is unknown`(
    answer: UnreadableAnswer, call: ProviderCall
  ) async throws {
    let transport = answer.transport
    let error = try await call.error(transport)
    #expect(answer.violations(of: error, sent: transport.sent.count) == [])
  }

  @Test(arguments: LostExchange.all, ProviderCall.allCases)
  func `what the transport says is passed on`(
    exchange: LostExchange, call: ProviderCall
  ) async throws {
    #expect(exchange.violations(of: try await call.error(exchange.transport)) == [])
  }
}

@Suite("Tabby's own errors say what the caller may do")
struct TabbyErrorTests {
  private static let rows = [
    SpokenError(
      400, #"{"status":"error","errorType":"bad_data","error":"x"}"#, .refused, "bad_data"),
    SpokenError(
      400,
      #"{"status":"error","errorType":"bad_data","errors":[{"field":"$.payment.currency","#
        + #""code":"invalid_value","message":""}]}"#, .refused, "bad_data"),
    SpokenError(400, #"{"errorType":"bad_data","error":"already closed"}"#, .refused, "bad_data"),
    SpokenError(
      409, #"{"errorType":"conflict","error":"payment is disputed"}"#, .refused, "conflict"),
    SpokenError(
      401, #"{"status":"error","errorType":"not_authorized"}"#, .unauthorized, "not_authorized"),
    SpokenError(
      403, #"{"status":"error","errorType":"no_permission"}"#, .unauthorized, "no_permission"),
    SpokenError(
      404, #"{"errorType":"not_found","error":"no such payment"}"#, .notFound, "not_found"),
  ]

  @Test(arguments: rows + SpokenError.fromTheEdge, ProviderCall.allCases)
  func `each has its kind and code`(row: SpokenError, call: ProviderCall) async throws {
    #expect(row.violations(of: try await call.error(row.transport)) == [])
  }

  @Test(arguments: retryAfterRows)
  func `a wish to wait is honoured if it is a number of seconds`(
    row: (text: String, wait: Duration?)
  ) async throws {
    let transport = answering("", status: 429, headers: ["Retry-After": row.text])
    #expect(try await ProviderCall.read.error(transport)?.retryAfter == row.wait)
  }

  @Test func `Tabby's words are shown to the operator`() async throws {
    let body = #"{"errorType":"bad_data","error":"could not capture not authorized payments"}"#
    let error = try await ProviderCall.capture.error(answering(body, status: 400))
    #expect(error?.detail.contains("could not capture not authorized payments") == true)
  }
}
