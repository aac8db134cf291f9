import CheckoutService
import PaymentModels
import PaymentStore
import ProviderInterface
import StrictJSON
import TestSupport
import Testing

@Suite("Cancelling an order")
struct CancelOrderTests {
  @Test func `a payable payment is watched, and the order is cancelled once it is final`()
    async throws
  {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      #expect(try await world.cancel(row.orderID) == 202)
      #expect(try await world.order(row.orderID).state == .pending)
      let shown = try await world.get("/v1/payments/\(row.id)", token: ServerWorld.user)
      #expect(shown["checkout_url"]?.isNull == true)
      world.provider.change(id) { $0.status = .expired }
      try await world.until("cancelled") {
        try await world.order(row.orderID).state == .cancelled
      }
      #expect(try await world.cancel(row.orderID) == 200)
      #expect(try await world.messages(row.orderID) == [])
    }
  }

  @Test(arguments: [SettlementPolicy.FulfilOn.captured, .authorized])
  func `held money is let go, and nothing is fulfilled`(
    fulfilOn: SettlementPolicy.FulfilOn
  ) async throws {
    var setup = ServerWorld.Setup()
    setup.policy = SettlementPolicy(capture: .manual, fulfilOn: fulfilOn)
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed(.authorized)
      _ = try await world.cancel(row.orderID)
      try await world.until("cancelled") {
        try await world.order(row.orderID).state == .cancelled
      }
      #expect(world.provider.count(.close) == 1)
      #expect(try await world.payment(row.id).status == .cancelled)
      let expected: [MessageRow.Kind] = fulfilOn == .captured ? [] : [.fulfil, .revoke]
      #expect(try await world.messages(row.orderID) == expected)
    }
  }

  @Test(arguments: [SettlementPolicy.FulfilOn.captured, .authorized])
  func `money that is held while the cancel waits is let go and fulfils nothing`(
    fulfilOn: SettlementPolicy.FulfilOn
  ) async throws {
    var setup = ServerWorld.Setup()
    setup.policy = SettlementPolicy(fulfilOn: fulfilOn)
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      #expect(try await world.cancel(row.orderID) == 202)
      world.provider.change(id) { $0.status = .authorized }
      try await world.deliver(world.provider.webhook(id))
      try await world.until("cancelled") {
        try await world.order(row.orderID).state == .cancelled
      }
      #expect(world.provider.count(.capture) == 0)
      #expect(world.provider.count(.close) == 1)
      #expect(try await world.messages(row.orderID) == [])
    }
  }

  @Test func `money that was taken while the cancel waits goes to a person, not to the goods`()
    async throws
  {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      #expect(try await world.cancel(row.orderID) == 202)
      try await capture(world, row)
      try await world.until("reviewed") { try await !world.reviews(row.orderID).isEmpty }
      #expect(try await world.reviews(row.orderID).map(\.kind) == [.lateMoney])
      #expect(try await world.messages(row.orderID) == [.needsReview])
    }
  }

  @Test func `money after the cancel is late money for a person`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed(.expired)
      #expect(try await world.cancel(row.orderID) == 200)
      try await capture(world, row)
      try await world.until("reviewed") {
        try await world.order(row.orderID).state == .needsReview
      }
      #expect(try await world.reviews(row.orderID).map(\.kind) == [.lateMoney])
      #expect(try await world.messages(row.orderID) == [.needsReview])
    }
  }

  @Test func `money that is held after the cancel is held until a person decides`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed(.expired)
      let id = try #require(row.providerPaymentID)
      #expect(try await world.cancel(row.orderID) == 200)
      world.provider.change(id) { $0.status = .authorized }
      try await world.deliver(world.provider.webhook(id, for: row.id))
      try await world.until("reviewed") {
        try await world.order(row.orderID).state == .needsReview
      }
      await world.pass(.seconds(10))
      #expect(world.provider.count(.close) == 0)
      #expect(world.provider.count(.capture) == 0)
      #expect(try await world.messages(row.orderID) == [.needsReview])
      #expect(try await world.operate("close", row, nil, key: "o1").status == 200)
      #expect(try await world.order(row.orderID).state == .cancelled)
    }
  }

  @Test(arguments: [PaymentStatus.cancelled, .expired])
  func `goods that went out at authorized are called back when the money is let go`(
    status: PaymentStatus
  ) async throws {
    var setup = ServerWorld.Setup()
    setup.policy = SettlementPolicy(capture: .manual, fulfilOn: .authorized)
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed(.authorized)
      let id = try #require(row.providerPaymentID)
      world.provider.change(id) { $0.status = status }
      try await world.deliver(world.provider.webhook(id, for: row.id))
      try await world.until("pending") { try await world.order(row.orderID).state == .pending }
      #expect(
        try await world.messages(row.orderID).filter { $0 != .needsReview } == [
          .fulfil, .revoke,
        ])
      #expect(try await !world.order(row.orderID).isFulfilled)
    }
  }

  @Test func `a cancel whose server was killed before the close goes on in the next life`()
    async throws
  {
    var setup = ServerWorld.Setup.manual
    setup.tuneCheckouts = { $0.createWait = .milliseconds(100) }
    var found: PaymentRow?
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed(.authorized)
      found = row
      world.provider.always(.close, .fail(ProviderError(.notSent, detail: "no way out")))
      #expect(try await world.cancel(row.orderID) == 202)
      #expect(try await world.order(row.orderID).cancelRequestedAt != nil)
    }
    let row = try #require(found)
    setup.seed = 2
    setup.providers[0].always(.close, nil)
    try await ServerWorld.run(setup) { world in
      try await world.until("cancelled", within: .seconds(90)) {
        try await world.order(row.orderID).state == .cancelled
      }
      #expect(try await world.payment(row.id).status == .cancelled)
      #expect(try await world.messages(row.orderID) == [])
    }
  }

  @Test func `an order is cancelled once the last of several payments is over`() async throws {
    try await ServerWorld.run { world in
      let rows = try await world.seed([(world.provider, .created), (world.provider, .created)])
      #expect(try await world.cancel(rows[0].orderID) == 202)
      for (index, row) in rows.enumerated() {
        #expect(try await world.order(row.orderID).state == .pending)
        let id = try #require(row.providerPaymentID)
        world.provider.change(id) { $0.status = index == 0 ? .rejected : .expired }
        try await world.deliver(world.provider.webhook(id, for: row.id))
        try await world.until("known") {
          try await world.payment(row.id).status.isFinalUnpaid
        }
      }
      #expect(try await world.order(rows[0].orderID).state == .cancelled)
    }
  }

  @Test func `a paid order is not cancelled`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed(.authorized)
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      #expect(try await world.cancel(row.orderID) == 409)
      #expect(try await world.order(row.orderID).cancelRequestedAt == nil)
    }
  }

  @Test func `an automatic capture that was not sent yet is withdrawn`() async throws {
    try await ServerWorld.run { world in
      world.provider.always(.capture, .fail(ProviderError(.notSent, detail: "refused")))
      let row = try await world.placed(.authorized)
      try await world.until("tried") { world.provider.count(.capture) >= 1 }
      await world.pause(.milliseconds(50))
      world.provider.always(.capture, nil)
      let captures = world.provider.count(.capture)
      _ = try await world.cancel(row.orderID)
      try await world.until("cancelled") {
        try await world.order(row.orderID).state == .cancelled
      }
      #expect(world.provider.count(.capture) == captures)
      #expect(try await world.payment(row.id).status == .cancelled)
    }
  }

  @Test func `an order whose create has no answer is cancelled and not sent again`() async throws {
    try await ServerWorld.run { world in
      world.provider.always(.create, .fail(ProviderError(.notSent, detail: "refused")))
      let json = try await world.checkout().json
      let order = OrderID(try #require(json["order_id"]?.text))
      _ = try await world.cancel(order)
      world.provider.always(.create, nil)
      let creates = world.provider.count(.create)
      try await world.until("cancelled", within: .seconds(200)) {
        try await world.order(order).state == .cancelled
      }
      #expect(world.provider.count(.create) == creates)
    }
  }

  @Test func `an order that is being cancelled gets no new page`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      #expect(try await world.cancel(row.orderID) == 202)
      let again = try await world.checkout(
        key: "k2", #"{"provider":"tabby","order_id":"\#(row.orderID)"}"#)
      #expect(again.status == 409)
      #expect(try await world.paymentCount() == 1)
    }
  }

  private func capture(_ world: ServerWorld, _ row: PaymentRow) async throws {
    guard let id = row.providerPaymentID else { return }
    world.provider.change(id) { reading in
      reading.status = .captured
      reading.items = [
        PaymentItem(
          kind: .capture, providerItemID: "c1", reference: nil, amount: row.amount,
          createdAt: nil)
      ]
    }
    try await world.deliver(world.provider.webhook(id, rest: "captured"))
  }
}
