import HTTPExchange
import PaymentModels
import PaymentStore
import ProviderInterface
import StatusSync
import StrictJSON
import TestSupport
import Testing

/// The provider cannot be read, so nothing but the bodies of signed events tells how it stands.
@Suite("FB-05 A newer state is overwritten by an older event, while nobody can be read")
struct OlderEventTests {
  struct Stamps: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Of closed, authorized and rejected, in the order of their arrival.
    let times: [Duration?]
  }

  @Test(arguments: [
    Stamps(
      testDescription: "as they were made",
      times: [.milliseconds(1_600), .zero, .milliseconds(500)]),
    Stamps(testDescription: "all equal", times: [.zero, .zero, .zero]),
    Stamps(testDescription: "missing", times: [nil, nil, nil]),
  ])
  func `closed stays closed, whatever comes after it`(stamps: Stamps) async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      let start = world.clock.now
      world.provider.always(.read, .fail(ProviderError(.unknown, detail: "out")))
      let events: [PaymentStatus] = [.captured, .authorized, .rejected]
      for (index, status) in events.enumerated() {
        var reading = PaymentReading(
          providerPaymentID: id, status: status, amount: row.amount,
          paymentReference: row.id.rawValue)
        if status == .captured {
          reading.items = [
            PaymentItem(
              kind: .capture, providerItemID: "c-1", reference: nil, amount: row.amount,
              createdAt: nil)
          ]
        }
        let proof = WebhookProof(
          reading: reading, occurredAt: stamps.times[index].map { start + $0 },
          supplementsRead: false)
        let answer = try await world.deliver(
          world.provider.webhook(id, named: "event \(index)", SignedDelivery(proof: proof)))
        #expect(answer == 200)
        try await world.until("\(status) was looked at") {
          let journal = try await world.store.read { try $0.journal(of: row.orderID, limit: 100) }
          return journal.filter { $0.event == "signed webhook" }.count == index + 1
        }
        #expect(try await world.payment(row.id).status == .captured)
        #expect(try await world.order(row.orderID).state == .paid)
      }
      // The payer's return is a reason to read, and says nothing by itself.
      let page = try await world.send("GET", "/return/failure?status=created", token: nil)
      #expect(page.status == 200)
      let shown = try await world.get("/v1/payments/\(row.id)?status=created")
      #expect(shown["state"]?.text == "captured")
      #expect(shown["order_state"]?.text == "paid")
      #expect(try await world.messages(row.orderID) == [.fulfil])
    }
  }
}
