import PaymentModels
import PaymentStore
import ProviderInterface
import StrictJSON
import TestSupport
import Testing

@Suite("Waiting for an open payment ends by the merchant's policy alone")
struct LapseTests {
  private static let day: Int64 = 86_400

  @Test(arguments: [(day - 60, false), (day + 1, true)])
  func `a fresh read after its time lets it lapse, and the order stays open`(
    age: Int64, lapses: Bool
  ) async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      world.clock.setWall(row.createdAt + .seconds(age))
      _ = try await world.get("/v1/payments/\(row.id)")
      let seen = try await world.payment(row.id)
      #expect(seen.lapsed == lapses)
      #expect(seen.status == .created)
      #expect(try await world.order(row.orderID).state == .pending)
    }
  }

  @Test func `a read that failed lets nothing lapse`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      world.provider.always(.read, .fail(ProviderError(.unknown, detail: "out")))
      world.clock.setWall(row.createdAt + .seconds(3 * Self.day))
      _ = try await world.get("/v1/payments/\(row.id)")
      #expect(try await !world.payment(row.id).lapsed)
    }
  }

  @Test func `a cancelled order is cancelled once its payment lapsed; later money is held`()
    async throws
  {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      _ = try await world.send(
        "POST", "/v1/orders/\(row.orderID)/cancel", body: Array(#"{"reason":"sold out"}"#.utf8))
      #expect(try await world.order(row.orderID).state == .pending)
      world.clock.setWall(row.createdAt + .seconds(Self.day + 1))
      _ = try await world.get("/v1/payments/\(row.id)")
      #expect(try await world.order(row.orderID).state == .cancelled)

      world.provider.change(id) { $0.status = .authorized }
      _ = try await world.deliver(world.provider.webhook(id, for: row.id, rest: "late"))
      try await world.until("held for a person", within: .seconds(30)) {
        try await world.order(row.orderID).state == .needsReview
      }
      #expect(try await !world.messages(row.orderID).contains(.fulfil))
    }
  }
}
