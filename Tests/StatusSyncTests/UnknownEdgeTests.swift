import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface
@testable import StatusSync
import TestSupport
import Testing

@Suite("Deliveries that nobody signs, or that nobody here works on, at the edges of their bounds")
struct UnknownEdgeTests {
  private static let day: Duration = .seconds(86_400)

  private static var unsigned: ServerWorld.Setup {
    var setup = ServerWorld.Setup()
    setup.providers = [FakeProvider { $0.webhook = .unsigned }]
    return setup
  }

  @Test func `no minute has an eleventh read of an unknown id, wherever it begins`() async throws {
    let clock = ManualClock()
    var setup = Self.unsigned
    setup.clock = clock
    let sync = ServerWorld.secondProcess(setup).sync
    // One, and nine more 59 s later.
    #expect(await sync.takeUnknownRead(.tabby))
    clock.advance(by: .seconds(59))
    for _ in 0..<9 { #expect(await sync.takeUnknownRead(.tabby)) }
    #expect(await sync.takeUnknownRead(.tabby) == false)
    #expect(await sync.takeUnknownRead(.seb))
    clock.advance(by: .milliseconds(999))
    #expect(await sync.takeUnknownRead(.tabby) == false)
    // The first is a minute ago, and only that one.
    clock.advance(by: .milliseconds(1))
    #expect(await sync.takeUnknownRead(.tabby))
    #expect(await sync.takeUnknownRead(.tabby) == false)
  }

  @Test(arguments: [(Duration.seconds(86_400), 1), (.seconds(86_400) + .milliseconds(1), 0)])
  func `one that names nothing known is kept for a day, and not a millisecond more`(
    age: Duration, left: Int
  ) async throws {
    let setup = Self.unsigned
    let world = ServerWorld.secondProcess(setup)
    let now = world.clock.now
    try await world.store.write { transaction in
      var row = Sample.webhook(1)
      row.receivedAt = now - age
      row.isUnsigned = true
      row.state = .unmatched
      row.nextTryAt = nil
      try transaction.insertWebhook(row)
    }
    await world.sync.tidyInbox()
    #expect(try await world.store.read { try $0.heldWebhooks() }.count == left)
  }

  @Test(arguments: [(9_999, true), (10_000, false)])
  func `rows that wait for their first look count among the ten thousand`(
    waiting: Int, isKept: Bool
  ) async throws {
    let world = ServerWorld.secondProcess(Self.unsigned)
    try await world.store.write { transaction in
      for number in 0..<waiting {
        var row = Sample.webhook(number)
        row.isUnsigned = true
        row.state = number % 2 == 0 ? .received : .unmatched
        try transaction.insertWebhook(row)
      }
    }
    let status = try await world.deliver(world.provider.webhook(world.provider.id(1)))
    #expect(status == (isKept ? 200 : 503))
  }

  @Test(arguments: [(Duration.seconds(3_600) - .milliseconds(1), false), (.seconds(3_600), true)])
  func `a delivery of an account that is gone is parked with the reason, once it is long due`(
    overdue: Duration, isParked: Bool
  ) async throws {
    let world = ServerWorld.secondProcess(ServerWorld.Setup())
    let now = world.clock.now
    try await world.store.write { transaction in
      for (number, account) in [(1, "gone"), (2, world.provider.account.rawValue)] {
        var row = Sample.webhook(number)
        row.provider = world.provider.name
        row.account = ProviderAccount(account)
        row.nextTryAt = now - overdue
        try transaction.insertWebhook(row)
      }
    }
    await world.sync.parkStrangers()
    let rows = try await world.store.read {
      try $0.webhooks(in: nil, at: nil, before: nil, limit: 9)
    }
    let gone = try #require(rows.first { $0.account == ProviderAccount("gone") })
    #expect(gone.state == (isParked ? .parked : .received))
    #expect(gone.detail == (isParked ? "its account is not configured here" : nil))
    #expect((gone.nextTryAt == nil) == isParked)
    // Its own account's are taken by the inbox.
    #expect(rows.first { $0.id != gone.id }?.state == .received)
    // The list of held deliveries, and so `till webhook list --state parked`, shows it.
    #expect(try await world.store.read { try $0.heldWebhooks() }.count == (isParked ? 1 : 0))
    #expect(
      world.log.count(.error, "webhooks of accounts that are not configured were parked")
        == (isParked ? 1 : 0))
  }
}
