import HTTPExchange
import PaymentModels
import ProviderSandbox
import StrictJSON
import TestSupport
import Testing

@Suite("The fake SEB's callbacks")
struct SEBCallbackTests {
  private func harness(
    _ receiver: WebhookReceiver, _ change: (inout SEBSandboxSettings) -> Void = { _ in }
  ) -> SEBHarness {
    SEBHarness(transport: receiver.transport) {
      $0.webhookURL = "http://shop.test/webhooks/seb"
      change(&$0)
    }
  }

  /// Runs the sandbox, acts, and gives the next `count` deliveries.
  private func sent(
    _ count: Int = 1, _ receiver: WebhookReceiver, _ harness: SEBHarness, _ act: () async -> Void
  ) async -> [HTTPOutgoing] {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await harness.sandbox.run() }
      await act()
      let requests = await receiver.next(count)
      group.cancelAll()
      return requests
    }
  }

  // EGW, *Callback notifications*.
  @Test func `it tells type, id and status, and is signed by nothing`() async throws {
    let receiver = WebhookReceiver()
    let harness = harness(receiver)
    let id = await harness.created()
    let requests = await sent(1, receiver, harness) { _ = await harness.paid(id) }
    let request = try #require(requests.first)
    #expect(request.url == "http://shop.test/webhooks/seb")
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == #"{"type":"PAYMENT","paymentId":"\#(id)","paymentStatus":"CAPTURED"}"#)
    #expect(isCanonicalUUID(request.headers["X-Request-Id"] ?? ""))
    #expect(request.headers.fields.map(\.name) == ["Content-Type", "X-Request-Id"])
  }

  @Test func `every step is told`() async throws {
    let receiver = WebhookReceiver()
    let harness = harness(receiver)
    let id = await harness.created()
    let requests = await sent(2, receiver, harness) {
      _ = await harness.paidByBank(id)
      await harness.advance(3_000)
    }
    let words = try requests.map { try JSONValue(parsing: $0.body)["paymentStatus"]?.text }
    #expect(Set(words) == ["SENT_FOR_PROCESSING", "CAPTURED"])
  }

  @Test func `a shop without an address is told nothing`() async {
    let harness = SEBHarness()
    let id = await harness.created()
    _ = await harness.paid(id)
    #expect(await harness.entry(id)["webhooks"]?.elements?.isEmpty == true)
  }

  @Test func `what is not taken comes again by the documented ladder, then never`() async {
    let receiver = WebhookReceiver { _ in 404 }
    let harness = harness(receiver)
    let id = await harness.created()
    let ladder = [1_000, 300_000, 3_600_000, 86_400_000, 172_800_000, 259_200_000]
    let requests = await withTaskGroup(of: Void.self) { group in
      group.addTask { await harness.sandbox.run() }
      _ = await harness.paid(id)
      var requests = await receiver.next(1)
      for wait in ladder {
        while await attempts(harness, id) < requests.count { await Task.yield() }
        await harness.advance(wait - 1)
        #expect(await harness.control("ledger").json["webhooks_waiting"] == .number("1"))
        await harness.advance(1)
        requests += await receiver.next(1)
      }
      while await harness.control("ledger").json["webhooks_waiting"] != .number("0") {
        await Task.yield()
      }
      group.cancelAll()
      return requests
    }
    #expect(requests.count == 7)
    #expect(Set(requests.map(\.body)).count == 1)
    #expect(Set(requests.map { $0.headers["X-Request-Id"] }).count == 7)
    let states = await harness.entry(id)["webhooks"]?.elements?.map { $0["state"]?.text }
    #expect(states == ["lost"])
  }

  private func attempts(_ harness: SEBHarness, _ id: String) async -> Int {
    await harness.entry(id)["webhooks"]?[0]?["attempts"]?.elements?.count ?? 0
  }

  @Test(arguments: [200, 201, 204, 299])
  func `any 2xx means received`(status: Int) async {
    let receiver = WebhookReceiver { _ in status }
    let harness = harness(receiver)
    let id = await harness.created()
    _ = await sent(1, receiver, harness) { _ = await harness.paid(id) }
  }

  @Test func `copies are sent, and dropped ones are not`() async {
    let receiver = WebhookReceiver()
    let harness = harness(receiver) { $0.faults.webhookCopies = 3 }
    let id = await harness.created()
    let requests = await sent(3, receiver, harness) { _ = await harness.paid(id) }
    #expect(Set(requests.map(\.body)).count == 1)
    let lost = await harness.created()
    await harness.control("payments/\(lost)/faults", #"{"drop_webhooks":true}"#)
    _ = await harness.paid(lost)
    let states = (await harness.entry(lost)["webhooks"]?.elements ?? [])
      .compactMap { $0["state"]?.text }
    #expect(states == ["dropped", "dropped", "dropped"])
  }
}
