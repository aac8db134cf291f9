import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface
@testable import StatusSync
import TestSupport
import Testing

@Suite("A dry comparison of the books holds a payment no longer than its call")
struct ReconcileLeaseTests {
  private static func request(_ row: PaymentRow) -> ReconcileRequest {
    ReconcileRequest(since: row.createdAt, applies: false)
  }

  @Test func `one payment at a time, until its answer is there, and nothing of it is changed`()
    async throws
  {
    let setup = ServerWorld.Setup()
    let provider = setup.providers[0]
    try await ServerWorld.run(setup) { world in
      // Behind the start, which brings forward what is pending.
      await world.pass(.seconds(1))
      let rows = try await world.seed([(provider, .created), (provider, .created)])
      let leased = { () async throws -> [Bool] in
        try await world.store.read { transaction in
          try rows.map { try transaction.payment($0.id)?.schedule.leaseUntil != nil }
        }
      }
      provider.hold(.read)
      try await withThrowingTaskGroup(of: ReconcilePage.self) { group in
        group.addTask { try await world.sync.reconcile(Self.request(rows[0])) }
        try await world.until("held") { provider.heldCount == 1 }
        // Newest first.
        #expect(try await leased() == [false, true])
        provider.release(.read)
        try await world.until("both are read") {
          try await leased() == [false, false] && provider.count(.read) == 2
        }
        let page = try #require(try await group.next())
        #expect(page.examined == 2)
        #expect(page.notRead.isEmpty)
      }
      #expect(try await leased() == [false, false])
      for row in rows {
        let now = try await world.payment(row.id)
        #expect(now.version == row.version)
        #expect(now.schedule.nextReadAt == row.schedule.nextReadAt)
      }
    }
  }

  @Test func `whoever leaves in the middle leaves no lease behind`() async throws {
    let setup = ServerWorld.Setup()
    let provider = setup.providers[0]
    try await ServerWorld.run(setup) { world in
      let rows = try await world.seed([(provider, .created)])
      provider.hold(.read)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { _ = try await world.sync.reconcile(Self.request(rows[0])) }
        try await world.until("held") { provider.heldCount == 1 }
        group.cancelAll()
        provider.release(.read)
      }
      try await world.until("given back", within: .seconds(5)) {
        try await world.payment(rows[0].id).schedule.leaseUntil == nil
      }
    }
  }
}
