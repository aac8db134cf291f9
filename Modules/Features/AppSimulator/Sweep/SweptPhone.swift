import KitEnvironment
import StrictJSON

/// The payer's phone in a sweep: whenever the app is gone before its outcome, it is started again.
/// `injection` is what is done to the first app from its launch on.
actor SweptPhone {
  private static let purchase = ["buy", "--item", "lamp"]

  private let stage: SweepStage
  private let cast: StoryCast
  private let injection: (any Injection)?
  private let noteKill: @Sendable () async -> Void
  private var apps: [AppDriver] = []

  init(
    stage: SweepStage, cast: StoryCast, injection: (any Injection)? = nil,
    noteKill: @escaping @Sendable () async -> Void = {}
  ) {
    self.stage = stage
    self.cast = cast
    self.injection = injection
    self.noteKill = noteKill
  }

  /// The payer taps pay.
  func buy() async throws {
    guard let injection else {
      return apps.append(try await cast.startApp(Self.purchase))
    }
    apps.append(
      try await cast.startApp(Self.purchase) { [stage] arguments, _ in
        try stage.startTracedApp(arguments, injection)
      })
  }

  /// The number of the app's process.
  var process: Int32? { apps.last?.processIdentifier }

  /// Waits for an event of any app process, and starts the app anew while none has come.
  func event(_ what: String, _ fits: (JSONValue) -> Bool) async throws -> JSONValue {
    let clock = stage.stage.environment.clock
    let end = clock.uptime() + SweepStory.stepTime
    while true {
      for app in apps {
        if let found = await app.events.map(\.json).first(where: fits) { return found }
      }
      try await relaunchIfGone()
      try await cast.check("the app never said “\(what)”", clock.uptime() < end)
      try await clock.sleep(for: .milliseconds(20))
    }
  }

  /// Ends the first app, if it runs.
  func killFirst() async { await apps.first?.kill() }

  /// The page leads back: a link, for which the system starts the app if it does not run.
  func open(link: String) { apps.last?.tell("link \(link)") }

  /// Waits for the end of the first app process, whose errand ends with its outcome. One that was
  /// killed after it has shown that must show it again.
  func finish() async throws {
    guard let first = apps.first, await first.wasKilled, apps.count == 1 else { return }
    try await cast.until("all that the app printed is read") { await first.hasEnded }
    try await relaunchIfGone()
    guard let next = apps.last else { return }
    try await cast.expectOutcome("succeeded", of: next)
  }

  private func relaunchIfGone() async throws {
    guard let last = apps.last, await last.hasEnded else { return }
    if apps.count == 1, await last.wasKilled {
      await noteKill()
      await cast.say(.payer, "the app is killed (SIGKILL)")
    }
    let next = try await cast.startApp(["resume", "--stay"])
    apps.append(next)
    let resumed = try await next.event("resumed") { $0["event"]?.text == "resumed" }
    // Killed before anything was on disk: for the payer nothing has happened, so they tap again.
    guard resumed["open"]?.int64 == 0, await cast.lastOrder == nil else { return }
    await next.kill()
    apps.append(try await cast.startApp(Self.purchase))
  }
}
