/// A point in time: whole milliseconds since 1970-01-01T00:00:00Z.
///
/// Every time in the kit is one of these, in Swift, in SQL (an integer column) and between
/// modules. Text dates of providers are turned into an `Instant` at the edge, by
/// ``init(iso8601:)``.
public struct Instant: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z, negative before it.
  public var milliseconds: Int64

  /// The instant that lies `milliseconds` after 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The earlier of two instants is the smaller.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The instant `duration` later, parts of a millisecond dropped, stopping at the ends of Int64.
  public static func + (instant: Instant, duration: Duration) -> Instant {
    let (sum, overflow) = instant.milliseconds.addingReportingOverflow(duration.wholeMilliseconds)
    if overflow {
      return Instant(milliseconds: duration < .zero ? .min : .max)
    }
    return Instant(milliseconds: sum)
  }

  /// The instant `duration` earlier.
  public static func - (instant: Instant, duration: Duration) -> Instant {
    instant + (.zero - duration)
  }

  /// How long after `earlier` this instant is; negative if it lies before.
  public func since(_ earlier: Instant) -> Duration {
    let (difference, overflow) = milliseconds.subtractingReportingOverflow(earlier.milliseconds)
    return .milliseconds(overflow ? (self < earlier ? .min : .max) : difference)
  }
}

extension Duration {
  /// This duration in milliseconds, parts of a millisecond dropped, stopping at the ends of Int64.
  public var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, carried) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return carried ? (seconds < 0 ? .min : .max) : sum
  }
}
