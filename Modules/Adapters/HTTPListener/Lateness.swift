/// How long requests may have waited before the loop looks at them.
///
/// One look takes as many of the connections that are ready as fit. When fewer are ready than fit,
/// it has seen all; what it finds at the next looks has become ready after that moment.
struct Lateness {
  private let max: UInt64
  /// When all that was ready had been seen, in milliseconds of uptime.
  private var sawAllAt: UInt64
  /// Whether what is looked at now may have waited for too long.
  private(set) var isTooLong: Bool

  init(max: Duration, now: UInt64) {
    self.max = max.millisecondsRoundedUp
    sawAllAt = now
    isTooLong = max == .zero
  }

  /// Takes note of a look.
  ///
  /// - Parameters:
  ///   - began: when it was asked for; it may then have waited until something was ready.
  ///   - sawAll: whether all that was ready is among what it found.
  mutating func looked(began: UInt64, ended: UInt64, sawAll: Bool) {
    isTooLong = began - sawAllAt >= max
    if sawAll { sawAllAt = ended }
  }
}
