import KitEnvironment
import StrictJSON

/// Plays stories and judges how they ended, by three witnesses that share no code with the
/// server: the sandbox's ledger, a fresh `till` process and the receiver of the goods.
public struct StoryRunner: Sendable {
  /// How long an end may take to settle after the app has shown its outcome.
  private static let settleTime: Duration = .seconds(10)
  /// How long a settled end is watched for something that comes twice.
  private static let watchTime: Duration = .milliseconds(600)

  private let stage: Stage
  private let tell: @Sendable (String) -> Void

  /// Plays on a stage and tells a reader, line by line.
  public init(stage: Stage, tell: @escaping @Sendable (String) -> Void) {
    self.stage = stage
    self.tell = tell
  }

  /// Names of all stories.
  public static var names: [String] { Story.all.map(\.name) }

  /// Plays the stories of these names, all if there are none; gives how many ended wrong.
  public func run(_ names: [String] = []) async -> Int {
    await run(Story.all.filter { names.isEmpty || names.contains($0.name) })
  }

  func run(_ stories: [Story]) async -> Int {
    var wrong: [String] = []
    tell("Who knew what, when, in seconds. A hint or a notification makes the server ask; only")
    tell("proof changes money state.\n")
    for story in stories {
      guard !Task.isCancelled else { break }
      if await !play(story) { wrong.append(story.name) }
    }
    guard !Task.isCancelled else { return wrong.count }
    if !wrong.isEmpty { tell("wrong: \(wrong.joined(separator: ", "))") }
    tell("\(stories.count) stories, \(wrong.count) wrong")
    return wrong.count
  }

  private func play(_ story: Story) async -> Bool {
    tell(story.title)
    let (pumps, feeder) = AsyncStream.makeStream(of: AppDriver.self)
    let cast = StoryCast(stage: stage) { feeder.yield($0) }
    let (order, problems) = await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await withTaskGroup(of: Void.self) { apps in
          for await driver in pumps { apps.addTask { await driver.pump() } }
          apps.cancelAll()
        }
      }
      let end = await outcome(of: story, cast)
      await cast.quit()
      feeder.finish()
      group.cancelAll()
      return end
    }
    // A story that was stopped did not end; whatever is missing is nobody's fault.
    guard !Task.isCancelled else { return true }
    for line in await cast.finishedTimeline(order: order).lines() { tell(line) }
    for problem in problems { tell("  WRONG  \(problem)") }
    tell(problems.isEmpty ? "  right\n" : "")
    return problems.isEmpty
  }

  private func outcome(of story: Story, _ cast: StoryCast) async -> (String?, [String]) {
    do {
      let order = try await story.play(cast)
      return (order, try await judge(story.ending, order, cast))
    } catch {
      return (await cast.lastOrder, ["\(error)"])
    }
  }

  /// Waits until all witnesses agree with the ending, then watches whether it stays so.
  private func judge(
    _ ending: Story.Ending, _ order: String, _ cast: StoryCast
  ) async throws -> [String] {
    let clock = stage.environment.clock
    let end = clock.uptime() + Self.settleTime
    var problems = try await compare(ending, order, cast)
    while !problems.isEmpty, clock.uptime() < end {
      try await clock.sleep(for: .milliseconds(100))
      problems = try await compare(ending, order, cast)
    }
    guard problems.isEmpty else { return problems }
    try await clock.sleep(for: Self.watchTime)
    return try await compare(ending, order, cast)
  }

  private func compare(
    _ ending: Story.Ending, _ order: String, _ cast: StoryCast
  ) async throws -> [String] {
    let ledger = try await cast.providerPayments(of: order)
    let shown = try await stage.showOrder(order)
    let fulfilments = await stage.fulfilments(order)
    let revocations = await stage.revocations(order)
    var problems: [String] = []
    func expect(_ witness: String, _ seen: String, _ wanted: String) {
      if seen != wanted { problems.append("\(witness): \(seen), must be \(wanted)") }
    }
    func texts(_ rows: [JSONValue], _ member: String) -> String {
      rows.map { $0[member]?.text ?? "?" }.joined(separator: ", ")
    }
    expect("provider", texts(ledger, "status"), ending.provider.joined(separator: ", "))
    expect("provider took", ledger.last?["captured"]?.text ?? "nothing", ending.captured)
    expect("order", shown["state"]?.text ?? "?", ending.order)
    expect("order captured", shown["captured"]?.text ?? "?", ending.captured)
    expect(
      "payments", texts(shown["payments"]?.elements ?? [], "state"),
      ending.payments.joined(separator: ", "))
    expect("fulfilments", "\(fulfilments)", "\(ending.fulfilments)")
    expect("revocations", "\(revocations)", "\(ending.revocations)")
    return problems
  }
}
