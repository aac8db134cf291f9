import HTTPExchange
import MerchantAPI
import PaymentModels
import PaymentStore
import ProviderInterface
import StatusSync
import StrictJSON
import TestSupport
import Testing

@Suite("The providers' books compared with ours")
struct ReconcileTests {
  private var setup: ServerWorld.Setup {
    var setup = ServerWorld.Setup()
    setup.policy = SettlementPolicy(capture: .manual)
    setup.providers = [FakeProvider(tune: { $0.listing = .holdingMoney })]
    return setup
  }

  private struct Answer {
    var found: [String] = []
    var left: [String] = []
    var pages: [JSONValue] = []

    func all(_ name: String) -> [JSONValue] { pages.flatMap { $0[name]?.elements ?? [] } }
  }

  /// Asks for all pages.
  private func reconcile(
    _ world: ServerWorld, applies: Bool = false, since: Int64 = 86_400
  ) async throws -> Answer {
    var answer = Answer()
    var cursor: String?
    repeat {
      let body = ReconcileBody(sinceSeconds: since, applies: applies, cursor: cursor)
      let response = try await world.send(
        "POST", "/v1/reconcile", body: body.json.serialized())
      #expect(response.status == 200)
      let page = try JSONValue(parsing: response.body)
      answer.pages.append(page)
      cursor = page["next_cursor"]?.text
    } while cursor != nil && answer.pages.count < 100
    for finding in answer.all("differences") {
      let kind = finding["kind"]?.text ?? "?"
      answer.found.append(kind)
      if finding["settled"]?.boolean != true { answer.left.append(kind) }
    }
    answer.found.sort()
    answer.left.sort()
    return answer
  }

  /// Payment `number` of an order of its own, the same on both sides.
  @discardableResult
  private func plant(
    _ world: ServerWorld, _ number: Int, _ status: PaymentStatus,
    told: @Sendable (inout PaymentReading) -> Void = { _ in }
  ) async throws -> PaymentRow {
    try await world.store.seed(order: number, payments: 0)
    var row = Sample.payment(number, order: number)
    row.createState = .created
    row.providerPaymentID = world.provider.id(number)
    row.status = status
    row.createdAt = world.clock.now
    row.schedule.nextReadAt = world.clock.now + .seconds(86_400)
    let items = status == .captured ? [Self.item("c-\(number)", .capture, 15_000)] : []
    var reading = PaymentReading(
      providerPaymentID: world.provider.id(number), status: status, amount: row.amount,
      orderReference: row.orderID.rawValue, paymentReference: row.id.rawValue, mode: .test,
      items: items)
    told(&reading)
    world.provider.add(reading)
    let planted = row
    try await world.store.write { transaction in
      try transaction.insertPayment(planted)
      for item in items { try transaction.putItem(item, of: planted.id) }
    }
    return planted
  }

  private static func item(
    _ id: String, _ kind: PaymentItem.Kind, _ amount: Int64, reference: String? = nil
  ) -> PaymentItem {
    PaymentItem(
      kind: kind, providerItemID: id, reference: reference,
      amount: Money(minorUnits: amount, currency: Sample.aed),
      createdAt: Sample.start - .seconds(7_200))
  }

  /// Six differences, and payments on which both sides agree.
  private func plantSix(_ world: ServerWorld) async throws {
    try await plant(world, 1, .created) {
      $0.status = .captured
      $0.items = [Self.item("c-1", .capture, 15_000)]
    }
    try await plant(world, 2, .captured) {
      $0.items.append(
        Self.item("r-2", .refund, 1_000, reference: Sample.operationID(2).rawValue))
    }
    var refund = Sample.operation(2, payment: 2)
    refund.state = .unknown
    refund.createdAt = world.clock.now - .seconds(7_200)
    refund.nextTryAt = world.clock.now + .seconds(86_400)
    let stuck = refund
    try await world.store.write { try $0.insertOperation(stuck) }
    world.provider.add(
      PaymentReading(
        providerPaymentID: world.provider.id(99), status: .captured,
        amount: Money(minorUnits: 700, currency: Sample.aed)))
    try await plant(world, 4, .authorized) {
      $0.amount = Money(minorUnits: 14_000, currency: Sample.aed)
    }
    try await plant(world, 5, .authorized) {
      $0.amount = Money(minorUnits: 15_000, currency: Sample.currency("SAR"))
    }
    try await plant(world, 6, .captured) { $0.items.append(Self.item("r-6", .refund, 4_000)) }
    try await plant(world, 7, .captured)
    try await plant(world, 8, .pending)
  }

