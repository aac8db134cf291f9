import KitEnvironment
import StrictJSON

/// What stories wait for.
extension StoryCast {
  /// What an app may show while nothing is proven.
  private static let waiting = ["preparing", "confirming", "still_confirming"]

  /// Waits `duration` of real time.
  func pause(_ duration: Duration) async throws {
    try await stage.environment.clock.sleep(for: duration)
  }

  /// Waits until something holds.
  func until(
    _ what: String, within limit: Duration = .seconds(20), every gap: Duration = .milliseconds(20),
    _ holds: () async throws -> Bool
  ) async throws {
    let clock = stage.environment.clock
    let end = clock.uptime() + limit
    while try await !holds() {
      try check("not within \(limit): \(what)", clock.uptime() < end)
      try await clock.sleep(for: gap)
    }
  }

  /// Waits for an app to show an outcome, which must be this one.
  func expectOutcome(
    _ wanted: String, of app: AppDriver, within limit: Duration = .seconds(20)
  ) async throws {
    let outcome = try await app.outcome(within: limit)
    try check("the app shows \(outcome), not \(wanted)", outcome == wanted)
  }

  /// The app says that it waits, and then that it succeeded.
  func expectOutcomeAfterWaiting(of app: AppDriver) async throws {
    try await expectOutcome("succeeded", of: app)
    let displays = await app.displays
    try check(
      "the app showed \(displays) and not confirming first",
      displays.firstIndex(of: "confirming").map { $0 < displays.count - 1 } ?? false)
  }

  /// Watches for a while that the app shows no end.
  func expectNoEnd(of app: AppDriver, for duration: Duration) async throws {
    try await pause(duration)
    let displays = await app.displays
    try check(
      "the app shows \(displays) and nothing has ended",
      displays.allSatisfy(Self.waiting.contains))
  }

  /// The URL of the page that an app opens after it has opened `count` others.
  func page(of app: AppDriver, after count: Int) async throws -> String {
    var urls: [String] = []
    try await until("the app opens its page number \(count + 1)") {
      urls = await app.events.map(\.json).filter { $0["event"]?.text == "open" }
        .compactMap { $0["url"]?.text }
      return urls.count > count
    }
    return urls[count]
  }

  /// The payer taps pay again while the app waits; gives the page that it opens then.
  ///
  /// - Parameter count: pages that the app has opened before.
  func reopened(_ app: AppDriver, after count: Int = 0) async throws -> String {
    _ = try await app.event("confirming") { $0["display"]?.text == "confirming" }
    say(.payer, "taps pay again")
    app.tell("tap")
    return try await page(of: app, after: count)
  }

  /// Waits until a fresh `till` process shows the order in a state.
  func expectState(_ wanted: String, of order: String) async throws {
    try await until("the order is \(wanted)", every: .milliseconds(250)) {
      try await stage.showOrder(order)["state"]?.text == wanted
    }
  }

  /// Waits until the server knows that the order is paid, and checks what told it.
  ///
  /// - Parameter byWebhook: whether a webhook has told it, or none may have.
  func expectPaid(_ order: String, byWebhook: Bool) async throws {
    try await expectState("paid", of: order)
    let journal = try await stage.explainOrder(order)["journal"]?.elements ?? []
    let isTold = journal.contains { $0["channel"]?.text == "webhook" }
    try check(
      byWebhook ? "no webhook reached the server" : "a webhook reached the server",
      isTold == byWebhook)
  }
}
