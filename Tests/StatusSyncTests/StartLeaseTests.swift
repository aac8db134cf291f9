import KitEnvironment
import PaymentModels
import PaymentStore
import StatusSync
import TestSupport
import Testing

@Suite("A server that starts beside another one")
struct StartLeaseTests {
  @Test func `brings forward what is pending, and cuts no lease short`() async throws {
    var setup = ServerWorld.Setup()
    setup.tuneSync = { $0.leaseLongest = .seconds(65) }
    let world = ServerWorld.secondProcess(setup)
    let now = world.clock.now
    try await world.store.seed(payments: 0)
    try await world.store.write { transaction in
      // The other one is sending this; that waits for its next try.
      for (number, wait) in [(101, Duration.seconds(65)), (102, .seconds(900))] {
        var message = Sample.message(number, order: 1, sequence: Int64(number))
        message.nextTryAt = now + wait
        try transaction.insertMessage(message)
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await world.sync.run(resumeCreate: { _ in }) }
      defer { group.cancelAll() }
      for number in [102, 101] {
        try await world.untilStill("brought forward") {
          try await world.store.read { try $0.message(Sample.messageID(number)) }?.nextTryAt
            == now + .seconds(65)
        }
      }
    }
  }
}
