import HTTPExchange
import Testing
import TestSupport

@Suite("Exit codes of till, each with one line on standard error")
struct ExitCodeTests {
  @Test(
    arguments: [
      (200, paymentJSON(), 0, nil),
      (409, problem("conflict", "Not now."), 1, "error: Not now."),
      (400, problem("malformed_request", "Bad."), 65, "error: Bad."),
      (
        422, problem("invalid_body", "Is unknown.", path: "amount"), 65,
        "error: amount: Is unknown."
      ),
      (
        404, problem("not_found", "There is no such payment."), 66,
        "error: There is no such payment."
      ),
      (429, problem("too_many_requests", "Slower."), 69, "error: Slower."),
      (503, problem("unavailable", "Full."), 69, "error: Full."),
      (
        401, problem("unauthenticated", "Token."), 77,
        "error: the server does not accept TILL_OPERATOR_KEY"
      ),
      (
        401, problem("token_expired", "The token has run out."), 77,
        "error: the token in TILL_OPERATOR_KEY has run out"
      ),
      (
        403, problem("forbidden", "This takes an operator key."), 77,
        "error: This takes an operator key."
      ),
      // Not from our server: a proxy, a wrong port.
      (502, "<html>Bad gateway</html>", 69, "error: the server answered with status 502"),
      (404, "<html>nginx</html>", 66, "error: the server answered with status 404"),
      (302, "", 69, "error: the server answered with status 302"),
      (418, "", 65, "error: the server answered with status 418"),
    ] as [(Int, String, Int32, String?)])
  func `an answer decides the code`(
    status: Int, body: String, code: Int32, line: String?
  ) async {
    let ran = await Till().run("payment show \(someID)", status: status, body)
    #expect(ran.code == code)
    #expect(ran.errors == [line].compactMap(\.self))
    #expect(ran.output.isEmpty == (code != 0))
  }

  @Test func `an answer that is not JSON is no answer`() async {
    let ran = await Till().run("payment show \(someID)", status: 200, "<html>")
    #expect(ran.code == 69)
    #expect(ran.errors.count == 1)
    #expect(ran.errors[0].hasPrefix("error: the server's answer cannot be read: "))
  }

  @Test func `a server that does not run is named`() async {
    let down = ClosureTransport { _ throws(HTTPTransportError) in
      throw HTTPTransportError(.notSent, reason: "connect refused")
    }
    let ran = await Till().run("payment list", down)
    #expect(ran.code == 69)
    #expect(
      ran.errors == [
        "error: no answer from http://shop.test (connect refused); is it running? Nothing was sent"
      ])
  }

  @Test(
    arguments: [
      (nil, "error: TILL_OPERATOR_KEY is not set; this command needs it"),
      (" ", "error: TILL_OPERATOR_KEY is not set; this command needs it"),
      (
        "op_1\n",
        "error: TILL_OPERATOR_KEY holds a space, a line end or a letter that no token has"
      ),
    ])
  func `without a usable key nothing is sent`(key: String?, line: String) async {
    var till = Till()
    till.operatorKey = key
    let ran = await till.run("payment list", status: 200, "{}")
    #expect(ran.code == 77)
    #expect(ran.errors == [line])
    #expect(ran.sent.isEmpty)
  }

  @Test func `a checkout takes the payer's token, everything else the operator's`() async {
    let create = await Till().run("checkout create --item tee", status: 201, paymentJSON())
    #expect(create.sent.map { $0.headers["Authorization"] } == ["Bearer \(appToken)"])
    let show = await Till().run("order show \(someID)", status: 200, "{}")
    #expect(show.sent.map { $0.headers["Authorization"] } == ["Bearer \(operatorKey)"])
  }

  @Test(
    arguments: [
      (
        "checkout create --item tee", 202, paymentJSON(state: "creating", order: "pending"),
        "error: the provider has not confirmed it yet; the server goes on, and its log says why: "
          + "watch the payment"
      ),
      (
        "payment capture \(someID) --reason r", 202, operationJSON("unknown"),
        "error: not done yet (unknown); the server goes on with it"
      ),
      (
        "payment close \(someID) --reason r", 202, operationJSON("intent"),
        "error: not done yet (intent); the server goes on with it"
      ),
      (
        "order cancel \(someID) --reason r", 202, "{\"state\":\"cancelling\"}",
        "error: not cancelled yet (cancelling); the server goes on with it"
      ),
    ])
  func `what has begun and not ended gives 75 after its output`(
    line: String, status: Int, body: String, error: String
  ) async {
    for suffix in ["", " --json"] {
      let ran = await Till().run(line + suffix, status: status, body)
      #expect(ran.code == 75)
      #expect(ran.errors == [error])
      #expect(!ran.output.isEmpty)
    }
  }

  @Test func `a refusal of the provider gives 1 and its words`() async {
    let ran = await Till().run(
      "payment refund \(someID) --reason r", status: 200,
      operationJSON("refused", detail: "\"the window is over\""))
    #expect(ran.code == 1)
    #expect(ran.errors == ["error: the window is over"])
  }
}

func operationJSON(_ state: String, detail: String = "null") -> String {
  "{\"operation_id\":\"o\",\"payment_id\":\"\(someID)\",\"kind\":\"refund\","
    + "\"amount\":\"10.00\",\"currency\":\"AED\",\"state\":\"\(state)\",\"detail\":\(detail)}"
}
