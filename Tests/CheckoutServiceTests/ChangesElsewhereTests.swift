import PaymentModels
import PaymentStore
import TestSupport
import Testing

@Suite("What was done in the provider's dashboard")
struct ChangesElsewhereTests {
  private static func item(
    _ kind: PaymentItem.Kind, _ id: String, _ minorUnits: Int64, reference: String? = nil,
    at time: Instant? = nil
  ) -> PaymentItem {
    PaymentItem(
      kind: kind, providerItemID: id, reference: reference,
      amount: Money(minorUnits: minorUnits, currency: Sample.aed), createdAt: time)
  }

  @Test func `a partial capture there leaves the rest to our own`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      world.provider.change(id) { reading in
        reading.status = .authorized
        reading.items = [Self.item(.capture, "there", 4_000)]
      }
      try await world.deliver(world.provider.webhook(id))
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      #expect(try await world.operations(row.id).map(\.amount.minorUnits) == [6_000])
      #expect(try await world.reviews(row.orderID) == [])
    }
  }

  @Test func `a close there after a part was captured is for a person`() async throws {
    try await ServerWorld.run(.manual) { world in
      let row = try await world.placed(.authorized)
      let id = try #require(row.providerPaymentID)
      #expect(try await world.operate("captures", row, "60.00", key: "c1").status == 200)
      world.provider.change(id) { $0.status = .captured }
      try await world.deliver(world.provider.webhook(id, rest: "closed"))
      try await world.until("reviewed") {
        try await world.order(row.orderID).state == .needsReview
      }
      #expect(try await world.order(row.orderID).loweredDue == nil)
      #expect(try await world.reviews(row.orderID).map(\.kind) == [.shortCapture])
      #expect(try await world.messages(row.orderID) == [.needsReview])
    }
  }

  @Test func `a close for a cancel after a part was captured does not make the order paid`()
    async throws
  {
    try await ServerWorld.run(.manual) { world in
      let row = try await world.placed(.authorized)
      #expect(try await world.operate("captures", row, "60.00", key: "c1").status == 200)
      #expect(try await world.cancel(row.orderID) == 202)
      try await world.until("closed") { try await world.payment(row.id).status == .captured }
      #expect(try await world.order(row.orderID).state == .needsReview)
      #expect(try await world.order(row.orderID).loweredDue == nil)
      #expect(try await !world.messages(row.orderID).contains(.fulfil))
    }
  }

  @Test func `a refund there is told once, whatever details come later`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed(.authorized)
      let id = try #require(row.providerPaymentID)
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      let refunds = [
        Self.item(.refund, "r1", 1_000),
        Self.item(.refund, "r1", 1_000, at: Sample.start),
        Self.item(.refund, "r1", 1_000, reference: "ticket", at: Sample.start),
      ]
      for refund in refunds {
        world.provider.change(id) { reading in
          reading.items.removeAll { $0.kind == .refund }
          reading.items.append(refund)
        }
        try await world.deliver(
          world.provider.webhook(id, rest: "\(refund.reference ?? "")\(refund.createdAt != nil)"))
        try await world.until("stored") {
          try await world.store.read { try $0.items(of: row.id).contains(refund) }
        }
      }
      #expect(try await world.messages(row.orderID) == [.fulfil, .refunded])
      #expect(try await world.order(row.orderID).state == .paid)
    }
  }

  @Test func `a charge-back of all of it revokes the goods and is put before a person`()
    async throws
  {
    try await ServerWorld.run { world in
      let row = try await world.placed(.authorized)
      let id = try #require(row.providerPaymentID)
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      world.provider.change(id) { $0.items.append(Self.item(.chargeback, "d1", 10_000)) }
      try await world.deliver(world.provider.webhook(id, rest: "dispute"))
      try await world.until("refunded") { try await world.order(row.orderID).state == .refunded }
      #expect(try await world.reviews(row.orderID).map(\.kind) == [.disputed])
      #expect(
        try await world.messages(row.orderID) == [.fulfil, .disputed, .revoke, .needsReview])
    }
  }

  @Test func `a step that is not in the table is stored and put before a person`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed(.authorized)
      let id = try #require(row.providerPaymentID)
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      world.provider.change(id) { $0.status = .rejected }
      try await world.deliver(world.provider.webhook(id, rest: "odd"))
      try await world.until("stored") { try await world.payment(row.id).status == .rejected }
      #expect(try await world.order(row.orderID).state == .paid)
      #expect(try await world.reviews(row.orderID).map(\.kind) == [.unexpectedTransition])
      #expect(try await world.messages(row.orderID) == [.fulfil, .needsReview])
    }
  }
}
