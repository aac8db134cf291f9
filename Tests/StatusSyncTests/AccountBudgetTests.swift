import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface
@testable import StatusSync
import StrictJSON
import TestSupport
import Testing

@Suite("Reads of an account within a minute")
struct AccountBudgetTests {
  private static let later: Duration = .seconds(1_000)

  /// One that has been there for more than a minute.
  private func budget(_ limit: Int) -> ReadBudget { ReadBudget(limit: limit, at: .zero) }

  @Test(arguments: [1, 2, 3, 10, 60, 2_700])
  func `so many fit into any minute, and one more does not`(limit: Int) {
    var budget = budget(limit)
    var taken = 0
    for second in 0..<600 {
      for use in ReadBudget.Use.allCases {
        while budget.take(use, at: Self.later + .seconds(second)) { taken += 1 }
      }
      if second == 0 { #expect(taken == limit) }
      if second == 59 { #expect(taken == limit) }
      if second == 60 { #expect(taken == limit * 2) }
    }
    #expect(taken == limit * 10)
  }

  @Test(arguments: ReadBudget.Use.allCases)
  func `no use takes the least share of another`(use: ReadBudget.Use) {
    var budget = budget(100)
    var taken = 0
    while budget.take(use, at: Self.later) { taken += 1 }
    let shares: [ReadBudget.Use: Int] = [.asked: 20, .live: 10, .slow: 5]
    #expect(taken == 100 - shares.filter { $0.key != use }.values.reduce(0, +))
    for (other, share) in shares where other != use {
      var own = 0
      while budget.take(other, at: Self.later) { own += 1 }
      #expect(own == share)
    }
  }

  @Test func `a process that has just begun has half, and all after a minute`() {
    var budget = ReadBudget(limit: 10, at: Self.later)
    let rooms = [0, 30, 60].map { budget.room(for: .asked, at: Self.later + .seconds($0)) }
    #expect(rooms == [4, 7, 9])
    var least = ReadBudget(limit: 1, at: Self.later)
    let isTaken = least.take(.slow, at: Self.later)
    #expect(isTaken)
  }

  @Test func `further calls of a read are counted, and it is told once a minute`() {
    var budget = budget(4)
    budget.add(3, for: .asked, at: Self.later)
    let taken = [0, 59, 60].map { budget.take(.live, at: Self.later + .seconds($0)) }
    #expect(taken == [true, false, true])
    let told = [0, 59, 60].map { budget.mayTell(at: Self.later + .seconds($0)) }
    #expect(told == [true, false, true])
  }

  private static func setup(_ limit: Int) -> (ServerWorld.Setup, FakeProvider) {
    var setup = ServerWorld.Setup()
    let provider = FakeProvider { $0.readSchedule = [.seconds(3_600)] }
    setup.providers = [provider]
    let account = AccountKey(provider.name, provider.account)
    setup.tuneSync = { $0.readsPerMinute[account] = limit }
    return (setup, provider)
  }

  @Test func `payers' reads stop at the limit, show what is stored, and go on a minute later`()
    async throws
  {
    let (setup, provider) = Self.setup(10)
    try await ServerWorld.run(setup) { world in
      await world.pass(.seconds(61))
      let rows = try await world.seed(Array(repeating: (provider, .created), count: 10))
      for (index, row) in rows.enumerated() {
        let shown = try await world.get("/v1/payments/\(row.id)")
        // One is left to the schedule.
        #expect(shown["fresh"]?.boolean == (index < 9), "\(index + 1)")
        #expect(shown["state"]?.text == "created")
      }
      #expect(provider.count(.read) == 9)
      #expect(world.log.count(.warning, "an account's reads of a minute are used up") == 1)
      await world.pass(.seconds(61))
      #expect(try await world.get("/v1/payments/\(rows[9].id)")["fresh"]?.boolean == true)
    }
  }

  @Test func `payments whose end is open are read before a backlog of others, oldest first`()
    async throws
  {
    let (setup, provider) = Self.setup(10)
    try await ServerWorld.run(setup) { world in
      await world.pass(.seconds(61))
      let rows = try await world.seed(
        Array(repeating: (provider, .expired), count: 30)
          + Array(repeating: (provider, .pending), count: 3))
      let now = world.clock.now
      try await world.store.write { transaction in
        for (index, row) in rows.enumerated() {
          guard var row = try transaction.payment(row.id) else { continue }
          row.status = index < 30 ? .expired : .created
          try transaction.updatePayment(row)
          row.schedule.nextReadAt = now - .seconds(1_000 - index)
          try transaction.schedulePayment(row.id, row.schedule)
        }
      }
      try await world.until("the open ones", within: .seconds(2)) {
        for row in rows.suffix(3) where try await world.payment(row.id).status != .pending {
          return false
        }
        return true
      }
      await world.pass(.seconds(50))
      // Two are left to payers; the schedule takes the rest and no more.
      #expect(provider.count(.read) == 8)
      let read = try await world.store.read { transaction in
        try rows.prefix(30).filter {
          try transaction.payment($0.id)?.schedule.lastProofAt ?? now > now
        }.map(\.attempt)
      }
      #expect(read == [1, 2, 3, 4, 5])
      await world.pass(.seconds(240))
      #expect(provider.count(.read) >= 30)
      #expect(provider.count(.read) <= 50)
    }
  }

  @Test func `a comparison of the books waits for its share, and says what it did not read`()
    async throws
  {
    let (setup, provider) = Self.setup(1)
    try await ServerWorld.run(setup) { world in
      await world.pass(.seconds(61))
      let row = try await world.seed([(provider, .created)])[0]
      #expect(try await world.get("/v1/payments/\(row.id)")["fresh"]?.boolean == true)
      let request = ReconcileRequest(since: row.createdAt, applies: false)
      let page = try await world.moving { try await world.sync.reconcile(request) }
      #expect(
        page.notRead.map(\.reason) == ["its account's reads of this minute are used up"])
      // The schedule may be first to take a minute's only read, and looks more seldom each time.
      var later = page
      for _ in 0..<10 where !later.notRead.isEmpty {
        await world.pass(.seconds(61))
        later = try await world.moving { try await world.sync.reconcile(request) }
      }
      #expect(later.notRead.isEmpty)
    }
  }
}
