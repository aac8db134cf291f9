import KitEnvironment
import StrictJSON

/// Kills the server or the app with SIGKILL at each step of a payment and starts it again; every
/// story must still end right, and no step may be left out.
public struct KillRunner: Sendable {
  private let stage: Stage
  private let tell: @Sendable (String) -> Void

  /// Plays on a stage and tells a reader, line by line.
  public init(stage: Stage, tell: @escaping @Sendable (String) -> Void) {
    self.stage = stage
    self.tell = tell
  }

  /// Plays one story for each step; gives how many ended wrong or were not hit.
  public func run() async -> Int {
    let hits = Hits()
    let stories = KillStep.allCases.map { $0.story(hits) }
    let wrong = await StoryRunner(stage: stage, tell: tell).run(stories)
    guard !Task.isCancelled else { return wrong }
    var missed = 0
    for step in KillStep.allCases {
      let isHit = await hits.steps.contains(step)
      if !isHit { missed += 1 }
      tell("\(isHit ? "hit   " : "MISSED")  \(step.rawValue)")
    }
    tell("\(KillStep.allCases.count) kills, \(missed) missed, \(wrong) wrong")
    return wrong + missed
  }

  actor Hits {
    private(set) var steps: Set<KillStep> = []
    func add(_ step: KillStep) { steps.insert(step) }
  }
}

/// The steps between which a process may die.
enum KillStep: String, CaseIterable, Sendable {
  case intentCommitted = "server: intent committed, provider not called"
  case providerCalled = "server: provider called, no answer yet"
  case answeredNotCommitted = "server: provider answered, not committed"
  case deviceCommitted = "app: payment_id committed, page not open"
  case away = "app: away in the bank app"
  case eventCommitted = "server: event committed, not processed"
  case messageNotSent = "server: state committed, outbox not sent"

  func story(_ hits: KillRunner.Hits) -> Story {
    switch self {
    case .intentCommitted: whileCreating(.intentCommitted, payments: 1, hits)
    case .answeredNotCommitted: whileCreating(.createAnswered, payments: 2, hits)
    case .providerCalled: whileProviderAnswers(hits)
    case .deviceCommitted: beforePage(hits)
    case .away: awayFromApp(hits)
    case .eventCommitted: afterPaying(.eventCommitted, hits)
    case .messageNotSent: afterPaying(.messageDue, hits)
    }
  }

  /// The lost payment of a create whose answer was lost stays open at the provider: its page
  /// reached nobody.
  private func story(
    payments: Int = 1, _ play: @escaping @Sendable (StoryCast) async throws -> String
  ) -> Story {
    Story(
      name: "kill-\(self)", title: "Killed  \(rawValue)", play: play,
      ending: Story.Ending(
        order: "paid", fulfilments: 1,
        provider: Array(repeating: "CREATED", count: payments - 1) + ["CLOSED"],
        payments: ["captured"], captured: "340.00"))
  }

  private func whileCreating(
    _ checkpoint: Checkpoint, payments: Int, _ hits: KillRunner.Hits
  ) -> Story {
    story(payments: payments) { cast in
      try await cast.stage.restartServer(checkpoint)
      let app = try await cast.startApp(["buy", "--item", "lamp"])
      try await cast.stage.serverStandsStill()
      try await cast.killServer(self, hits)
      return try await cast.payAndReturn(app)
    }
  }

  private func whileProviderAnswers(_ hits: KillRunner.Hits) -> Story {
    story(payments: 2) { cast in
      let before = try await cast.creates()
      _ = try await cast.control("/sandbox/settings", slowCreates(1))
      let app = try await cast.startApp(["buy", "--item", "lamp"])
      try await cast.until("the provider has the create") { try await cast.creates() > before }
      try await cast.killServer(self, hits)
      _ = try await cast.control("/sandbox/settings", slowCreates(0))
      return try await cast.payAndReturn(app)
    }
  }

  private func beforePage(_ hits: KillRunner.Hits) -> Story {
    story { cast in
      let app = try await cast.startApp(
        ["buy", "--item", "lamp", "--pause-at", "id_stored_page_not_open"])
      _ = try await app.event("id stored") { $0["point"]?.text == "id_stored_page_not_open" }
      await cast.kill(app)
      await hits.add(self)
      return try await cast.payAndReturn(try await cast.startApp(["resume"]))
    }
  }

  private func awayFromApp(_ hits: KillRunner.Hits) -> Story {
    story { cast in
      let (app, url, order) = try await cast.buy()
      let bank = try await payer.goToBank(from: try await cast.page(at: url), cast)
      await cast.kill(app)
      await hits.add(self)
      try await payer.confirm(at: bank, cast)
      try await cast.expectPaid(try await cast.startApp(["resume"]))
      return order
    }
  }

  private func afterPaying(_ checkpoint: Checkpoint, _ hits: KillRunner.Hits) -> Story {
    story { cast in
      let (app, url, order) = try await cast.buy()
      try await cast.stage.restartServer(checkpoint)
      let done = try await payer.pay(on: try await cast.page(at: url), cast)
      try await cast.stage.serverStandsStill()
      try await cast.killServer(self, hits)
      app.tell("link \(try await cast.returnLink(from: done))")
      try await cast.expectPaid(app)
      return order
    }
  }
}

private let payer = TabbyPayer()

private func slowCreates(_ times: Int) -> JSONValue {
  .object([
    "faults": .object([
      "answers": .array(
        times == 0
          ? []
          : [
            .object([
              "call": "create", "kind": "slow", "times": .integer(times),
              "delay_ms": .integer(3_000),
            ])
          ])
    ])
  ])
}

extension StoryCast {
  fileprivate func killServer(_ step: KillStep, _ hits: KillRunner.Hits) async throws {
    say(.server, "killed (SIGKILL), started again")
    try await stage.restartServer(nil)
    await hits.add(step)
  }

  fileprivate func payAndReturn(_ app: AppDriver) async throws -> String {
    let (_, url, order) = try await opened(app)
    let done = try await payer.pay(on: try await page(at: url), self)
    app.tell("link \(try await returnLink(from: done))")
    try await expectPaid(app)
    return order
  }

  fileprivate func expectPaid(_ app: AppDriver) async throws {
    try await expectOutcome("succeeded", of: app, within: .seconds(40))
  }

  fileprivate func creates() async throws -> Int64 {
    try await control("/sandbox/ledger", nil)["calls"]?["create"]?.int64 ?? 0
  }
}
