import Foundation
import KitEnvironment
import PaymentModels

extension KitEnvironment {
  /// Time, randomness and log of an app; the device half hashes nothing.
  static var app: KitEnvironment {
    let start = ContinuousClock.now
    return KitEnvironment(
      clock: KitClock(
        now: { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) },
        uptime: { start.duration(to: .now) }, sleep: { try await Task.sleep(for: $0) }),
      random: RandomSource { .random(in: .min ... .max) }, log: .silent,
      hashing: Hashing(sha256: { _ in [] }, hmacSHA256: { _, _ in [] }, areEqual: { $0 == $1 }))
  }
}
