import KitEnvironment
import PaymentModels

/// One party of a world: an executor a life, a clock of its own that may be off and drift, and
/// random words of its own.
// Reached only from jobs and timers of the world, so on its one thread; the seams check it.
final class Party: @unchecked Sendable {
  let name: String
  let scheduler: Scheduler
  /// That of the present life.
  private(set) var executor: SeededExecutor
  /// How far its wall clock is from the world's; changed when somebody sets the clock.
  var offset: Duration
  private let firstOffset: Duration
  /// How much faster its clock runs, in millionths.
  private let drift: Int
  private let hashing: Hashing
  private var words: SeededWords
  private var lives: [SeededExecutor] = []

  /// The world's wall time at its start: 2026-09-21T14:13:20Z.
  static let start = Instant(milliseconds: 1_790_000_000_000)

  init(
    _ name: String, _ scheduler: Scheduler, seed: UInt64, hashing: Hashing,
    offset: Duration = .zero, drift: Int = 0
  ) {
    self.name = name
    self.scheduler = scheduler
    self.hashing = hashing
    self.offset = offset
    firstOffset = offset
    self.drift = drift
    words = SeededWords(seed: seed, name: name)
    executor = SeededExecutor(scheduler)
    lives = [executor]
  }

  /// Ends the present life and begins the next.
  func kill() {
    executor.kill()
    executor = SeededExecutor(scheduler)
    lives.append(executor)
  }

  /// Starts the party's work of this life.
  @discardableResult
  func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    scheduler.assertHere()
    #if FaultInjection
      let fault = SeededFault.active
      return Task.detached(executorPreference: executor) {
        await SeededFault.$active.withValue(fault) { await work() }
      }
    #else
      return Task.detached(executorPreference: executor) { await work() }
    #endif
  }

  /// Lives so far, the present one included.
  var lifeCount: Int { lives.count }

  func note(_ what: String) { scheduler.note(name, what) }

  /// Notes where a crash has hit the party.
  func dies(_ place: String) {
    note("has died \(place)")
    let kind = name.hasPrefix("device") ? "an app" : "the server"
    scheduler.coverage.reach(.recovery, "\(kind) died \(place)")
  }

  /// What the production code of this party is given.
  var environment: KitEnvironment {
    KitEnvironment(clock: clock, random: random, log: log, hashing: hashing)
  }

  var random: RandomSource {
    RandomSource {
      self.scheduler.assertHere()
      return self.words.next()
    }
  }

  private var log: KitLog {
    KitLog { level, message, facts in
      self.scheduler.assertHere()
      guard level >= .info else { return }
      self.note(([message] + facts.map { "\($0.0)=\($0.1)" }).joined(separator: " "))
    }
  }

  /// Takes back what was done to the clock.
  func setClockRight() {
    guard offset != firstOffset else { return }
    note("has its clock set right")
    offset = firstOffset
  }

  // MARK: Time

  private static let millionth = 1_000_000

  /// Time on the party's own clock since the world began.
  private var uptime: Duration {
    scheduler.assertHere()
    return scheduler.now + scheduler.now * drift / Self.millionth
  }

  private var clock: KitClock {
    let executor = executor
    return KitClock(
      now: { Self.start + self.offset + self.uptime }, uptime: { self.uptime },
      sleep: { try await self.sleep($0, executor) })
  }

  /// What the world's clock says, for the judge.
  static func worldTime(_ now: Duration) -> Instant { start + now }

  private func sleep(_ duration: Duration, _ executor: SeededExecutor) async throws {
    let real = duration * Self.millionth / (Self.millionth + drift) + .nanoseconds(1_000)
    let due = scheduler.now + real
    let answer = Answer<Bool>()
    let wait = scheduler.waiting("\(name) sleeps until \(due.wholeMilliseconds) ms", of: executor)
    let timer = scheduler.after(real, owner: executor) { answer.give(true) }
    let isOver = await withTaskCancellationHandler {
      await answer.wait()
    } onCancel: {
      scheduler.assertHere()
      answer.give(false)
    }
    timer.cancel()
    scheduler.waited(wait)
    if !isOver { throw CancellationError() }
  }
}
