import PaymentModels

/// The request limits of a test key: 10 sessions and 50 other calls in 10 seconds.
struct RateWindows {
  private struct Window {
    var start: Instant
    var count = 0
  }

  private struct Bucket: Hashable {
    let key: String
    let isCreate: Bool
  }

  private static let length = Duration.seconds(10)
  private static let createsMax = 10
  private static let othersMax = 50

  private var windows: [Bucket: Window] = [:]

  /// Whether one more call fits; counts it if so.
  mutating func take(_ key: String, isCreate: Bool, _ now: Instant) -> Bool {
    let bucket = Bucket(key: key, isCreate: isCreate)
    var window = windows[bucket] ?? Window(start: now)
    if now < window.start || now.since(window.start) >= Self.length { window = Window(start: now) }
    window.count += 1
    windows[bucket] = window
    return window.count <= (isCreate ? Self.createsMax : Self.othersMax)
  }
}
