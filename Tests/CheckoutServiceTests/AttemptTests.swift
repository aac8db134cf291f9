import CheckoutService
import PaymentModels
import PaymentStore
import ProviderInterface
import StatusSync
import StrictJSON
import TestSupport
import Testing

@Suite("Attempts at one order")
struct AttemptTests {
  @Test func `a retry while the payment can be paid gives the same page, byte for byte`()
    async throws
  {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let reads = world.provider.count(.read)
      let again = try await retry(world, row, key: "k2")
      #expect(again.status == 201)
      #expect(again.json["checkout_url"]?.text == row.checkoutURL)
      #expect(again.json["fresh"]?.boolean == true)
      #expect(world.provider.count(.read) == reads + 1)
      #expect(try await world.paymentCount() == 1)
    }
  }

  @Test func `a retry after the attempt has ended is a new attempt with a new key`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      world.provider.change(id) { $0.status = .expired }
      let again = try await retry(world, row, key: "k2")
      #expect(again.json["attempt"]?.int64 == 2)
      #expect(again.json["checkout_url"]?.text == "https://pay.example/\(world.provider.id(2))")
      let second = try await world.payment(PaymentID(try #require(again.json["payment_id"]?.text)))
      #expect(second.createKey != row.createKey)
      #expect(try await world.payment(row.id).status == .expired)
      let replay = try await world.checkout(key: "k1")
      #expect(replay.json["payment_id"]?.text == row.id.rawValue)
      #expect(replay.json["state"]?.text == "expired")
      #expect(replay.json["checkout_url"]?.isNull == true)
    }
  }

  @Test func `a retry that cannot be read makes no new attempt and gives no page`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      world.provider.always(.read, .fail(ProviderError(.unknown, detail: "out")))
      for key in ["k2", "k1"] {
        let again =
          key == "k1" ? try await world.checkout() : try await retry(world, row, key: key)
        #expect(again.status == 202)
        #expect(again.json["checkout_url"]?.isNull == true)
        #expect(again.json["fresh"]?.boolean == false)
        #expect(again.json["payment_id"]?.text == row.id.rawValue)
      }
      #expect(try await world.paymentCount() == 1)
    }
  }

  @Test func `a payment past its time and still pending gives no page and no new attempt`()
    async throws
  {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      let end = world.clock.now + .seconds(60)
      world.provider.change(id) { $0.expiresAt = end }
      await world.pass(.seconds(61))
      let again = try await retry(world, row, key: "k2")
      #expect(again.json["checkout_url"]?.isNull == true)
      #expect(again.json["payment_id"]?.text == row.id.rawValue)
      #expect(try await world.paymentCount() == 1)
    }
  }

  @Test func `a retry of a paid order is a conflict`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed(.authorized)
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      #expect(try await retry(world, row, key: "k2").status == 409)
    }
  }

  @Test(arguments: [(19, 201), (20, 409)])
  func `an order has twenty attempts at the most`(ended: Int, status: Int) async throws {
    try await ServerWorld.run { world in
      let rows = try await world.seed(
        Array(repeating: (world.provider, PaymentStatus.expired), count: ended))
      try await world.store.write { transaction in
        for var row in rows {
          row.status = .expired
          try transaction.updatePayment(row)
        }
        guard var order = try transaction.order(rows[0].orderID) else { return }
        order.subject = Subject("u-1")
        try transaction.updateOrder(order)
      }
      world.provider.skipIDs(100)
      #expect(try await retry(world, rows[0], key: "k2").status == status)
    }
  }

  @Test func `two processes on one store never send one create twice while the lease lasts`()
    async throws
  {
    var setup = ServerWorld.Setup()
    setup.tuneCheckouts = { settings in
      settings.createWait = .milliseconds(100)
      // Far longer than the clock moves while a loaded machine makes the checkouts.
      settings.createLease = .seconds(1_000_000)
    }
    // The second process brings forward what is due later than its own lease allows.
    setup.tuneSync = { $0.lease = .seconds(1_000_000) }
    let first = setup
    try await ServerWorld.run(first) { world in
      world.provider.hold(.create)
      let json = try await world.checkout().json
      var second = first
      second.seed = 2
      try await ServerWorld.run(second) { other in
        let id = PaymentID(try #require(json["payment_id"]?.text))
        let again = try await other.checkout()
        #expect(again.json["payment_id"]?.text == id.rawValue)
        await other.pass(.seconds(50))
        #expect(other.provider.count(.create) == 1)
      }
    }
  }

  @Test func `two processes on one store never send one capture twice while the lease lasts`()
    async throws
  {
    var first = ServerWorld.Setup()
    first.tuneCheckouts = { $0.lease = .seconds(1_000_000) }
    first.tuneSync = { $0.lease = .seconds(1_000_000) }
    let setup = first
    try await ServerWorld.run(setup) { world in
      world.provider.hold(.capture)
      let row = try await world.placed(.authorized)
      try await world.until("sent") { world.provider.count(.capture) == 1 }
      var second = setup
      second.seed = 2
      try await ServerWorld.run(second) { other in
        await other.pass(.seconds(15))
        #expect(other.provider.count(.capture) == 1)
        world.provider.release(.capture)
        try await other.until("paid") { try await other.order(row.orderID).state == .paid }
        await other.pass(.seconds(20))
        #expect(other.provider.count(.capture) == 1)
      }
    }
  }

  @Test func `a capture whose process was killed is found by a read in the next life`()
    async throws
  {
    var setup = ServerWorld.Setup()
    setup.tuneCheckouts = { $0.createWait = .milliseconds(100) }
    var found: PaymentRow?
    try await ServerWorld.run(setup) { world in
      world.provider.hold(.capture)
      found = try await world.placed(.authorized)
      try await world.until("sent") { world.provider.count(.capture) == 1 }
      world.store.failWrites(StoreError(.unusable, "killed"))
    }
    let row = try #require(found)
    setup.seed = 2
    try await ServerWorld.run(setup) { world in
      try await world.until("paid", within: .seconds(90)) {
        try await world.order(row.orderID).state == .paid
      }
      await world.pass(.seconds(90))
      #expect(world.provider.count(.capture) == 1)
      #expect(try await world.messages(row.orderID) == [.fulfil])
    }
  }

  @Test func `the same operation key is the same operation, and another amount a conflict`()
    async throws
  {
    try await ServerWorld.run(.manual) { world in
      let row = try await world.placed(.authorized)
      let first = try await world.operate("captures", row, "10.00", key: "o1")
      #expect(first.status == 200)
      #expect(try await world.operate("captures", row, "10.00", key: "o1").text == first.text)
      #expect(try await world.operate("captures", row, "10", key: "o1").text == first.text)
      for other in ["20.00", nil] {
        let answer = try await world.operate("captures", row, other, key: "o1")
        #expect(answer.status == 409)
        #expect(answer.text.contains("idempotency_mismatch"))
      }
      #expect(world.provider.count(.capture) == 1)
    }
  }

  private func retry(
    _ world: ServerWorld, _ row: PaymentRow, key: String
  ) async throws -> (status: Int, json: JSONValue) {
    try await world.checkout(
      key: key, #"{"provider":"tabby","order_id":"\#(row.orderID)"}"#)
  }
}
