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
}
