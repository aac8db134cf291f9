import PaymentModels

/// The request limits of a test key (Tabby, *Technical requirements*): 10 sessions in 10 seconds,
/// and 50 other calls in one.
struct RateWindows {
  private struct Window {
    var start: Instant
    var count = 0
  }

  private struct Bucket: Hashable {
    let key: String
    let isCreate: Bool
  }

  private static let creates = (max: 10, length: Duration.seconds(10))
  private static let others = (max: 50, length: Duration.seconds(1))

  private var windows: [Bucket: Window] = [:]

  /// Whether one more call fits; counts it if so.
  mutating func take(_ key: String, isCreate: Bool, _ now: Instant) -> Bool {
    let bucket = Bucket(key: key, isCreate: isCreate)
    let limit = isCreate ? Self.creates : Self.others
    var window = windows[bucket] ?? Window(start: now)
    if now < window.start || now.since(window.start) >= limit.length { window = Window(start: now) }
    window.count += 1
    windows[bucket] = window
    return window.count <= limit.max
  }
}
