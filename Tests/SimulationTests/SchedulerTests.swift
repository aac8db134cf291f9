import KitEnvironment
@testable import MerchantServer
import PaymentModels
import PaymentStore
@testable import Simulation
import SystemRuntime
import TestSupport
import Testing

struct SchedulerTests {
  @Test func `one seed gives one trace, another gives another`() async throws {
    let (first, again, other) = try await blocking {
      (SmallWorld.trace(seed: 1), SmallWorld.trace(seed: 1), SmallWorld.trace(seed: 2))
    }
    #expect(first == again)
    #expect(first != other)
    #expect(first.contains("lost"), "the network is hostile")
  }

  @Test func `two processes with hashes of their own give the same trace`() async throws {
    func run() async -> ExitTest.Result? {
      await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        print("hash \("seed".hashValue)")
        print(try await blocking { SmallWorld.trace(seed: 7) })
      }
    }
    let first = try OutputOfProcess(await run())
    let second = try OutputOfProcess(await run())
    #expect(first.hash != second.hash, "hash seeding is on")
    #expect(first.trace == second.trace)
    #expect(first.trace.contains("jobs, hash"))
  }

  @Test func `whoever leaves the world's thread is trapped`() async {
    await #expect(processExitsWith: .failure) {
      let (gate, opener) = AsyncStream<Void>.makeStream()
      startThread(named: "till-world") {
        let scheduler = Scheduler(seed: 1)
        let party = Party("party", scheduler, seed: 1, hashing: .weakForTests)
        let environment = party.environment
        startThread(named: "till-other") {
          _ = environment.newUUID()
          opener.finish()
        }
      }
      for await _ in gate {}
    }
  }

  @Test func `a stall lists who waits for what`() async throws {
    let (ending, waits) = try await blocking {
      let scheduler = Scheduler(seed: 1)
      let network = WorldNetwork(scheduler, seed: 1, faults: NetworkFaults())
      let party = Party("device", scheduler, seed: 1, hashing: .weakForTests)
      let executor = party.executor
      party.start { for await _ in AsyncStream<Void>.makeStream().stream {} }
      _ = scheduler.waiting("device awaits an answer", of: executor)
      _ = network
      return (scheduler.run { false }, scheduler.whoWaits)
    }
    #expect(ending == .stalled)
    #expect(waits == ["device awaits an answer"])
  }

  @Test(arguments: [0, 1, 2])
  func `a server that has ended and still holds reads is found out`(held: Int) async throws {
    let left = try await blocking {
      let scheduler = Scheduler(seed: 4)
      let disk = Party("server disk", scheduler, seed: 4, hashing: .weakForTests)
      let count = Count()
      disk.start {
        let waiters = WaiterTable(waitersMax: 9)
        for _ in 0..<held { _ = await waiters.register(Sample.orderID(1)) }
        count.value = await WorldRun.readsLeft(waiters, disk.environment.clock)
      }
      _ = scheduler.run { count.value != nil }
      return count.value
    }
    #expect(left == held)
  }

  @Test func `a store that closes tells whoever waits for a commit on its way`() async throws {
    try await withTemporaryDirectory { directory in
      let waited = try await blocking {
        let scheduler = Scheduler(seed: 1)
        let disk = Party("server disk", scheduler, seed: 1, hashing: .weakForTests)
        let storage = WorldStorage(
          disk, path: "\(directory)/store.sqlite", coverage: scheduler.coverage)
        storage.slowMs = 10_000
        let (told, closed) = (Count(), Count())
        disk.start {
          try? await storage.store.write { _ in }
          told.value = 1
        }
        // On disk after half of the time of a sync, and told after the other half.
        _ = scheduler.run { scheduler.now > .zero }
        let committedAt = scheduler.now
        disk.start {
          await storage.close()
          closed.value = 1
        }
        _ = scheduler.run { told.value != nil && closed.value != nil }
        return scheduler.now - committedAt
      }
      #expect(waited == .zero)
    }
  }

  // Read and written on the world's one thread.
  private final class Count: @unchecked Sendable {
    var value: Int?
  }

  @Test func `timers that only set timers are no world that goes on`() async throws {
    let ending = try await blocking {
      let scheduler = Scheduler(seed: 5)
      func again() { scheduler.after(.zero, again) }
      again()
      return scheduler.run { false }
    }
    #expect(ending == .exhausted)
  }

  @Test func `nothing of a killed life runs again`() async throws {
    let lines = try await blocking {
      let scheduler = Scheduler(seed: 3)
      let party = Party("server", scheduler, seed: 3, hashing: .weakForTests)
      for life in 1...2 {
        let clock = party.environment.clock
        party.start {
          while (try? await clock.sleep(for: .seconds(1))) != nil { party.note("life \(life)") }
        }
        if life == 1 {
          scheduler.after(.milliseconds(2_500)) { party.kill() }
          _ = scheduler.run { !party.isInFirstLife }
        }
      }
      _ = scheduler.run { scheduler.now > .seconds(5) }
      return scheduler.trace.lines
    }
    #expect(lines.count { $0.contains("life 1") } == 2)
    #expect(lines.count { $0.contains("life 2") } >= 2)
    #expect(lines.last?.contains("life 2") == true)
  }
}

extension Party {
  fileprivate var isInFirstLife: Bool { lifeCount == 1 }
}
