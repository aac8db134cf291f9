import CheckoutLifecycle
import KitEnvironment
import PaymentModels
import StrictJSON

/// Lets payers come for some minutes while providers misbehave and the server is killed now and
/// then, and judges afterwards what became of all their money.
public struct SoakRunner: Sendable {
  private let stage: Stage
  private let output: RunOutput

  /// Plays on a stage.
  public init(stage: Stage, output: RunOutput) {
    self.stage = stage
    self.output = output
  }

  /// How a soak ended.
  public struct End: Sendable {
    /// How many payments and other things are wrong.
    public let wrong: Int
    /// The last line, still to be told.
    public let closing: String
  }

  /// Plays it and tells all but its last line; nil if it was stopped.
  public func run(_ plan: SoakPlan) async -> End? {
    let clock = stage.environment.clock
    let book = SoakBook()
    let report = SoakReport(plan: plan, output: output, clock: clock, began: clock.uptime())
    await play(plan, until: clock.uptime() + plan.duration, book, report)
    guard !Task.isCancelled else { return nil }
    output.draw?("settling")
    let verdict = await SoakJudge(stage: stage, book: book).verdict(after: plan.duration)
    guard !Task.isCancelled else { return nil }
    return await report.close(verdict, book, stage)
  }

  private func play(
    _ plan: SoakPlan, until end: Duration, _ book: SoakBook, _ report: SoakReport
  ) async {
    let (errands, feeder) = AsyncStream.makeStream(of: SoakOperators.Errand.self)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await report.follow(book) }
      await withTaskGroup(of: Void.self) { people in
        for payer in HostedPage.payers {
          let facts = payer.facts
          people.addTask { [stage] in
            await SoakSky(stage: stage, facts: facts).change(
              until: end, plan.words("weather at \(facts.provider)"), book)
          }
        }
        people.addTask { await killServers(until: end, plan, book) }
        people.addTask { [stage] in
          await SoakOperators(stage: stage, book: book).work(errands, plan.words("operators"))
        }
        await withTaskGroup(of: Void.self) { payers in
          for number in 0..<plan.payers {
            payers.addTask { await comeAndGo(number, until: end, plan, book, feeder) }
          }
        }
        feeder.finish()
      }
      group.cancelAll()
    }
  }

  /// One payer after the other at one counter, each with a phone of their own.
  private func comeAndGo(
    _ number: Int, until end: Duration, _ plan: SoakPlan, _ book: SoakBook,
    _ feeder: AsyncStream<SoakOperators.Errand>.Continuation
  ) async {
    var words = plan.words("payer \(number)")
    var round = number
    while stage.environment.clock.uptime() < end, !Task.isCancelled {
      let facts = HostedPage.payers[round % HostedPage.payers.count].facts
      round += 1
      let rows = MatrixRow.all.filter { $0.provider == facts.provider }
      let row = rows[words.below(rows.count)]
      let deed = SoakDeed.drawn(&words)
      let (cast, order) = await StoryCast.perform(on: stage) { cast in
        await SoakVisit(scene: Scene(cast: cast, row: row), deed: deed, book: book).play()
      }
      guard !Task.isCancelled else { return }
      let last = await cast.lastOrder
      let shown = AppEvidence(await cast.reports.events).problems(allowing: Self.unpaidEnds)
      for problem in shown { await book.blame(last, problem) }
      if let last { await book.keep(await cast.finishedTimeline(order: nil), of: last) }
      if let order { feeder.yield(SoakOperators.Errand(order: order, facts: facts)) }
    }
  }

  /// Each may be shown, with proof.
  private static let unpaidEnds = ["rejected", "expired", "cancelled"]

  private func killServers(until end: Duration, _ plan: SoakPlan, _ book: SoakBook) async {
    var words = plan.words("kills")
    let clock = stage.environment.clock
    do {
      while true {
        let gap = min(words.duration(8_000...30_000), plan.duration / 3)
        guard clock.uptime() + gap < end else { return }
        try await clock.sleep(for: gap)
        await book.noteKill()
        try await stage.restartServer(nil)
      }
    } catch {
      guard !Task.isCancelled else { return }
      await book.blame(nil, "the server does not start again: \(error)")
    }
  }
}
