import PaymentModels
import PaymentStore
import ProviderInterface
import StatusSync
import TestSupport
import Testing

@Suite("The body of a signed webhook counts as proof where a read cannot answer")
struct SignedBodyTests {
  private static let out = FakeProvider.Fault.fail(ProviderError(.unknown, detail: "out"))

  private static func paid(_ row: PaymentRow) throws -> PaymentReading {
    PaymentReading(
      providerPaymentID: try #require(row.providerPaymentID), status: .captured,
      amount: row.amount, paymentReference: row.id.rawValue,
      items: [
        PaymentItem(
          kind: .capture, providerItemID: "c-1", reference: nil, amount: row.amount,
          createdAt: nil)
      ])
  }

  private static func proof(
    _ reading: PaymentReading, at: Instant? = nil, supplements: Bool = false
  ) -> SignedDelivery {
    SignedDelivery(
      proof: WebhookProof(reading: reading, occurredAt: at, supplementsRead: supplements))
  }

  private static func notes(_ world: ServerWorld, _ row: PaymentRow) async throws -> [String] {
    try await world.store.read { try $0.journal(of: row.orderID, limit: 100) }
      .filter { $0.event == "signed webhook" && $0.trust == .notification }.compactMap(\.note)
  }

  @Test func `it pays the order when the read after it fails`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      world.provider.always(.read, Self.out)
      let reads = world.provider.count(.read)
      try await world.deliver(
        world.provider.webhook(id, named: "paid", Self.proof(Self.paid(row))))
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      #expect(world.provider.count(.read) > reads)
      #expect(try await world.messages(row.orderID) == [.fulfil])
      let entry = try #require(
        try await world.store.read { try $0.journal(of: row.orderID, limit: 100) }
          .first { $0.event == "signed webhook" })
      #expect(entry.channel == .webhook)
      #expect(entry.trust == .proof)
      // The read is still owed, and says the same.
      world.provider.change(id) { $0 = (try? Self.paid(row)) ?? $0 }
      world.provider.always(.read, nil)
      try await world.until("read", within: .seconds(400)) {
        try await world.payment(row.id).schedule.failedReads == 0
      }
      #expect(try await world.reviews(row.orderID) == [])
      #expect(try await world.messages(row.orderID) == [.fulfil])
    }
  }

  @Test func `a read that answers stands before it`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      try await world.deliver(
        world.provider.webhook(id, named: "paid", Self.proof(Self.paid(row))))
      await world.pass(.seconds(10))
      #expect(try await world.payment(row.id).status == .created)
      #expect(try await world.messages(row.orderID) == [])
    }
  }

  @Test func `what no read can tell counts beside a read that answered`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed(.captured)
      let id = try #require(row.providerPaymentID)
      world.provider.change(id) { $0 = (try? Self.paid(row)) ?? $0 }
      try await world.deliver(world.provider.webhook(id, rest: "again"))
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      var reading = try Self.paid(row)
      reading.items = [
        PaymentItem(
          kind: .refund, providerItemID: "r-1", reference: nil, amount: row.amount,
          createdAt: nil)
      ]
      try await world.deliver(
        world.provider.webhook(id, named: "refunded", Self.proof(reading, supplements: true)))
      try await world.until("refunded") {
        try await world.order(row.orderID).state == .refunded
      }
      #expect(try await world.messages(row.orderID).suffix(2) == [.refunded, .revoke])
    }
  }

  @Test func `where only a read proves that it is paid, the body waits for that read`()
    async throws
  {
    var setup = ServerWorld.Setup()
    setup.providers = [FakeProvider { $0.paidProofs = [.read] }]
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      var reading = try Self.paid(row)
      reading.transactionID = "tx-1"
      let told = reading
      try await world.deliver(
        world.provider.webhook(id, named: "paid", Self.proof(told, supplements: true)))
      try await world.until("told") { try await Self.notes(world, row).count == 1 }
      #expect(
        try await Self.notes(world, row) == ["no proof: only a read proves here that it is paid"])
      #expect(try await world.order(row.orderID).state == .pending)
      world.provider.change(id) { reading in
        reading = told
        reading.transactionID = nil
      }
      try await world.until("known", within: .seconds(200)) {
        try await world.payment(row.id).transactionID == "tx-1"
      }
      #expect(try await world.messages(row.orderID) == [.fulfil])
    }
  }

  @Test func `a later read that disagrees opens a review and takes nothing back by itself`()
    async throws
  {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      world.provider.always(.read, Self.out)
      try await world.deliver(
        world.provider.webhook(id, named: "paid", Self.proof(Self.paid(row))))
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      world.provider.always(.read, nil)
      try await world.until("reviewed", within: .seconds(400)) {
        try await world.reviews(row.orderID).map(\.kind) == [.unexpectedTransition]
      }
      #expect(try await !world.messages(row.orderID).contains(.revoke))
    }
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    let name: String
    let note: String
    let change: @Sendable (inout PaymentReading) -> Void
    var testDescription: String { name }
  }

  @Test(arguments: [
    Fault(name: "another amount", note: "asked 100.00 AED, it says 1.00 AED") {
      $0.amount = Money(minorUnits: 100, currency: Sample.aed)
    },
    Fault(name: "another currency", note: "asked 100.00 AED, it says 100.00 SAR") {
      $0.amount = Money(minorUnits: 10_000, currency: Sample.currency("SAR"))
    },
    Fault(name: "no amount", note: "it carries no amount") { $0.amount = nil },
    Fault(name: "another payment of ours", note: "it names another order") {
      $0.paymentReference = Sample.paymentID(9).rawValue
    },
    Fault(name: "another order", note: "it names another order") { $0.orderReference = "o-9" },
    Fault(name: "a word that nobody knows", note: "it carries an unknown state, PAYED") {
      $0.status = .unknown("PAYED")
    },
    Fault(
      name: "a payment that nobody has read",
      note: "it names a payment that no read has shown to be this one"
    ) { $0.providerPaymentID = ProviderPaymentID(Sample.uuid(8, 8)) },
  ])
  func `a body that does not fit stays a notification, and the journal says why`(
    fault: Fault
  ) async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      world.provider.always(.read, Self.out)
      var reading = try Self.paid(row)
      fault.change(&reading)
      try await world.deliver(world.provider.webhook(id, named: "x", Self.proof(reading)))
      try await world.until("told") { try await Self.notes(world, row).count == 1 }
      #expect(try await Self.notes(world, row) == ["no proof: \(fault.note)"])
      #expect(try await world.payment(row.id).status == .created)
      #expect(try await world.order(row.orderID).state == .pending)
      // It goes on to ask for the read, and says nothing twice.
      let reads = world.provider.count(.read)
      try await world.until("read again") { world.provider.count(.read) > reads + 2 }
      #expect(try await Self.notes(world, row).count == 1)
    }
  }

  @Test func `a delivery to another account proves nothing`() async throws {
    var setup = ServerWorld.Setup()
    let other = FakeProvider(account: "ksa", secrets: ["s-other"], family: 8)
    setup.providers.append(other)
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      world.provider.always(.read, Self.out)
      try await world.deliver(other.webhook(id, named: "x", Self.proof(Self.paid(row))))
      try await world.until("told") { try await Self.notes(world, row).count == 1 }
      #expect(try await Self.notes(world, row) == ["no proof: it came to another account"])
      #expect(try await world.order(row.orderID).state == .pending)
    }
  }

  @Test func `an older body is no proof, and its replay lowers nothing`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      let start = world.clock.now
      world.provider.always(.read, Self.out)
      try await world.deliver(
        world.provider.webhook(
          id, named: "paid", Self.proof(Self.paid(row), at: start + .seconds(2))))
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      var older = try Self.paid(row)
      older.items = []
      for (name, status) in [("a", PaymentStatus.pending), ("b", .captured), ("c", .rejected)] {
        older.status = status
        try await world.deliver(
          world.provider.webhook(id, named: name, Self.proof(older, at: start + .seconds(1))))
      }
      try await world.until("told") { try await Self.notes(world, row).count == 3 }
      #expect(try await world.payment(row.id).status == .captured)
      #expect(try await world.order(row.orderID).state == .paid)
      #expect(try await world.messages(row.orderID) == [.fulfil])
    }
  }

  @Test func `one that may tell what no read can is tried longer than a notification`()
    async throws
  {
    var setup = ServerWorld.Setup()
    setup.tuneSync = {
      $0.webhookTriesMax = 2
      $0.proofTriesMax = 4
    }
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      world.provider.always(.read, Self.out)
      var reading = try Self.paid(row)
      reading.amount = nil
      try await world.deliver(world.provider.webhook(id, rest: "notification"))
      try await world.deliver(world.provider.webhook(id, named: "proof", Self.proof(reading)))
      let parked = try await world.until("both parked", within: .seconds(600)) {
        let rows = try await world.store.read { try $0.heldWebhooks() }
        return rows.count == 2 ? rows : nil
      }
      #expect(parked.filter { !$0.isProof }.map(\.tries) == [1])
      #expect(parked.filter(\.isProof).map(\.tries) == [3])
    }
  }
}
