import KitEnvironment
import StrictJSON

/// One story that was played, and what was wrong with it.
struct StoryPlay: Sendable {
  /// How long an end may take to settle after the app has shown its outcome.
  private static let settleTime: Duration = .seconds(10)
  /// How long a settled end is watched for something that comes twice.
  private static let watchTime: Duration = .milliseconds(600)

  /// Nothing if it ended right.
  var problems: [String]
  /// Who knew what when.
  var timeline: Timeline
  /// What the apps printed, process after process.
  var printed: [[String]]

  /// Plays a story and judges how it ended: by three witnesses that share no code with the server
  /// (the sandbox's ledger, a fresh `till` process, the receiver of the goods), and by what the
  /// payer was shown meanwhile.
  ///
  /// - Returns: nil if it was stopped: whatever is missing then is nobody's fault.
  static func play(_ story: Story, on stage: Stage) async -> StoryPlay? {
    let (cast, (order, problems)) = await StoryCast.perform(on: stage) {
      await outcome(of: story, $0)
    }
    guard !Task.isCancelled else { return nil }
    let reports = await cast.reports
    return StoryPlay(
      problems: problems + AppEvidence(reports.events).problems(allowing: story.ending.shown),
      timeline: await cast.finishedTimeline(order: order), printed: reports.lines)
  }

  private static func outcome(
    of story: Story, _ cast: StoryCast
  ) async -> (order: String?, problems: [String]) {
    do {
      let order = try await story.play(cast)
      return (order, try await judge(story.ending, order, cast))
    } catch {
      return (await cast.lastOrder, ["\(error)"])
    }
  }

  /// Waits until all witnesses agree with the ending, then watches whether it stays so.
  private static func judge(
    _ ending: Story.Ending, _ order: String, _ cast: StoryCast
  ) async throws -> [String] {
    let clock = cast.stage.environment.clock
    let end = clock.uptime() + settleTime
    var problems = try await compare(ending, order, cast)
    while !problems.isEmpty, clock.uptime() < end {
      try await clock.sleep(for: .milliseconds(100))
      problems = try await compare(ending, order, cast)
    }
    guard problems.isEmpty else { return problems }
    try await clock.sleep(for: watchTime)
    return try await compare(ending, order, cast)
  }

  private static func compare(
    _ ending: Story.Ending, _ order: String, _ cast: StoryCast
  ) async throws -> [String] {
    let ledger = try await cast.providerPayments(of: order)
    let shown = try await cast.stage.showOrder(order)
    let fulfilments = await cast.stage.fulfilments(order)
    let revocations = await cast.stage.revocations(order)
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
