import PaymentModels
import PaymentStore
import ProviderInterface
import StatusSync
import TestSupport
import Testing

@Suite("A transaction that the provider keeps apart is read beside its payment")
struct TransactionReadTests {
  private static func refunded(_ row: PaymentRow) throws -> PaymentReading {
    PaymentReading(
      providerPaymentID: try #require(row.providerPaymentID), status: .captured,
      amount: row.amount,
      items: [
        PaymentItem(
          kind: .refund, providerItemID: "tx-1", reference: nil, amount: row.amount,
          createdAt: nil)
      ])
  }

  private static func captured(_ world: ServerWorld) async throws -> PaymentRow {
    let row = try await world.placed()
    let id = try #require(row.providerPaymentID)
    world.provider.change(id) { reading in
      reading.status = .captured
      reading.transactionID = "tx-1"
      reading.items = [
        PaymentItem(
          kind: .capture, providerItemID: "c-1", reference: nil, amount: row.amount,
          createdAt: nil)
      ]
    }
    return row
  }

  @Test func `once it is known both are read, and settled in one step`() async throws {
    try await ServerWorld.run { world in
      let row = try await Self.captured(world)
      let id = try #require(row.providerPaymentID)
      try await world.deliver(world.provider.webhook(id, rest: "paid"))
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      #expect(try await world.payment(row.id).transactionID == "tx-1")
      world.provider.set(transaction: "tx-1", try Self.refunded(row))
      try await world.deliver(world.provider.webhook(id, rest: "refunded"))
      try await world.until("refunded") {
        try await world.order(row.orderID).state == .refunded
      }
      #expect(world.provider.count(.transaction) == 1)
      #expect(try await world.reviews(row.orderID) == [])
    }
  }

  @Test func `a refunded payment that was never seen paid is not fulfilled in between`()
    async throws
  {
    try await ServerWorld.run { world in
      let row = try await Self.captured(world)
      let id = try #require(row.providerPaymentID)
      world.provider.set(transaction: "tx-1", try Self.refunded(row))
      try await world.deliver(world.provider.webhook(id, rest: "paid"))
      try await world.until("refunded") {
        try await world.order(row.orderID).state == .refunded
      }
      // Both messages, in their order: the receiver never holds goods for money that is gone.
      #expect(try await world.messages(row.orderID) == [.fulfil, .refunded, .revoke])
    }
  }

  @Test func `a transaction that cannot be read keeps what the payment said, and is tried again`()
    async throws
  {
    try await ServerWorld.run { world in
      let row = try await Self.captured(world)
      let id = try #require(row.providerPaymentID)
      world.provider.set(transaction: "tx-1", try Self.refunded(row))
      world.provider.script(
        .transaction, .fail(ProviderError(.unknown, detail: "out")), nil)
      try await world.deliver(world.provider.webhook(id, rest: "paid"))
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      #expect(try await world.payment(row.id).schedule.failedReads == 1)
      try await world.until("refunded") {
        try await world.order(row.orderID).state == .refunded
      }
    }
  }

  @Test func `a transaction that the provider does not show takes nothing from the answer`()
    async throws
  {
    try await ServerWorld.run { world in
      let row = try await Self.captured(world)
      let id = try #require(row.providerPaymentID)
      world.provider.set(transaction: "tx-other", try Self.refunded(row))
      try await world.deliver(world.provider.webhook(id, rest: "paid"))
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      #expect(world.provider.count(.transaction) == 1)
      #expect(try await world.payment(row.id).schedule.failedReads == 0)
    }
  }
}
