import HTTPExchange
import Testing
import TestSupport

@Suite("What till shows")
struct OutputTests {
  @Test func `a payment is a table whose columns line up`() async {
    let ran = await Till().run("payment show \(someID)", status: 200, paymentJSON())
    #expect(
      ran.output == """
        payment   \(someID)
        state     captured
        order     \(someID)  paid
        provider  tabby  \(someID)
        amount    340.00 AED
        captured  0.00, refunded 0.00
        attempt   1

        """)
  }

  @Test func `what the provider did not confirm just now is marked`() async {
    let stale = paymentJSON().replacing("\"fresh\":true", with: "\"fresh\":false")
    let ran = await Till().run("payment show \(someID)", status: 200, stale)
    #expect(ran.output.contains("captured  (not fresh: the provider was not read)\n"))
  }

  @Test func `a payment that was read shows as it stands, and one that was not is no success`()
    async
  {
    let read = await Till().run("payment read \(someID)", status: 200, paymentJSON())
    #expect(read.code == 0)
    #expect(read.output.contains("state     captured\n"))
    #expect(read.output.contains("amount    340.00 AED\n"))
    let stale = paymentJSON().replacing("\"fresh\":true", with: "\"fresh\":false")
    let unread = await Till().run("payment read \(someID)", status: 200, stale)
    #expect(unread.code == 75)
    #expect(unread.errors.joined().contains("the provider could not be read"))
  }

  @Test func `a list lines up whatever the lengths, and says how it goes on`() async {
    let row = { (amount: String, order: String) in
      paymentJSON(order: order).replacing("340.00", with: amount)
    }
    let ran = await Till().run(
      "payment list", status: 200,
      "{\"payments\":[\(row("1.00", "paid")),\(row("12345.00", "needs_review"))],"
        + "\"next_before\":\"\(someID)\"}")
    #expect(
      ran.output == """
        PAYMENT                               PROVIDER  ATTEMPT  AMOUNT        ORDER         STATE
        \(someID)  tabby     1        1.00 AED      paid          captured
        \(someID)  tabby     1        12345.00 AED  needs_review  captured
        more: till payment list --before \(someID)

        """)
  }

  @Test func `a new checkout ends with commands that can be pasted`() async {
    let ran = await Till().run("checkout create --item tee", status: 201, paymentJSON())
    #expect(
      ran.output.hasSuffix(
        """

        open     http://pay.test/1
        watch    till payment watch \(someID)
        see      http://shop.test/dashboard/payments/\(someID)
        explain  till order explain \(someID)

        """))
  }

  @Test func `a checkout that was refused has no page, and ends with 1`() async {
    let ran = await Till().run(
      "checkout create --item tee", status: 201,
      paymentJSON(state: "rejected", order: "pending")
        .replacing("\"http://pay.test/1\"", with: "null")
        .replacing("\"rejection_reason\":null", with: "\"rejection_reason\":\"not_eligible\""))
    #expect(ran.code == 1)
    #expect(
      ran.output.hasSuffix(
        """
        reason    not_eligible

        see      http://shop.test/dashboard/payments/\(someID)
        explain  till order explain \(someID)

        """))
    #expect(ran.errors == ["error: tabby refused the payment, so there is no page: not_eligible"])
  }

  @Test(arguments: [
    ("pending", true, "pending  (a cancel was asked for)"), ("pending", false, "pending"),
    ("cancelled", true, "cancelled"),
  ])
  func `an order says that a cancel is under way`(
    state: String, isRequested: Bool, shown: String
  ) async {
    let ran = await Till().run(
      "order show \(someID)", status: 200,
      """
      {"order_id":"\(someID)","state":"\(state)","total":"340.00","currency":"AED",\
      "captured":"0.00","refunded":"0.00","cancel_requested":\(isRequested),"fulfilled":false}
      """)
    #expect(ran.output.contains("\nstate      \(shown)\n"))
  }

  @Test func `a journal tells who said what, how far it was trusted, and what it changed`() async {
    let ran = await Till().run(
      "order explain \(someID)", status: 200,
      """
      {"journal":[{"at":"2026-09-21T15:33:20Z","channel":"webhook","trust":"notification",
      "event":"webhook","change":null,"note":null},{"at":"2026-09-21T15:33:21Z",
      "channel":"read","trust":"proof","event":"read","change":"created → authorized",
      "note":"exact"}]}
      """)
    #expect(
      ran.output == """
        WHEN                  FROM     TRUST         WHAT     CHANGED
        2026-09-21T15:33:20Z  webhook  notification  webhook
        2026-09-21T15:33:21Z  read     proof         read     created → authorized · exact

        """)
  }

  @Test func `--json prints the server's document and nothing else`() async {
    let ran = await Till().run("payment show \(someID) --json", status: 200, paymentJSON())
    #expect(ran.output == paymentJSON() + "\n")
    #expect(ran.errors.isEmpty)
  }

  @Test(arguments: [false, true])
  func `colour stands only where it is wanted`(wanted: Bool) async {
    var till = Till()
    till.usesColor = wanted
    let ran = await till.run("payment show \(someID)", status: 200, paymentJSON())
    #expect(ran.output.contains("\u{1B}[32mcaptured\u{1B}[0m") == wanted)
    #expect(ran.output.contains("\u{1B}") == wanted)
  }

  @Test func `a stranger's text cannot steer the terminal`() async {
    let evil = "\\u001b[2J\\u202egnp\\r\\n"
    let escaped = "\\u{1b}[2J\\u{202e}gnp\\u{d}\\u{a}"
    let shown = await Till().run(
      "payment show \(someID)", status: 200,
      paymentJSON().replacing(
        "\"rejection_reason\":null", with: "\"rejection_reason\":\"\(evil)\""))
    #expect(shown.output.contains("reason    \(escaped)\n"))
    let failed = await Till().run(
      "payment show \(someID)", status: 409, problem("conflict", evil))
    #expect(failed.errors == ["error: \(escaped)"])
  }

  @Test(
    arguments: [
      "checkout create --item tee", "order show \(someID)", "order explain \(someID)",
      "payment show \(someID)", "payment list", "payment watch \(someID)",
      "review list", "review show 1", "review resolve 1 --decision keep --reason r",
      "payment capture \(someID) --reason r", "payment close \(someID) --reason r",
      "order cancel \(someID) --reason r",
    ])
  func `no token is ever shown`(line: String) async {
    for status in [200, 401, 403, 404, 409, 422, 500, 503] {
      for suffix in ["", " --json"] {
        let ran = await Till().run(line + suffix, status: status, paymentJSON())
        let all = ran.output + ran.errors.joined()
        #expect(!all.contains(operatorKey) && !all.contains(appToken))
        #expect(ran.sent.allSatisfy { !$0.url.contains("must-not-be-seen") })
      }
    }
  }
}

