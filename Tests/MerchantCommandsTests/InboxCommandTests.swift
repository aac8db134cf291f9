import HTTPExchange
import MerchantAPI
import PaymentModels
import StrictJSON
import TestSupport
import Testing

@Suite("till webhook")
struct InboxCommandTests {
  private static let delivery = """
    {"webhook_id":"\(someID)","provider":"tabby","account":"main",\
    "received_at":"2026-09-21T15:33:20Z","state":"parked","detail":"no answer",\
    "provider_payment_id":null,"payment_id":"\(someID)","event_id":"evt-1","topic":"payment.paid",\
    "signed":true,"matched_secret":1,"proof":true,"deliveries":2,"tries":12,"next_try_at":null,\
    "body_sha256":"00ff","body_erased_at":null
    """

  @Test func `list is a table, and says how it goes on`() async {
    let ran = await Till().run(
      "webhook list --state parked --provider tabby --limit 1", status: 200,
      "{\"webhooks\":[\(Self.delivery)}],\"next_before\":\"\(someID)\"}".replacing(
        "\"payment_id\":\"\(someID)\"", with: "\"payment_id\":\"o-1\""))
    #expect(
      ran.sent.map(\.url) == [
        "http://shop.test/v1/webhooks?limit=1&state=parked&provider=tabby"
      ])
    #expect(
      ran.output == """
        WEBHOOK                               RECEIVED              PROVIDER  NAMES  STATE
        \(someID)  2026-09-21T15:33:20Z  tabby     o-1    parked  (no answer)
        more: till webhook list --before \(someID)

        """)
  }

  @Test func `show tells what was checked, and shows bytes only with --body`() async {
    let journal = """
      ,"journal":[{"at":"2026-09-21T15:33:20Z","channel":"operator","trust":"proof",\
      "event":"requeue","change":"parked → received","note":"mended"}]
      """
    let ran = await Till().run(
      "webhook show \(someID)", status: 200, Self.delivery + journal + "}")
    #expect(ran.sent.map(\.url) == ["http://shop.test/v1/webhooks/\(someID)"])
    #expect(
      ran.output == """
        webhook     \(someID)
        state       parked  (no answer)
        from        tabby  main
        received    2026-09-21T15:33:20Z
        names       \(someID)
        checked     fits secret 1, may be proof
        deliveries  2, tries 12
        event       evt-1  payment.paid
        sha256      00ff
        WHEN                  FROM      TRUST  WHAT     CHANGED
        2026-09-21T15:33:20Z  operator  proof  requeue  parked → received · mended

        """)
    let whole = await Till().run(
      "webhook show \(someID) --body", status: 200,
      Self.delivery + ",\"headers\":\"X-Signature: 1\",\"body\":\"{\\n}\"}")
    #expect(whole.sent.map(\.url) == ["http://shop.test/v1/webhooks/\(someID)?body=1"])
    #expect(whole.output.hasSuffix("00ff\n\nX-Signature: 1\n\n{\\u{a}}\n"))
  }

  @Test func `requeue and replay send the reason`() async throws {
    let ran = await Till().run(
      "webhook requeue \(someID) --reason mended", status: 200, Self.delivery + "}")
    #expect(ran.code == 0)
    let sent = try #require(ran.sent.first)
    #expect(sent.method == "POST")
    #expect(sent.url == "http://shop.test/v1/webhooks/\(someID)/requeue")
    #expect(try JSONValue(parsing: sent.body)["reason"]?.text == "mended")
    let missing = await Till().run("webhook requeue \(someID)", status: 200)
    #expect(missing.code == 64)
  }

  @Test func `replay says what it changed, and ends with 75 while it is not worked off`() async {
    let answer = { (state: String, changes: String) in
      """
      {"webhook":{"webhook_id":"\(someID)","state":"\(state)","detail":null},\
      "check":"Its signature fits secret 0.","payment_id":"\(someID)","changes":[\(changes)]}
      """
    }
    let changed = await Till().run(
      "webhook replay \(someID) --reason mended", status: 200,
      answer("done", #"{"event":"order","change":"pending → paid"}"#))
    #expect(
      changed.output == """
        webhook  \(someID)
        state    done
        checked  Its signature fits secret 0.
        payment  \(someID)
        changed  order: pending → paid

        """)
    #expect(changed.code == 0)
    let waiting = await Till().run(
      "webhook replay \(someID) --reason mended", status: 200, answer("queued", ""))
    #expect(waiting.output.hasSuffix("changed  nothing\n"))
    #expect(waiting.code == 75)
  }

  @Test(arguments: ["", "POST /webhooks/tabby HTTP/1.1\r\n"])
  func `replay takes a file as a proxy saves it`(start: String) async throws {
    var till = Till()
    till.readFile = { path in
      #expect(path == "saved.txt")
      return Array("\(start)X-Signature: t=1,v1=ab\r\nHost:shop\r\n\r\n{\"id\":\r\n1}".utf8)
    }
    let ran = await till.run(
      "webhook replay saved.txt --provider futa --received-at 2026-09-21T15:33:20Z --reason lost",
      status: 200, #"{"webhook":{"state":"done"},"changes":[]}"#)
    let sent = try #require(ran.sent.first)
    #expect(sent.url == "http://shop.test/v1/webhooks/replay")
    let body = try ReplayBody(json: JSONValue(parsing: sent.body), bodyBytesMax: 99)
    #expect(body.body == "{\"id\":\r\n1}")
    #expect(
      body.headers == [
        ReplayBody.Header(name: "X-Signature", value: "t=1,v1=ab"),
        ReplayBody.Header(name: "Host", value: "shop"),
      ])
    #expect(body.receivedAt?.description == "2026-09-21T15:33:20Z")
    #expect(body.provider == .futa)
  }

  @Test(arguments: ["", "no colon\n\nbody", "A: b\n", "A: b\n\n", ": b\n\nbody"])
  func `a file that holds no delivery is refused`(content: String) async {
    var till = Till()
    till.readFile = { _ in Array(content.utf8) }
    let ran = await till.run(
      "webhook replay saved.txt --provider futa --reason lost", status: 200)
    #expect(ran.code == 65)
    #expect(ran.sent.isEmpty)
  }

  @Test func `a file needs the provider's name`() async {
    let ran = await Till().run("webhook replay saved.txt --reason lost", status: 200)
    #expect(ran.code == 64)
  }
}