  private static let six = ["amount", "currency", "missing", "orphan", "refunded", "stuck"]
  private static let forPeople = ["amount", "currency", "orphan"]

  @Test func `six planted differences are named, and after apply those alone that people decide`()
    async throws
  {
    try await ServerWorld.run(setup) { world in
      try await plantSix(world)
      let before = try await rows(world)
      let dry = try await reconcile(world)
      #expect(dry.found == Self.six)
      #expect(dry.left == Self.six)
      #expect(dry.all("not_read") == [])
      #expect(try await rows(world) == before, "nothing was changed")
      let applied = try await reconcile(world, applies: true)
      #expect(applied.found == Self.six)
      #expect(applied.left == Self.forPeople)
      let after = try await reconcile(world)
      #expect(after.found == Self.forPeople)
      #expect(try await world.operations(Sample.paymentID(2)).map(\.state) == [.done])
      #expect(try await world.order(Sample.orderID(1)).state == .paid)
    }
  }

  private func rows(_ world: ServerWorld) async throws -> [Int64] {
    try await world.store.read { try $0.payments(before: nil, limit: 100).map(\.version) }
  }

  @Test func `sums of both sides stand side by side, by account and currency`() async throws {
    try await ServerWorld.run(setup) { world in
      try await plantSix(world)
      let total = try #require(try await reconcile(world).all("totals").first)
      #expect(total["currency"]?.text == "AED")
      #expect(total["compared"]?.int64 == 7)
      #expect(total["captured"]?["booked_minor_units"]?.int64 == 45_000)
      #expect(total["captured"]?["told_minor_units"]?.int64 == 60_000)
      #expect(total["gone_back"]?["booked_minor_units"]?.int64 == 0)
      #expect(total["gone_back"]?["told_minor_units"]?.int64 == 5_000)
    }
  }

  @Test func `it tells which channel learned an outcome first, and how late`() async throws {
    try await ServerWorld.run(setup) { world in
      try await plantSix(world)
      let learned = try await reconcile(world, applies: true).all("learned")
      let capture = try #require(learned.first { $0["outcome"]?.text == "captured" })
      #expect(capture["channel"]?.text == "reconcile")
      let late = try #require(capture["late_ms"]?.int64)
      #expect((7_200_000..<7_260_000).contains(late))
      let journal = try await world.get("/v1/orders/\(Sample.orderID(1))/journal")["journal"]
      #expect(journal?.elements?.contains { $0["channel"]?.text == "reconcile" } == true)
    }
  }

  @Test(arguments: [ProviderError.Kind.throttled, .unknown, .unauthorized, .notSent, .refused])
  func `what could not be read is no difference and no end`(_ kind: ProviderError.Kind)
    async throws
  {
    try await ServerWorld.run(setup) { world in
      try await plantSix(world)
      world.provider.always(.read, .fail(ProviderError(kind, detail: "out")))
      world.provider.always(.list, .fail(ProviderError(kind, detail: "out")))
      let before = try await rows(world)
      let answer = try await reconcile(world, applies: true)
      #expect(answer.found == [])
      #expect(answer.all("not_read").count == 8, "seven payments and one list")
      #expect(try await rows(world) == before)
      let isShut = kind == .throttled || kind == .unauthorized
      #expect(world.provider.count(.read) == (isShut ? 1 : 7), "an account is asked no further")
    }
  }