@Suite("Idempotency keys of till")
struct KeyTests {
  @Test(
    arguments: [
      "checkout create --item tee", "payment refund \(someID) --amount 5.00 --reason r",
      "payment capture \(someID) --reason r", "payment close \(someID) --reason r",
    ])
  func `after an unknown answer the key is told, and a repeat with it sends the same`(
    line: String
  ) async throws {
    let lost = ClosureTransport { _ throws(HTTPTransportError) in
      throw HTTPTransportError(.unknown, reason: "timed out")
    }
    let first = await Till().run(line, lost)
    #expect(first.code == 69)
    let key = try #require(first.sent.first?.headers["Idempotency-Key"])
    #expect(
      first.errors == [
        "error: no answer from http://shop.test (timed out); what became of the request is not "
          + "known; repeat it with --key \(key), so that it is done once at the most"
      ])
    let again = await Till().run("\(line) --key \(key)", status: 200, operationJSON("done"))
    #expect(again.code == 0)
    #expect(again.sent == first.sent)
  }

  @Test func `the key follows what the server said as one sentence`() async throws {
    let ran = await Till().run(
      "checkout create --item tee --key k-1", status: 503, problem("provider_paused", "Try later."))
    #expect(
      ran.errors == [
        "error: Try later; repeat it with --key k-1, so that it is done once at the most"
      ])
  }

  @Test func `every run makes a key of its own`() async {
    let clock = ManualClock()
    let first = await Till(clock: clock).run(
      "payment refund \(someID) --reason r", status: 200, operationJSON("done"))
    clock.advance(by: .seconds(1))
    let second = await Till(clock: clock).run(
      "payment refund \(someID) --reason r", status: 200, operationJSON("done"))
    let keys = (first.sent + second.sent).map { $0.headers["Idempotency-Key"] }
    #expect(Set(keys).count == 2)
  }

  @Test func `a refused request needs no key`() async {
    let ran = await Till().run(
      "payment refund \(someID) --reason r", status: 409, problem("conflict", "Not captured."))
    #expect(ran.errors == ["error: Not captured."])
  }
}
