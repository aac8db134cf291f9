import CheckoutService
import HTTPExchange
import MerchantServer
import PaymentModels
import ProviderInterface
import PaymentStore
import TestSupport
import Testing

@Suite("What the merchant's policy does with late money")
struct LateMoneyPolicyTests {
  typealias Policy = SettlementPolicy.LateMoney

  private func run(
    _ policy: Policy, _ body: (ServerWorld) async throws -> Void
  ) async throws {
    var setup = ServerWorld.Setup()
    setup.policy = SettlementPolicy(lateMoney: policy)
    try await ServerWorld.run(setup, body)
  }

  @Test(
    arguments: [
      (.hold, .captured, .needsReview, [.needsReview]),
      (.hold, .authorized, .needsReview, [.needsReview]),
      (.revive, .captured, .paid, [.fulfil]), (.revive, .authorized, .paid, [.fulfil]),
      (.refund, .captured, .cancelled, [.refunded]), (.refund, .authorized, .cancelled, []),
    ] as [(Policy, PaymentStatus, OrderState, [MessageRow.Kind])])
  func `exact money for a cancelled order`(
    policy: Policy, status: PaymentStatus, state: OrderState, messages: [MessageRow.Kind]
  ) async throws {
    try await run(policy) { world in
      let row = try await world.lateMoneySoon(status)
      try await world.until("\(state)") { try await world.order(row.orderID).state == state }
      await world.pass(.seconds(5))
      #expect(try await world.order(row.orderID).state == state)
      #expect(try await world.messages(row.orderID) == messages)
      #expect(
        try await world.reviews(row.orderID).map(\.kind) == (policy == .hold ? [.lateMoney] : []))
      // Whatever was done by itself stands in the journal with its reason, and in the row.
      let review = try #require(
        try await world.store.read { try $0.reviews(of: row.orderID) }.first)
      #expect(review.kind == .lateMoney)
      #expect(review.decision?.operatorName == nil)
      #expect(review.decision?.decision == [.revive: .accept, .refund: .refund][policy])
      #expect(
        world.provider.count(.refund) + world.provider.count(.close) == (policy == .refund ? 1 : 0))
    }
  }

  @Test(arguments: [(Policy.revive, OrderState.paid), (.refund, .cancelled)])
  func `exact money for a payment that the cancel itself had ended`(
    policy: Policy, state: OrderState
  ) async throws {
    var setup = ServerWorld.Setup()
    setup.policy = SettlementPolicy(lateMoney: policy)
    setup.providers = [FakeProvider { $0.close = .unpaid }]
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed()
      _ = try await world.cancelNow(row)
      try await world.until("cancelled") {
        try await world.order(row.orderID).state == .cancelled
      }
      try await world.capture(row, row.amount.minorUnits)
      try await world.until("\(state)") {
        let order = try await world.order(row.orderID)
        let reviews = try await world.store.read { try $0.reviews(of: row.orderID) }
        return order.state == state && !reviews.isEmpty
      }
      #expect(world.provider.count(.refund) == (policy == .refund ? 1 : 0))
      #expect(try await world.reviews(row.orderID) == [])
    }
  }

  @Test func `a refund of which nothing is known may be given up, and its case is open again`()
    async throws
  {
    var setup = ServerWorld.Setup()
    setup.policy = SettlementPolicy(lateMoney: .refund)
    setup.providers = [FakeProvider { $0.operationsCarryReference = false }]
    setup.tuneCheckouts = { $0.operationTriesMax = 3 }
    try await ServerWorld.run(setup) { world in
      world.provider.always(.refund, .fail(ProviderError(.unknown, detail: "timeout")))
      let row = try await world.lateMoneySoon(.captured)
      try await world.until("asked", within: .seconds(200)) {
        try await world.reviews(row.orderID).contains { $0.kind == .operationFailed }
      }
      let review = try #require(try await world.reviews(row.orderID).first)
      let answer = try await world.send(
        "POST", "/v1/reviews/\(review.number)/resolve", key: "d",
        body: Array(#"{"decision":"dismiss","reason":"it never arrived"}"#.utf8))
      #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
      #expect(try await world.operations(row.id).last?.state == .refused)
      #expect(try await world.reviews(row.orderID).map(\.kind) == [.lateMoney])
      #expect(world.provider.count(.refund) == 1)
    }
  }

  @Test(arguments: Policy.allCases)
  func `less than is due is held, whatever the policy`(policy: Policy) async throws {
    try await run(policy) { world in
      let row = try await world.placed(.expired)
      _ = try await world.cancelNow(row)
      try await world.capture(row, 6_000)
      try await world.until("held") { try await !world.reviews(row.orderID).isEmpty }
      await world.pass(.seconds(5))
      #expect(try await world.order(row.orderID).state == .needsReview)
      #expect(try await world.operations(row.id) == [])
    }
  }

  @Test(arguments: Policy.allCases)
  func `another amount is held, whatever the policy`(policy: Policy) async throws {
    try await run(policy) { world in
      let row = try await world.placed(.expired)
      _ = try await world.cancelNow(row)
      try await world.capture(row, 14_000, isAmount: true)
      try await world.until("held") { try await !world.reviews(row.orderID).isEmpty }
      await world.pass(.seconds(5))
      #expect(try await world.reviews(row.orderID).map(\.kind) == [.amountMismatch])
      #expect(try await world.operations(row.id) == [])
      #expect(try await !world.messages(row.orderID).contains(.fulfil))
    }
  }

  @Test(
    arguments: [
      (.hold, [.extraPayment], 0), (.revive, [.extraPayment], 0), (.refund, [], 1),
    ] as [(Policy, [ReviewKind], Int)])
  func `a second payment of a paid order`(
    policy: Policy, reviews: [ReviewKind], refunds: Int
  ) async throws {
    try await run(policy) { world in
      let rows = try await world.seed([(world.provider, .created), (world.provider, .created)])
      for row in rows { try await world.capture(row, row.amount.minorUnits) }
      await world.pass(.seconds(5))
      #expect(try await world.order(rows[0].orderID).state == .paid)
      #expect(try await world.reviews(rows[0].orderID).map(\.kind) == reviews)
      #expect(world.provider.count(.refund) == refunds)
      #expect(try await world.messages(rows[0].orderID).count { $0 == .fulfil } == 1)
      #expect(try await !world.messages(rows[0].orderID).contains(.revoke))
    }
  }

  @Test func `a second payment is not given back while the first one is being refunded`()
    async throws
  {
    try await run(.refund) { world in
      let rows = try await world.seed([(world.provider, .created), (world.provider, .created)])
      try await world.capture(rows[0], rows[0].amount.minorUnits)
      world.provider.always(.refund, .accept)
      _ = try await world.send(
        "POST", "/v1/payments/\(rows[0].id)/refunds", key: "r",
        body: Array(#"{"reason":"returned"}"#.utf8))
      try await world.capture(rows[1], rows[1].amount.minorUnits)
      await world.pass(.seconds(5))
      #expect(try await world.reviews(rows[0].orderID).map(\.kind) == [.extraPayment])
      #expect(try await world.operations(rows[1].id) == [])
    }
  }

  @Test(
    arguments: [(.hold, .needsReview, 0), (.revive, .paid, 0), (.refund, .refunded, 1)]
      as [(Policy, OrderState, Int)])
  func `a second payment of an order that was refunded`(
    policy: Policy, state: OrderState, refunds: Int
  ) async throws {
    try await run(policy) { world in
      let rows = try await world.seed([(world.provider, .created), (world.provider, .created)])
      try await world.capture(rows[0], rows[0].amount.minorUnits)
      let answer = try await world.send(
        "POST", "/v1/payments/\(rows[0].id)/refunds", key: "r",
        body: Array(#"{"reason":"returned"}"#.utf8))
      #expect(answer.status == 200)
      #expect(try await world.order(rows[0].orderID).state == .refunded)
      try await world.capture(rows[1], rows[1].amount.minorUnits)
      try await world.until("\(state)") { try await world.order(rows[0].orderID).state == state }
      await world.pass(.seconds(5))
      #expect(try await world.order(rows[0].orderID).state == state)
      #expect(world.provider.count(.refund) == 1 + refunds)
    }
  }
}

extension ServerWorld {
  fileprivate func cancelNow(_ row: PaymentRow) async throws -> Int {
    try await send(
      "POST", "/v1/orders/\(row.orderID)/cancel", body: Array(#"{"reason":"sold out"}"#.utf8)
    ).status
  }

  /// Late money of which a policy may have disposed before anybody sees it.
  fileprivate func lateMoneySoon(_ status: PaymentStatus) async throws -> PaymentRow {
    let row = try await placed(.expired)
    #expect(try await cancelNow(row) == 200)
    let id = try #require(row.providerPaymentID)
    provider.change(id) { reading in
      reading.status = status
      guard status == .captured else { return }
      reading.items = [
        PaymentItem(
          kind: .capture, providerItemID: "late", reference: nil, amount: row.amount,
          createdAt: nil)
      ]
    }
    try await deliver(provider.webhook(id, for: row.id, rest: "late"))
    return row
  }
}
