import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON
import TestSupport
import Testing

@testable import ProviderSandbox

@Suite("Webhooks")
struct WebhookTests {
  /// Takes the deliveries that are due and books the same answer for each.
  private func send(_ harness: SandboxHarness, answer: Int?) async -> [WebhookDelivery] {
    let due = await harness.sandbox.ledger.nextStep().due
    for delivery in due { await harness.sandbox.ledger.finish(delivery, status: answer) }
    return due
  }

  @Test func `run delivers a payment's three events with the static header`() async throws {
    let receiver = WebhookReceiver()
    let harness = SandboxHarness(transport: receiver.transport)
    let hook = await harness.register()
    #expect(hook["is_test"]?.boolean == true)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await harness.sandbox.run() }
      let id = await harness.pay()
      let authorized = await receiver.next(1)
      _ = await harness.call(
        "POST", "/api/v2/payments/\(id)/captures",
        .object(["amount": .string("100.00"), "reference_id": .string("c-1")]))
      let rest = await receiver.next(2)
      group.cancelAll()
      let sent = authorized + rest
      let bodies = sent.compactMap { try? JSONValue(parsing: $0.body) }
      #expect(bodies.map(\.status).sorted() == ["authorized", "authorized", "closed"])
      #expect(bodies.allSatisfy { $0["id"]?.text == id && $0["amount"]?.text == "100" })
      #expect(bodies.allSatisfy { $0["order"]?["reference_id"]?.text == "order-1" })
      #expect(bodies.allSatisfy { $0["meta"]?["order_id"]?.text == "o-7" })
      #expect(sent.allSatisfy { $0.headers["X-Shop"] == "s3cret" && $0.method == "POST" })
      #expect(sent.allSatisfy { $0.deadline == .seconds(60) })
    }
  }

  @Test func `run lets a delayed authorisation happen on the clock`() async {
    let receiver = WebhookReceiver()
    let harness = SandboxHarness(transport: receiver.transport)
    _ = await harness.register()
    await harness.control("settings", #"{"faults":{"authorize_delay_ms":3000}}"#)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await harness.sandbox.run() }
      let session = await harness.create()
      var browser = Browser(harness.sandbox)
      await browser.pay(session.webURL)
      #expect(browser.left == "https://shop.test/ok?payment_id=\(session.paymentID)")
      #expect(await harness.payment(session.paymentID).status == "CREATED")
      harness.clock.advance(by: .milliseconds(2_999))
      #expect(await harness.payment(session.paymentID).status == "CREATED")
      // Nobody asks any more: `run` itself wakes when it is time.
      group.addTask {
        while !Task.isCancelled {
          harness.clock.advance(by: .milliseconds(1))
          await Task.yield()
        }
      }
      #expect(await receiver.next(1).count == 1)
      #expect(await harness.payment(session.paymentID).status == "AUTHORIZED")
      group.cancelAll()
    }
  }

  @Test(arguments: [201, 204, 301, 404, 500, nil])
  func `only 200 settles a webhook; four repeats follow, then it is lost`(answer: Int?) async {
    let harness = SandboxHarness()
    _ = await harness.register()
    let id = await harness.pay()
    #expect(await send(harness, answer: answer).count == 1)
    for wait in [60_000, 120_000, 240_000, 240_000] {
      await harness.advance(.milliseconds(wait - 1))
      #expect(await send(harness, answer: answer).isEmpty)
      await harness.advance(.milliseconds(1))
      #expect(await send(harness, answer: answer).count == 1)
    }
    await harness.advance(.seconds(86_400))
    #expect(await send(harness, answer: answer).isEmpty)
    let delivery = await harness.entry(id)["webhooks"]?[0]
    #expect(delivery?["state"]?.text == "lost")
    #expect(delivery?["attempts"]?.elements?.count == 5)
  }

  @Test func `later events do not wait for the repeats of an earlier one`() async {
    let harness = SandboxHarness()
    _ = await harness.register()
    let id = await harness.pay()
    #expect(await send(harness, answer: 500).map(\.status) == ["authorized"])
    _ = await harness.call("POST", "/api/v2/payments/\(id)/close")
    #expect(await send(harness, answer: 200).map(\.status) == ["closed"])
    await harness.advance(.seconds(60))
    #expect(await send(harness, answer: 200).map(\.status) == ["authorized"])
  }

  @Test func `the status in the payload is lower case and that of the event`() async {
    let harness = SandboxHarness()
    _ = await harness.register()
    let id = await harness.pay()
    func post(_ what: String, _ amount: String) async {
      _ = await harness.call(
        "POST", "/api/v2/payments/\(id)/\(what)",
        .object(["amount": .string(amount), "reference_id": .string(what + amount)]))
    }
    await post("captures", "40")
    let order = JSONValue.object(["order": .object(["reference_id": .string("order-2")])])
    _ = await harness.call("PUT", "/api/v2/payments/\(id)", order)
    await post("captures", "60")
    await post("refunds", "5")
    let sent = await send(harness, answer: 200)
    let lines = sent.map { "\($0.status) \($0.captureCount) \($0.refundCount)" }
    #expect(
      lines == [
        "authorized 0 0", "authorized 1 0", "authorized 1 0", "authorized 2 0", "closed 2 0",
        "closed 2 1",
      ])
    let bodies = sent.compactMap { try? JSONValue(parsing: $0.body) }
    #expect(bodies[1]["order"]?["reference_id"]?.text == "order-1")
    #expect(bodies[2]["order"]?["reference_id"]?.text == "order-2")
    #expect(bodies[4]["closed_at"]?.text != nil)
    #expect(bodies[5]["refunds"]?[0]?["amount"]?.text == "5")
  }

  @Test(arguments: [(false, 0), (true, 1)])
  func `expiry sends a webhook only if that is asked for`(isOn: Bool, count: Int) async {
    let harness = SandboxHarness()
    await harness.control("settings", #"{"expire_event":\#(isOn)}"#)
    _ = await harness.register()
    _ = await harness.create()
    await harness.advance(.seconds(1_800))
    let sent = await send(harness, answer: 200)
    #expect(sent.count == count)
    #expect(sent.allSatisfy { $0.status == "expired" })
  }

  @Test func `a rejection sends a webhook`() async {
    let harness = SandboxHarness()
    _ = await harness.register()
    let session = await harness.create(Checkout(email: "otp.rejected@tabby.ai"))
    var browser = Browser(harness.sandbox)
    await browser.logIn(session.webURL)
    #expect(await send(harness, answer: 200).map(\.status) == ["rejected"])
  }

  // MARK: Faults

  @Test func `copies are sent as twins`() async {
    let harness = SandboxHarness()
    await harness.control("settings", #"{"faults":{"webhook_copies":2}}"#)
    _ = await harness.register()
    _ = await harness.pay()
    let sent = await send(harness, answer: 200)
    #expect(sent.count == 2)
    #expect(sent.first?.body == sent.last?.body)
  }

  @Test func `dropped webhooks are never sent, and the ledger says so`() async {
    let harness = SandboxHarness()
    _ = await harness.register()
    let session = await harness.create()
    await harness.control("payments/\(session.paymentID)/faults", #"{"drop_webhooks":true}"#)
    var browser = Browser(harness.sandbox)
    await browser.pay(session.webURL)
    #expect(await send(harness, answer: 200).isEmpty)
    let entry = await harness.entry(session.paymentID)
    #expect(entry["webhooks"]?.elements?.map { $0["state"]?.text } == ["dropped"])
    #expect(entry.status == "AUTHORIZED")
  }

  @Test func `delays make a later event overtake an earlier one`() async {
    let harness = SandboxHarness()
    await harness.control("settings", #"{"faults":{"webhook_delays_ms":[5000,0]}}"#)
    _ = await harness.register()
    let id = await harness.pay()
    _ = await harness.call("POST", "/api/v2/payments/\(id)/close")
    #expect(await send(harness, answer: 200).map(\.status) == ["closed"])
    await harness.advance(.milliseconds(4_999))
    #expect(await send(harness, answer: 200).isEmpty)
    await harness.advance(.milliseconds(1))
    #expect(await send(harness, answer: 200).map(\.status) == ["authorized"])
  }

  @Test func `no more deliveries are under way than the limit`() async {
    let harness = SandboxHarness()
    await harness.control("settings", #"{"faults":{"webhook_copies":10}}"#)
    _ = await harness.register()
    for _ in 0..<7 { _ = await harness.pay() }
    let ledger = harness.sandbox.ledger
    let first = await ledger.nextStep()
    #expect(first.due.count == SandboxLimits.deliveriesInFlightMax)
    #expect(await ledger.nextStep().due.isEmpty)
    await ledger.finish(first.due[0], status: 200)
    #expect(await ledger.nextStep().due.count == 1)
  }

  @Test func `no more webhooks wait than the queue holds, the rest is lost and said so`() async {
    let harness = SandboxHarness()
    await harness.control("settings", #"{"faults":{"webhook_copies":10}}"#)
    for _ in 0..<4 { _ = await harness.register() }
    let id = await harness.create().paymentID
    func force() async -> JSONValue {
      await harness.control("payments/\(id)/status", #"{"status":"AUTHORIZED"}"#)
      return await harness.control("ledger").json
    }
    await harness.sandbox.ledger.fillQueue(to: SandboxLimits.webhookQueueMax - 40)
    let full = await force()
    #expect(full["webhooks_waiting"]?.int64 == Int64(SandboxLimits.webhookQueueMax))
    let over = await force()
    #expect(over["webhooks_waiting"]?.int64 == Int64(SandboxLimits.webhookQueueMax))
    let webhooks = over["payments"]?[0]?["webhooks"]?.elements ?? []
    #expect(webhooks.count { $0["state"]?.text == "lost" } == 40)
  }

  @Test func `the ledger forgets the oldest deliveries of a payment`() async {
    let harness = SandboxHarness()
    await harness.control("settings", #"{"faults":{"webhook_copies":10,"drop_webhooks":true}}"#)
    for _ in 0..<4 { _ = await harness.register() }
    let id = await harness.pay()
    for _ in 0..<5 {
      await harness.control("payments/\(id)/status", #"{"status":"REJECTED"}"#)
    }
    let webhooks = await harness.entry(id)["webhooks"]?.elements ?? []
    #expect(webhooks.count == SandboxLimits.deliveryLogMax)
    #expect(webhooks.allSatisfy { $0["status"]?.text == "rejected" })
  }

  // MARK: Registration

  private func call(
    _ harness: SandboxHarness, _ method: String, _ id: String = "", _ body: JSONValue? = nil,
    code: String? = "AE"
  ) async -> HTTPResponse {
    var headers: HTTPHeaders = [:]
    headers["X-Merchant-Code"] = code
    return await harness.call(
      method, "/api/v1/webhooks" + (id.isEmpty ? "" : "/\(id)"), body, headers: headers)
  }

  @Test func `registrations can be read, changed and removed`() async {
    let harness = SandboxHarness()
    #expect(await call(harness, "GET").json == .array([]))
    let id = await harness.register()["id"]?.text ?? ""
    #expect(await call(harness, "GET").json[0]?["id"]?.text == id)
    #expect(await call(harness, "GET", id).json["header"]?["value"]?.text == "s3cret")
    let moved = await call(
      harness, "PUT", id,
      .object(["url": .string("https://shop.test/new"), "is_test": .bool(true)]))
    #expect(moved.json["url"]?.text == "https://shop.test/new")
    #expect(moved.json["header"]?.isNull == true)
    #expect(await call(harness, "DELETE", id).json == .object(["status": .string("ok")]))
    let gone = await call(harness, "GET", id)
    #expect(gone.status == 404)
    #expect(gone.json["error"]?.text == "no such webhook")
  }

  @Test func `four registrations for one key and store, no fifth`() async {
    let harness = SandboxHarness()
    for _ in 0..<4 { #expect(await harness.register()["id"] != nil) }
    #expect(await harness.register()["errorType"]?.text == "bad_data")
    let other = await call(
      harness, "POST", "", .object(["url": .string("https://shop.test")]), code: "SA")
    #expect(other.status == 200)
    _ = await harness.pay()
    #expect(await send(harness, answer: 200).count == 4)
  }

  @Test(
    arguments: [
      "{}", #"{"url":7}"#, #"{"url":"ftp://shop.test"}"#, #"{"url":"https://shop.test/ x"}"#,
      #"{"url":"https://shop.test","header":{"title":"a b","value":"c"}}"#,
      #"{"url":"https://shop.test","header":{"title":"a","value":"b\r\nc: d"}}"#,
      #"{"url":"https://shop.test","header":{"title":"a"}}"#,
    ])
  func `a bad registration is refused`(body: String) async throws {
    let response = await call(
      SandboxHarness(), "POST", "", try JSONValue(parsing: Array(body.utf8)))
    #expect(response.status == 400)
    #expect(response.json["error"]?.text == "bad_request")
  }

  @Test(arguments: [nil, "QA"] as [String?])
  func `without a store of ours nobody registers`(code: String?) async {
    #expect(await call(SandboxHarness(), "GET", code: code).status == 401)
  }

  @Test func `the list can be an object or null`() async {
    let harness = SandboxHarness()
    await harness.control("settings", #"{"webhook_list":"object"}"#)
    #expect(await call(harness, "GET").json == .null)
    let hook = await harness.register()
    #expect(await call(harness, "GET").json == hook)
  }
}

extension TabbyLedger {
  /// Fills the queue with deliveries of no payment in particular.
  fileprivate func fillQueue(to count: Int) {
    let delivery = WebhookDelivery(
      paymentID: "", url: "https://shop.test", header: nil, body: [], status: "closed",
      captureCount: 0, refundCount: 0, due: now)
    queue = WebhookQueue()
    for _ in 0..<count { _ = queue.add(delivery, isDropped: false) }
  }
}
