import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface
import StatusSync
import TestSupport
import Testing

@Suite("What a delivery is taken for")
struct DeliveryVerdictTests {
  private static let out = FakeProvider.Fault.fail(ProviderError(.unknown, detail: "out"))

  private static func rows(
    _ world: ServerWorld, _ state: WebhookRow.State
  ) async throws -> [WebhookRow] {
    try await world.store.read { try $0.webhooks(in: state, at: nil, before: nil, limit: 99) }
  }

  @Test func `a test event at a live account is stored as rejected, with one alert a day`()
    async throws
  {
    var setup = ServerWorld.Setup()
    setup.providers = [
      FakeProvider(mode: .live),
      FakeProvider(account: "ksa", secrets: ["s-ksa"], family: 8, mode: .live),
    ]
    let ksa = setup.providers[1]
    try await ServerWorld.run(setup) { world in
      let test = SignedDelivery(mode: .test)
      let alert = "deliveries come that are not for this account"
      for number in 1...5 {
        let id = world.provider.id(number)
        #expect(try await world.deliver(world.provider.webhook(id, named: "a", test)) == 200)
      }
      let rejected = try await Self.rows(world, .rejected)
      #expect(rejected.count == 5)
      #expect(rejected.first?.detail == "a test event, and the account is live")
      #expect(world.log.count(.error, alert) == 1)
      // The same once more is counted on the first.
      try await world.deliver(world.provider.webhook(world.provider.id(1), named: "a", test))
      #expect(try await Self.rows(world, .rejected).map(\.deliveries).max() == 2)
      #expect(world.log.count(.error, alert) == 1)
      // Another account has an alert of its own.
      try await world.deliver(ksa.webhook(ksa.id(1), named: "b", test))
      #expect(world.log.count(.error, alert) == 2)
      world.clock.setWall(world.clock.now + .seconds(86_400))
      try await world.deliver(world.provider.webhook(world.provider.id(9), named: "c", test))
      #expect(world.log.count(.error, alert) == 3)
      await world.pass(.seconds(2))
      #expect(world.provider.count(.read) == 0)
      // One that is for the account is taken.
      let live = SignedDelivery(mode: .live)
      try await world.deliver(world.provider.webhook(world.provider.id(10), named: "d", live))
      try await world.until("unmatched") { try await Self.rows(world, .unmatched).count == 1 }
    }
  }

  @Test func `a body from the future makes no later one look older`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      world.provider.always(.read, Self.out)
      let deliver = { (name: String, status: PaymentStatus, ahead: Duration) in
        let reading = PaymentReading(
          providerPaymentID: id, status: status, amount: row.amount,
          paymentReference: row.id.rawValue)
        let proof = WebhookProof(
          reading: reading, occurredAt: world.clock.now + ahead, supplementsRead: false)
        try await world.deliver(
          world.provider.webhook(id, named: name, SignedDelivery(proof: proof)))
      }
      try await deliver("a", .pending, .seconds(10 * 365 * 86_400))
      try await world.until("pending") { try await world.payment(row.id).status == .pending }
      let known = try #require(try await world.payment(row.id).lastEventAt)
      #expect(known <= world.clock.now)
      await world.pause(.seconds(2))
      try await deliver("b", .authorized, .zero)
      try await world.until("authorized") {
        try await world.payment(row.id).status == .authorized
      }
    }
  }

  @Test(arguments: [(Duration.seconds(300), true), (.milliseconds(300_001), false)])
  func `a clock that is a little ahead keeps its own order`(
    ahead: Duration, isKept: Bool
  ) async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      world.provider.always(.read, Self.out)
      let at = world.clock.now + ahead
      let reading = PaymentReading(
        providerPaymentID: id, status: .pending, amount: row.amount,
        paymentReference: row.id.rawValue)
      let proof = WebhookProof(reading: reading, occurredAt: at, supplementsRead: false)
      try await world.deliver(
        world.provider.webhook(id, named: "a", SignedDelivery(proof: proof)))
      try await world.until("pending") { try await world.payment(row.id).status == .pending }
      #expect(try await (world.payment(row.id).lastEventAt == at) == isKept)
    }
  }

  @Test func `an event that a wrong setting made nothing of is news once the setting is mended`()
    async throws
  {
    try await ServerWorld.run { world in
      let row = try await world.placed(.pending)
      let id = try #require(row.providerPaymentID)
      let state = {
        try await world.store.read {
          try $0.webhook(world.provider.name, world.provider.account, eventID: "evt-1")
        }
      }
      // Of a kind that the settings do not know.
      try await world.deliver(
        world.provider.webhook(
          id, named: "a", SignedDelivery(eventID: "evt-1", isIgnored: true)))
      #expect(try await state()?.state == .processed)
      await world.pass(.seconds(3))
      world.provider.change(id) { $0.status = .authorized }
      try await world.deliver(
        world.provider.webhook(id, named: "a", SignedDelivery(eventID: "evt-1")))
      try await world.until("paid", within: .seconds(5)) {
        try await world.order(row.orderID).state == .paid
      }
      #expect(try await state()?.deliveries == 2)
    }
  }

  @Test func `a proof that did not count is looked at again when it comes again`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed(.pending)
      let id = try #require(row.providerPaymentID)
      let event = { (amount: Money) in
        var reading = PaymentReading(
          providerPaymentID: id, status: .pending, amount: amount,
          paymentReference: row.id.rawValue)
        reading.dispute = .opened
        return SignedDelivery(
          proof: WebhookProof(reading: reading, occurredAt: nil, supplementsRead: true),
          eventID: "evt-1")
      }
      let wrong = Money(minorUnits: row.amount.minorUnits / 100, currency: row.amount.currency)
      try await world.deliver(world.provider.webhook(id, named: "a", event(wrong)))
      try await world.until("done") {
        try await Self.rows(world, .processed).contains { $0.eventID == "evt-1" }
      }
      let stored = try await Self.rows(world, .processed).first { $0.eventID == "evt-1" }
      #expect(stored?.detail?.hasPrefix("its body proves nothing: asked") == true)
      #expect(try await world.payment(row.id).dispute == nil)
      await world.pass(.seconds(3))
      try await world.deliver(world.provider.webhook(id, named: "a", event(row.amount)))
      try await world.until("told", within: .seconds(5)) {
        try await world.payment(row.id).dispute == .opened
      }
    }
  }
}
