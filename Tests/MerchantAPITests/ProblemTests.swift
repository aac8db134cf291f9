import HTTPExchange
import MerchantAPI
import StrictJSON
import Testing

@Suite("Problem documents")
struct ProblemTests {
  @Test(arguments: Problem.Code.allCases)
  func `what is written is read back`(code: Problem.Code) throws {
    for path in [nil, "items[0].quantity"] {
      let problem = Problem(code, "Use \"1\" to 1000.\nTry again.", path: path)
      let response = problem.response
      #expect(response.status == code.status)
      #expect(response.headers["content-type"] == "application/problem+json")
      #expect(Problem(response: response) == problem)
      let json = try JSONValue(parsing: response.body)
      #expect(json["status"]?.int64 == Int64(code.status))
      #expect(json["title"]?.text?.contains("_") == false)
    }
  }

  @Test func `the statuses and words are frozen`() {
    let table = Problem.Code.allCases.map { "\($0.status) \($0.rawValue)" }
    #expect(
      table == [
        "400 malformed_request", "401 unauthenticated", "401 token_expired", "403 forbidden",
        "404 not_found",
        "405 method_not_allowed", "409 idempotency_mismatch", "409 being_paid", "409 conflict",
        "413 too_large",
        "415 unsupported_media_type", "422 invalid_body", "429 too_many_requests",
        "422 provider_refused", "422 operation_not_offered", "503 provider_paused",
        "503 unavailable",
      ])
  }

  @Test func `an answer says what the standard wants beside the document`() {
    #expect(Problem(.unauthenticated, "").response.headers["WWW-Authenticate"] == "Bearer")
    #expect(
      Problem(.tokenExpired, "").response.headers["WWW-Authenticate"]
        == #"Bearer error="invalid_token""#)
    #expect(Problem(.unavailable, "").response.headers["Retry-After"] == "1")
    #expect(Problem(.conflict, "").response.headers.fields.count == 1)
  }

  @Test(
    arguments: [
      "", "<html>502</html>", "[]", "{}", #"{"type":7}"#, #"{"type":""}"#,
      #"{"type":"about:blank"}"#,
      #"{"type":"/problems/"}"#, #"{"type":"/problems/new_code"}"#,
      #"{"type":"/problems/conflict""#,
    ])
  func `an answer that is none is nil`(body: String) {
    #expect(Problem(response: HTTPResponse(status: 502, body: Array(body.utf8))) == nil)
  }

  @Test func `detail and path may be missing or of another kind`() {
    let body = #"{"type":"https://shop.example/problems/conflict","detail":7,"path":[]}"#
    let problem = Problem(response: HTTPResponse(status: 409, body: Array(body.utf8)))
    #expect(problem == Problem(.conflict, ""))
  }
}