  @Test func `a payment is chosen by what happened and what may go back, not by its age`()
    async throws
  {
    try await ServerWorld.run(setup) { world in
      try await plant(world, 1, .captured)
      try await plant(world, 2, .expired)
      try await plant(world, 3, .expired)
      try await world.store.write { transaction in
        for number in 1...3 {
          guard var row = try transaction.payment(Sample.paymentID(number)) else { continue }
          row.createdAt = row.createdAt - .seconds(90 * 86_400)
          try transaction.updatePayment(row)
        }
        try transaction.appendJournal(
          JournalEntry(
            at: Sample.start, orderID: nil, paymentID: Sample.paymentID(3), channel: .device,
            trust: .hint, event: "return"))
      }
      _ = try await reconcile(world)
      #expect(world.provider.calls(world.provider.id(1)) == [.read], "money may go back")
      #expect(world.provider.calls(world.provider.id(2)) == [])
      #expect(world.provider.calls(world.provider.id(3)) == [.read], "something happened")
    }
  }

  @Test func `a lost create's paid payment is found in the list and adopted`() async throws {
    try await ServerWorld.run(setup) { world in
      let row = try await plant(world, 1, .created)
      world.provider.add(
        PaymentReading(
          providerPaymentID: world.provider.id(50), status: .captured, amount: row.amount,
          orderReference: row.orderID.rawValue, paymentReference: row.id.rawValue, mode: .test,
          items: [Self.item("c-50", .capture, 15_000)]))
      let dry = try await reconcile(world)
      #expect(dry.found == ["orphan"])
      #expect(dry.all("differences").first?["settled_by"]?.text == "read")
      #expect(try await reconcile(world, applies: true).left == [])
      #expect(try await world.order(row.orderID).state == .paid)
      #expect(try await reconcile(world).found == [])
    }
  }

  @Test func `pages are bounded, and all of them together see each payment once`() async throws {
    var setup = setup
    setup.tuneSync = {
      $0.reconcile.rowsMax = 3
      $0.reconcile.readsMax = 2
    }
    try await ServerWorld.run(setup) { world in
      try await plantSix(world)
      let answer = try await reconcile(world)
      #expect(answer.found == Self.six)
      #expect(answer.pages.count >= 4)
      #expect(answer.pages.first?["payments"]?.int64 == 7)
      #expect(answer.pages.compactMap { $0["examined"]?.int64 }.reduce(0, +) == 7)
      #expect(world.provider.count(.read) == 7)
    }
  }

  @Test func `it says what cannot be found`() async throws {
    var setup = setup
    setup.providers = [
      FakeProvider(), FakeProvider(name: .rais, family: 8, tune: { $0.undoneProofs = [] }),
    ]
    try await ServerWorld.run(setup) { world in
      let limits = try await reconcile(world).all("cannot_find")
      let texts = limits.map { $0["cannot_find"]?.elements?.compactMap(\.text) ?? [] }
      #expect(texts.count == 2)
      #expect(texts[0].contains { $0.contains("orphans cannot be found") })
      #expect(texts[1].contains("no read shows refunds or disputes made elsewhere"))
    }
  }

  @Test(arguments: [
    #"{"since_seconds":0}"#, #"{"since_seconds":"24h"}"#, "{}",
    #"{"since_seconds":60,"apply":"yes"}"#, #"{"since_seconds":60,"cursor":"list:9:"}"#,
    #"{"since_seconds":60,"cursor":"book:x"}"#, #"{"since_seconds":60,"all":true}"#,
  ])
  func `a body that is not understood is refused`(_ body: String) async throws {
    try await ServerWorld.run(setup) { world in
      let answer = try await world.send("POST", "/v1/reconcile", body: Array(body.utf8))
      #expect(answer.status == 422)
    }
  }

  @Test func `it takes an operator key`() async throws {
    try await ServerWorld.run(setup) { world in
      let answer = try await world.send(
        "POST", "/v1/reconcile", token: ServerWorld.user,
        body: Array(#"{"since_seconds":60}"#.utf8))
      #expect(answer.status == 403)
    }
  }
}
