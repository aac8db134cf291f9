import CheckoutService
import PaymentModels
import PaymentStore
import ProviderInterface
import TestSupport
import Testing

@Suite("FB-21 A refund at a provider that carries no reference of ours")
struct RefundByTransactionTests {
  private static func setup(
    _ refund: ProviderCapabilities.Refund, isOnce: Bool
  ) -> ServerWorld.Setup {
    var setup = ServerWorld.Setup.manual
    setup.providers = [
      FakeProvider { capabilities in
        capabilities.refund = refund
        capabilities.operationsCarryReference = false
        capabilities.refundsOnce = isOnce
      }
    ]
    return setup
  }

  /// Paid by transaction `tx-1`, which shows what went back.
  private func paid(_ world: ServerWorld) async throws -> PaymentRow {
    let row = try await world.placed()
    let id = try #require(row.providerPaymentID)
    let reading = PaymentReading(
      providerPaymentID: id, status: .captured, amount: row.amount,
      paymentReference: row.id.rawValue, mode: .test,
      items: [
        PaymentItem(
          kind: .capture, providerItemID: "tx-1", reference: nil, amount: row.amount,
          createdAt: nil)
      ], transactionID: "tx-1")
    world.provider.set(transaction: "tx-1", reading)
    world.provider.change(id) { $0 = reading }
    try await world.deliver(world.provider.webhook(id, rest: "paid"))
    try await world.until("paid") { try await world.order(row.orderID).state == .paid }
    return try await world.payment(row.id)
  }

  private func state(_ world: ServerWorld, _ row: PaymentRow) async throws -> OperationRow.State? {
    try await world.operations(row.id).last?.state
  }

  @Test func `it names the transaction, and the answer ends it`() async throws {
    try await ServerWorld.run(Self.setup(.full, isOnce: true)) { world in
      let row = try await paid(world)
      #expect(try await world.refund(row, nil, key: "r1").status == 200)
      #expect(try await state(world, row) == .done)
      #expect(try await world.order(row.orderID).state == .refunded)
    }
  }

  @Test func `a lost answer is found by the refund itself, and it is not sent again`()
    async throws
  {
    try await ServerWorld.run(Self.setup(.full, isOnce: true)) { world in
      let row = try await paid(world)
      world.provider.script(.refund, .lose(ProviderError(.unknown, detail: "lost")))
      #expect(try await world.refund(row, nil, key: "r1").status == 202)
      try await world.until("done") { try await state(world, row) == .done }
      #expect(world.provider.count(.refund) == 1)
      #expect(try await world.order(row.orderID).state == .refunded)
      #expect(try await world.reviews(row.orderID) == [])
    }
  }

  @Test func `what the provider does once at most may be sent again after a read`() async throws {
    try await ServerWorld.run(Self.setup(.full, isOnce: true)) { world in
      let row = try await paid(world)
      world.provider.script(.refund, .fail(ProviderError(.unknown, detail: "lost")), nil)
      #expect(try await world.refund(row, nil, key: "r1").status == 202)
      try await world.until("done") { try await state(world, row) == .done }
      #expect(world.provider.count(.refund) == 2)
      let items = try await world.store.read { try $0.items(of: row.id) }
      #expect(items.sum(.refund) == row.amount.minorUnits)
    }
  }

  @Test func `a transaction that cannot be read settles nothing`() async throws {
    try await ServerWorld.run(Self.setup(.full, isOnce: true)) { world in
      let row = try await paid(world)
      world.provider.script(.refund, .lose(ProviderError(.unknown, detail: "lost")))
      world.provider.always(
        .transaction, .fail(ProviderError(.notFound, status: 404, detail: "no")))
      _ = try await world.refund(row, row.amount.decimal, key: "r1")
      await world.pass(.seconds(30))
      #expect(try await state(world, row) == .unknown)
      #expect(world.provider.count(.refund) == 1)
      world.provider.always(.transaction, nil)
      try await world.until("done", within: .seconds(200)) {
        try await state(world, row) == .done
      }
      #expect(world.provider.count(.refund) == 1)
    }
  }

  @Test(arguments: [(.partial, "10.00"), (.full, nil)] as [(ProviderCapabilities.Refund, String?)])
  func `one that no read shows, and that the provider might do twice, is never sent twice`(
    refund: ProviderCapabilities.Refund, amount: String?
  ) async throws {
    var setup = Self.setup(refund, isOnce: false)
    setup.tuneCheckouts = { $0.operationTriesMax = 3 }
    try await ServerWorld.run(setup) { world in
      let row = try await paid(world)
      world.provider.script(.refund, .fail(ProviderError(.unknown, detail: "lost")))
      #expect(try await world.refund(row, amount, key: "r1").status == 202)
      await world.pass(.seconds(120))
      #expect(world.provider.count(.refund) == 1)
      #expect(try await state(world, row) == .unknown)
      #expect(try await world.reviews(row.orderID).map(\.kind) == [.operationFailed])
    }
  }

  @Test(arguments: [(ProviderError.Kind.unauthorized, 401), (.throttled, 429)])
  func `one that was turned away unlooked at is sent again`(
    kind: ProviderError.Kind, status: Int
  ) async throws {
    try await ServerWorld.run(Self.setup(.full, isOnce: false)) { world in
      let row = try await paid(world)
      world.provider.script(
        .refund, .fail(ProviderError(kind, status: status, detail: "not now")), nil)
      #expect(try await world.refund(row, nil, key: "r1").status == 202)
      try await world.until("done") { try await state(world, row) == .done }
      #expect(world.provider.count(.refund) == 2)
    }
  }
}
