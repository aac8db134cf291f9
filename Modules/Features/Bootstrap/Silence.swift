import KitEnvironment

/// Notices that something which should be heard of now and then is not.
actor Silence {
  private let limit: Duration
  private let clock: KitClock
  private var heardAt: Duration

  /// One that counts from now on.
  init(of limit: Duration, clock: KitClock) {
    self.limit = limit
    self.clock = clock
    heardAt = clock.uptime()
  }

  /// Something was heard.
  func heard() { heardAt = clock.uptime() }

  /// Waits until nothing was heard for as long as the limit.
  ///
  /// - Throws: what the clock throws when the task is cancelled.
  func lasts() async throws {
    while true {
      let left = heardAt + limit - clock.uptime()
      guard left > .zero else { return }
      try await clock.sleep(for: left)
    }
  }
}
