import KitEnvironment
import PaymentModels
import TestSupport
import Testing

@Suite("Retry policy")
struct RetryPolicyTests {
  static let lowest = RandomSource { 0 }
  static let highest = RandomSource { .max }

  @Test func `waits double from the first to the cap`() {
    let policy = RetryPolicy(first: .seconds(1), cap: .seconds(30), jitterPercent: 0)
    let waits = [0, 1, 2, 3, 4, 5, 6, 7, 100, Int.max].map {
      policy.delay(afterAttempt: $0, random: Self.highest)
    }
    #expect(waits == [1, 1, 2, 4, 8, 16, 30, 30, 30, 30].map { .seconds($0) })
  }

  @Test(arguments: [0, 1, 50, 99, 100])
  func `jitter only shortens, by at most its share`(percent: Int) {
    let policy = RetryPolicy(first: .seconds(8), cap: .seconds(8), jitterPercent: percent)
    #expect(policy.delay(afterAttempt: 1, random: Self.lowest) == .seconds(8))
    #expect(
      policy.delay(afterAttempt: 1, random: Self.highest)
        == .milliseconds(8_000 - 80 * percent))
    let random = seededRandom(7)
    let waits = (0..<1_000).map { _ in policy.delay(afterAttempt: 1, random: random) }
    #expect(
      waits.allSatisfy { $0 <= .seconds(8) && $0 >= .milliseconds(8_000 - 80 * percent) })
    #expect(percent < 50 || Set(waits).count > 500, "the waits are spread")
  }

  @Test(
    arguments: [
      (nil, 4_000), (-1, 4_000), (0, 4_000), (3, 4_000), (4, 4_000), (7, 7_000), (3_600, 3_600_000),
      (3_601, 3_600_000), (1_000_000, 3_600_000),
    ] as [(Int?, Int)])
  func `a wait is never shorter than the peer asked for, up to an hour`(
    retryAfterSeconds: Int?, milliseconds: Int
  ) {
    let policy = RetryPolicy(first: .seconds(4), cap: .seconds(30), jitterPercent: 0)
    let wait = policy.delay(
      afterAttempt: 1, random: Self.highest, retryAfter: retryAfterSeconds.map { .seconds($0) })
    #expect(wait == .milliseconds(milliseconds))
  }

  @Test func `waits of any length are drawn without overflow`() {
    let policy = RetryPolicy(first: .seconds(86_400), cap: .seconds(86_400 * 365))
    for attempt in [1, 10, 30, 31, 1_000] {
      let wait = policy.delay(afterAttempt: attempt, random: Self.highest)
      #expect(wait > .zero && wait <= policy.cap)
    }
    let short = RetryPolicy(first: .microseconds(10), cap: .microseconds(10))
    #expect(short.delay(afterAttempt: 1, random: Self.highest) == .microseconds(10))
  }

  @Test func `a policy that cannot grow is a bug of the caller`() async {
    await #expect(processExitsWith: .failure) { _ = RetryPolicy(first: .zero, cap: .seconds(1)) }
    await #expect(processExitsWith: .failure) {
      _ = RetryPolicy(first: .seconds(2), cap: .seconds(1))
    }
    await #expect(processExitsWith: .failure) {
      _ = RetryPolicy(first: .seconds(1), cap: .seconds(1), jitterPercent: 101)
    }
  }
}
