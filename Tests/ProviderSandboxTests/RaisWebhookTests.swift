import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderSandbox
import StrictJSON
import TestSupport
import Testing

@Suite("The fake Raïs' webhooks")
struct RaisWebhookTests {
  private func harness(
    _ receiver: WebhookReceiver, _ change: (inout RaisSandboxSettings) -> Void = { _ in }
  ) -> RaisHarness {
    RaisHarness(transport: receiver.transport) {
      $0.webhookURL = "http://shop.test/webhooks/rais"
      $0.webhookSecret = "hook-secret"
      change(&$0)
    }
  }

  /// Runs the sandbox, moves a payment and gives the next `count` deliveries.
  private func sent(
    _ count: Int = 1, _ receiver: WebhookReceiver, _ harness: RaisHarness,
    _ act: () async -> Void
  ) async -> [HTTPOutgoing] {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await harness.sandbox.run() }
      await act()
      let requests = await receiver.next(count)
      group.cancelAll()
      return requests
    }
  }

  private func hmac(_ bytes: [UInt8]) -> String {
    hexText(Hashing.weakForTests.hmacSHA256(Array("hook-secret".utf8), bytes))
  }

  @Test func `a payment that is paid is told, dated and signed over the raw bytes`() async throws {
    let receiver = WebhookReceiver()
    let harness = harness(receiver)
    let id = await harness.created()
    let requests = await sent(1, receiver, harness) { _ = await harness.paid(id) }
    let request = try #require(requests.first)
    #expect(request.url == "http://shop.test/webhooks/rais")
    let json = try JSONValue(parsing: request.body)
    #expect(json["type"] == "payment.paid")
    #expect(json["id"]?.text?.hasPrefix("evt_") == true)
    #expect(json.find("data.id")?.text == id)
    #expect(json.find("data.status") == "paid")
    #expect(json.find("data.reference") == "order-1042")
    let stamp = harness.clock.clock.now().milliseconds / 1_000
    #expect(
      request.headers["Rais-Signature"]
        == "t=\(stamp),v1=\(hmac(Array("\(stamp).".utf8) + request.body))")
  }

  @Test(arguments: [Int64(1_000), 10_800_000])
  func `a webhook can be stamped as if it had been on the way for so long`(
    ageMs: Int64
  ) async throws {
    let receiver = WebhookReceiver()
    let harness = harness(receiver)
    await harness.control("settings", #"{"webhook_age_ms":\#(ageMs)}"#)
    let id = await harness.created()
    let requests = await sent(1, receiver, harness) { _ = await harness.paid(id) }
    let request = try #require(requests.first)
    let stamp = (harness.clock.clock.now().milliseconds - ageMs) / 1_000
    #expect(
      request.headers["Rais-Signature"]
        == "t=\(stamp),v1=\(hmac(Array("\(stamp).".utf8) + request.body))")
  }

  @Test func `scheme and header are settings`() async throws {
    let receiver = WebhookReceiver { _ in 204 }
    let harness = harness(receiver) {
      $0.webhookScheme = .body
      $0.webhookHeader = "X-Signature"
    }
    let id = await harness.created()
    let requests = await sent(1, receiver, harness) { _ = await harness.paid(id) }
    let request = try #require(requests.first)
    #expect(request.headers["X-Signature"] == hmac(request.body))
  }

  @Test func `an end that time brings is told too`() async throws {
    let receiver = WebhookReceiver()
    let harness = harness(receiver) { $0.lifeMs = 1_000 }
    _ = await harness.created()
    let requests = await sent(1, receiver, harness) { await harness.advance(1_000) }
    let request = try #require(requests.first)
    #expect(try JSONValue(parsing: request.body)["type"] == "payment.expired")
  }

  @Test func `copies are sent, and dropped ones are not`() async {
    let receiver = WebhookReceiver()
    let harness = harness(receiver) { $0.faults.webhookCopies = 3 }
    let id = await harness.created()
    let requests = await sent(3, receiver, harness) { _ = await harness.paid(id) }
    #expect(Set(requests.map(\.body)).count == 1)
    let lost = await harness.created(key: "k2")
    await harness.control("payments/\(lost)/faults", #"{"drop_webhooks":true}"#)
    _ = await harness.paid(lost)
    let states = (await harness.entry(lost)["webhooks"]?.elements ?? [])
      .compactMap { $0["state"]?.text }
    #expect(states == ["dropped", "dropped", "dropped"])
  }

  @Test func `what is not taken comes again`() async {
    let calls = CallCount()
    let receiver = WebhookReceiver { _ in
      calls.add()
      return calls.value == 1 ? 503 : 200
    }
    let harness = harness(receiver) { $0.webhookRetryMs = [0] }
    let id = await harness.created()
    let requests = await sent(2, receiver, harness) { _ = await harness.paid(id) }
    #expect(Set(requests.map(\.body)).count == 1)
  }

  @Test func `a secret is written and never shown`() async {
    let harness = RaisHarness()
    let answer = await harness.control(
      "settings", #"{"webhook_url":"http://a/b","webhook_secret":"hook-secret"}"#)
    #expect(answer.json["webhook_secret"] == "set")
    #expect(!answer.text.contains("hook-secret"))
  }
}
