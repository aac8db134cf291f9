import KitEnvironment
import ProviderInterface
import TestSupport
import Testing

@testable import StatusSync

@Suite("How long an account's reads are held back")
struct SlowdownTests {
  private static let backoff = RetryPolicy(first: .seconds(1), cap: .seconds(300))

  private func wait(after kinds: [ProviderError.Kind], retryAfter: Duration? = nil) -> Duration {
    var slowdown = Slowdown()
    for kind in kinds {
      slowdown.note(
        ProviderError(kind, detail: "as the test wants it", retryAfter: retryAfter), at: .zero,
        Self.backoff, seededRandom(1))
    }
    return slowdown.until
  }

  @Test func `too many calls are waited for by their own count, whatever failed before`() {
    let outage = Array(repeating: ProviderError.Kind.unknown, count: 9)
    #expect(wait(after: outage + [.throttled]) <= .seconds(1))
    #expect(wait(after: outage + [.throttled], retryAfter: .seconds(5)) == .seconds(5))
    #expect(wait(after: Array(repeating: .throttled, count: 9)) > .seconds(100))
    // Another failure in between begins the count anew.
    #expect(wait(after: [.throttled, .throttled, .throttled, .unknown, .throttled]) <= .seconds(1))
  }

  @Test func `an outage is waited for by half a minute at the most`() {
    #expect(wait(after: [.unknown, .unknown]) == .zero)
    #expect(wait(after: Array(repeating: .unknown, count: 30)) <= .seconds(30))
  }
}
