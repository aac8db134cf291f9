import HTTPExchange
import PaymentModels
import PaymentStore
import SQLitePaymentStore
import StrictJSON
import SystemRuntime
import TestSupport
import Testing

/// A store that counts what it was asked and has not answered, so that no time passes meanwhile.
private struct CountedStore: PaymentStore {
  let inner: SQLitePaymentStore
  let open: Locked<Int>

  func write<Result: Sendable>(
    _ body: @escaping @Sendable (any PaymentTransaction) throws -> Result
  ) async throws -> Result {
    try await counted { try await inner.write(body) }
  }

  func read<Result: Sendable>(
    _ body: @escaping @Sendable (any PaymentTransaction) throws -> Result
  ) async throws -> Result {
    try await counted { try await inner.read(body) }
  }

  func checkpoint() async throws { try await counted { try await inner.checkpoint() } }

  private func counted<Result>(_ work: () async throws -> Result) async throws -> Result {
    open.withLock { $0 += 1 }
    defer { open.withLock { $0 -= 1 } }
    return try await work()
  }
}

@Suite("Two servers on one SQLite file")
struct TwoServersOneFileTests {
  /// Runs two servers, each with connections of its own, at one provider and on one clock.
  private func run(_ body: (ServerWorld, ServerWorld) async throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
      let open = Locked(0)
      var setups: [ServerWorld.Setup] = []
      var stores: [SQLitePaymentStore] = []
      for seed in [UInt64(1), 2] {
        var setup = ServerWorld.Setup()
        let relay = setup.commits
        let store = try SQLitePaymentStore.open(
          path: "\(directory)/till.sqlite", onCommit: { relay.tell($0) })
        setup.store = CountedStore(inner: store, open: open)
        setup.policy = SettlementPolicy(capture: .manual)
        setup.isSettled = { open.withLock { $0 == 0 } }
        setup.seed = seed
        if let first = setups.first {
          (setup.clock, setup.providers) = (first.clock, first.providers)
        }
        setups.append(setup)
        stores.append(store)
      }
      let (first, second) = (setups[0], setups[1])
      try await ServerWorld.run(first) { one in
        try await ServerWorld.run(second) { two in try await body(one, two) }
      }
      for store in stores { await store.close() }
    }
  }

  private func operate(
    _ world: ServerWorld, _ path: String, _ body: String, key: String
  ) async throws -> Int {
    try await world.send("POST", path, key: key, body: Array(body.utf8)).status
  }

  private func capture(_ world: ServerWorld, _ row: PaymentRow) async throws -> Int {
    try await operate(
      world, "/v1/payments/\(row.id)/captures", #"{"reason":"packed"}"#, key: "c")
  }

  private func cancel(_ world: ServerWorld, _ row: PaymentRow) async throws -> Int {
    try await operate(
      world, "/v1/orders/\(row.orderID)/cancel", #"{"reason":"asked"}"#, key: "x")
  }

  private func captured(_ world: ServerWorld) async throws -> PaymentRow {
    let row = try await world.placed(.authorized)
    #expect(try await capture(world, row) == 200)
    return try await world.payment(row.id)
  }

  @Test(arguments: [2, 6])
  func `refunds at the same moment never take more than there is`(count: Int) async throws {
    try await run { one, two in
      let row = try await captured(one)
      one.provider.hold(.refund)
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<count {
          let world = number.isMultiple(of: 2) ? one : two
          group.addTask {
            try await operate(
              world, "/v1/payments/\(row.id)/refunds", #"{"amount":"60.00","reason":"r"}"#,
              key: "r\(number)")
          }
        }
        try await one.until("one is sent") { one.provider.heldCount == 1 }
        await one.pause(.milliseconds(100))
        one.provider.release(.refund)
        let statuses = try await group.reduce(into: [Int]()) { $0.append($1) }
        #expect(statuses.sorted() == [200] + Array(repeating: 409, count: count - 1))
      }
      #expect(one.provider.count(.refund) == 1)
      #expect(try await two.store.read { try $0.items(of: row.id) }.sum(.refund) == 6_000)
    }
  }

  @Test func `one key at both is one refund and one call`() async throws {
    try await run { one, two in
      let row = try await captured(one)
      let (path, body) = ("/v1/payments/\(row.id)/refunds", #"{"amount":"60.00","reason":"r"}"#)
      async let here = operate(one, path, body, key: "same")
      async let there = operate(two, path, body, key: "same")
      let statuses = try await [here, there]
      #expect(statuses.allSatisfy { [200, 202].contains($0) })
      try await one.until("done") {
        try await one.operations(row.id).allSatisfy { $0.state == .done }
      }
      await one.pass(.seconds(60))
      #expect(one.provider.count(.refund) == 1)
    }
  }

  @Test(arguments: [true, false])
  func `a capture and a cancel at once are one call each at the most, and never both done`(
    captureFirst: Bool
  ) async throws {
    try await run { one, two in
      let row = try await one.placed(.authorized)
      async let here = captureFirst ? capture(one, row) : cancel(one, row)
      async let there = captureFirst ? cancel(two, row) : capture(two, row)
      let statuses = try await [here, there]
      #expect(statuses.allSatisfy { [200, 202, 409].contains($0) }, "\(statuses)")
      try await one.until("settled", within: .seconds(90)) {
        try await one.operations(row.id).allSatisfy { !$0.isInFlight }
      }
      await one.pass(.seconds(30))
      let done = try await one.operations(row.id).filter { $0.state == .done }
      #expect(one.provider.count(.capture) <= 1 && one.provider.count(.close) <= 1)
      #expect(done.count { $0.kind == .capture } + done.count { $0.kind == .close } == 1)
      let items = try await two.store.read { try $0.items(of: row.id) }
      let taken = done.contains { $0.kind == .capture } ? row.amount.minorUnits : 0
      #expect(items.sum(.capture) == taken)
    }
  }

  @Test func `one key at both is one checkout and one call`() async throws {
    try await run { one, two in
      one.provider.hold(.create)
      async let here = one.checkout()
      async let there = two.checkout()
      try await one.until("asked") { one.provider.heldCount == 1 }
      await one.pass(.seconds(1))
      one.provider.release(.create)
      let answers = try await [here, there]
      #expect(answers.allSatisfy { [201, 202].contains($0.status) })
      #expect(Set(answers.compactMap { $0.json["payment_id"]?.text }).count == 1)
      await one.pass(.seconds(30))
      #expect(one.provider.count(.create) == 1)
      #expect(try await two.paymentCount() == 1)
    }
  }

  @Test func `a delivery to one and a due read at the other are one call at a time`()
    async throws
  {
    try await run { one, two in
      let row = try await one.placed()
      let id = try #require(row.providerPaymentID)
      one.provider.change(id) { $0.status = .authorized }
      one.provider.hold(.read)
      let before = one.provider.count(.read)
      try await two.store.write { transaction in
        var schedule = try #require(try transaction.payment(row.id)).schedule
        schedule.nextReadAt = two.clock.now
        try transaction.schedulePayment(row.id, schedule)
      }
      #expect(try await one.deliver(one.provider.webhook(id, for: row.id, rest: "w")) == 200)
      try await one.until("asked") { one.provider.heldCount == 1 }
      await one.pass(.seconds(5))
      #expect(one.provider.count(.read) == before + 1)
      one.provider.release(.read)
      try await one.until("known") { try await two.payment(row.id).status == .authorized }
      try await one.until("worked on", within: .seconds(90)) {
        try await two.store.read {
          try $0.webhooks(in: .processed, at: nil, before: nil, limit: 9).count
        } == 1
      }
    }
  }
}
