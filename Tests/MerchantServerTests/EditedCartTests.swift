import CheckoutService
import KitEnvironment
import MerchantServer
import PaymentModels
import PaymentStore
import ProviderInterface
import StrictJSON
import TestSupport
import Testing

@Suite("FB-14 (b) A cart that is edited before it is paid")
struct EditedCartTests {
  private static func setup(
    _ close: ProviderCapabilities.Close, _ supersede: CheckoutSettings.Supersede = .deny
  ) -> ServerWorld.Setup {
    var setup = ServerWorld.Setup()
    setup.providers = [FakeProvider { $0.close = close }, FakeProvider(name: .futa, family: 8)]
    setup.tuneCheckouts = { $0.supersede = supersede }
    return setup
  }

  /// The order with two lamps in place of one.
  private func edit(
    _ world: ServerWorld, _ row: PaymentRow, key: String = "k2", provider: String = "tabby",
    quantity: Int = 2
  ) async throws -> (status: Int, json: JSONValue) {
    try await world.checkout(
      key: key,
      #"{"provider":"\#(provider)","order_id":"\#(row.orderID)","#
        + #""items":[{"product_id":"lamp","quantity":\#(quantity)}]}"#)
  }

  private func payment(_ json: JSONValue, _ world: ServerWorld) async throws -> PaymentRow {
    try await world.payment(PaymentID(try #require(json["payment_id"]?.text)))
  }

  @Test func `b: an edited cart is a new attempt under a new key, and the old one is cancelled`()
    async throws
  {
    try await ServerWorld.run(Self.setup(.unpaid)) { world in
      let row = try await world.placed()
      let answer = try await edit(world, row)
      #expect(answer.status == 201)
      #expect(answer.json["attempt"]?.int64 == 2)
      #expect(answer.json["amount"]?.text == "200.00")
      let second = try await payment(answer.json, world)
      #expect(second.orderID == row.orderID)
      #expect(second.createKey != row.createKey)
      #expect(second.checkoutURL != row.checkoutURL)
      #expect(world.provider.payments.map(\.amount?.minorUnits) == [10_000, 20_000])
      #expect(try await world.payment(row.id).status == .cancelled)
      let order = try await world.order(row.orderID)
      #expect(order.total.minorUnits == 20_000)
      #expect(order.lines.map(\.quantity) == [2])
      let id = try #require(second.providerPaymentID)
      world.provider.change(id) { $0.status = .authorized }
      try await world.deliver(world.provider.webhook(id))
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      #expect(try await world.messages(row.orderID) == [.fulfil])
    }
  }

  @Test func `b: where nothing can end the old attempt, the terms are frozen until it is over`()
    async throws
  {
    try await ServerWorld.run(Self.setup(.none)) { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      let answer = try await edit(world, row)
      #expect(answer.status == 409)
      #expect(answer.json["type"]?.text == "/problems/being_paid")
      #expect(try await world.paymentCount() == 1)
      #expect(try await world.order(row.orderID).total.minorUnits == 10_000)
      // The device that began it goes on with its page, and one that asks for the same gets it too.
      #expect(try await world.checkout(key: "k1").json["checkout_url"]?.text == row.checkoutURL)
      let same = try await edit(world, row, key: "k3", quantity: 1)
      #expect(same.json["checkout_url"]?.text == row.checkoutURL)
      world.provider.change(id) { $0.status = .expired }
      let later = try await edit(world, row)
      #expect(later.status == 201)
      #expect(later.json["attempt"]?.int64 == 2)
      #expect(later.json["amount"]?.text == "200.00")
    }
  }

  @Test(arguments: [CheckoutSettings.Supersede.deny, .allow])
  func `b: a cart is not changed under a payer who has paid, or while nobody can be asked`(
    supersede: CheckoutSettings.Supersede
  ) async throws {
    var setup = Self.setup(.authorized, supersede)
    setup.policy.capture = .manual
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      world.provider.always(.read, .fail(ProviderError(.unknown, detail: "out")))
      let unread = try await edit(world, row)
      #expect(unread.json["type"]?.text == "/problems/being_paid")
      world.provider.always(.read, nil)
      world.provider.change(id) { $0.status = .authorized }
      let answer = try await edit(world, row)
      #expect(answer.status == 409)
      #expect(try await world.order(row.orderID).total.minorUnits == 10_000)
      #expect(try await world.paymentCount() == 1)
    }
  }

  @Test func `b: a create that has no answer yet is not overtaken`() async throws {
    var setup = Self.setup(.unpaid, .allow)
    setup.tuneCheckouts = {
      $0.supersede = .allow
      $0.createWait = .milliseconds(100)
    }
    try await ServerWorld.run(setup) { world in
      world.provider.hold(.create)
      let row = try await payment(try await world.checkout().json, world)
      #expect(try await edit(world, row).json["type"]?.text == "/problems/being_paid")
      #expect(try await world.paymentCount() == 1)
    }
  }

  @Test func `b: where the merchant allows it, the old attempt is superseded and watched`()
    async throws
  {
    try await ServerWorld.run(Self.setup(.none, .allow)) { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      let second = try await payment(try await edit(world, row).json, world)
      #expect(second.attempt == 2)
      #expect(try await world.order(row.orderID).total.minorUnits == 20_000)
      // Its page is handed out no more, and it is no failure.
      let replay = try await world.checkout(key: "k1").json
      #expect(replay["checkout_url"]?.isNull == true)
      #expect(replay["state"]?.text == "created")
      // The new one ends: the old one does not come back for it.
      world.provider.change(try #require(second.providerPaymentID)) { $0.status = .expired }
      let third = try await payment(try await edit(world, row, key: "k3").json, world)
      #expect(third.attempt == 3)
      #expect(third.amount.minorUnits == 20_000)
      // Money for the old cart pays nothing and waits for a person.
      world.provider.change(id) { $0.status = .authorized }
      try await world.deliver(world.provider.webhook(id))
      try await world.until("case") {
        try await world.reviews(row.orderID).map(\.kind) == [.amountMismatch]
      }
      #expect(try await world.order(row.orderID).state == .needsReview)
      #expect(try await world.messages(row.orderID).contains(.fulfil) == false)
      #expect(world.provider.count(.capture) == 0)
    }
  }

  @Test func `b: another provider is another way to pay: frozen, or ended first`() async throws {
    try await ServerWorld.run(Self.setup(.none)) { world in
      let row = try await world.placed()
      let answer = try await world.checkout(
        key: "k2", #"{"provider":"futa","order_id":"\#(row.orderID)"}"#)
      #expect(answer.json["type"]?.text == "/problems/being_paid")
    }
    try await ServerWorld.run(Self.setup(.unpaid)) { world in
      let row = try await world.placed()
      let answer = try await world.checkout(
        key: "k2", #"{"provider":"futa","order_id":"\#(row.orderID)"}"#)
      #expect(answer.status == 201)
      #expect(answer.json["provider"]?.text == "futa")
      #expect(try await world.payment(row.id).status == .cancelled)
    }
  }

  @Test func `b: a pause of new checkouts ends no old one`() async throws {
    try await ServerWorld.run(Self.setup(.unpaid)) { world in
      let row = try await world.placed()
      _ = try await world.send(
        "POST", "/v1/providers/futa/pause",
        body: Array(#"{"reason":"maintenance"}"#.utf8))
      let answer = try await world.checkout(
        key: "k2", #"{"provider":"futa","order_id":"\#(row.orderID)"}"#)
      #expect(answer.json["type"]?.text == "/problems/provider_paused")
      #expect(try await world.payment(row.id).status == .created)
    }
  }

  @Test func `b: an order that may be tried no more keeps the page that it has`() async throws {
    var setup = Self.setup(.unpaid)
    setup.tuneCheckouts = { $0.attemptsMax = 1 }
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed()
      #expect(try await edit(world, row).status == 409)
      #expect(try await world.payment(row.id).status == .created)
      #expect(world.provider.count(.close) == 0)
      #expect(try await world.checkout(key: "k1").json["checkout_url"]?.text == row.checkoutURL)
    }
  }

  @Test func `b: a new order for another cart is an order of its own`() async throws {
    try await ServerWorld.run(Self.setup(.none)) { world in
      let row = try await world.placed()
      let other = try await world.checkout(
        key: "k2", #"{"provider":"tabby","items":[{"product_id":"lamp","quantity":2}]}"#
      ).json
      #expect(other["order_id"]?.text != row.orderID.rawValue)
      #expect(try await payment(other, world).createKey != row.createKey)
      // The payment for the old cart is left to end by itself, and takes nothing with it.
      let old = try #require(row.providerPaymentID)
      world.provider.change(old) { $0.status = .expired }
      try await world.deliver(world.provider.webhook(old))
      try await world.until("ended") { try await world.payment(row.id).status == .expired }
      #expect(try await payment(other, world).checkoutURL != nil)
    }
  }
}
