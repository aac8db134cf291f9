import KitEnvironment
import StrictJSON

/// One payment with a kill in it, and what was wrong afterwards.
struct SweepPlay: Sendable {
  /// How long a right end is watched for something that comes twice.
  private static let watchTime: Duration = .milliseconds(600)

  /// When the kill came; nil if the program made fewer calls.
  var killedIn: SweepPhase?
  /// Nothing if the payment ended right.
  var faults: [SweepFault]
  /// Who knew what when.
  var timeline: Timeline
  /// What the apps printed, process after process.
  var printed: [[String]]

  /// Tells the story with a kill, and judges how it ended.
  ///
  /// - Returns: nil if it was stopped.
  static func play(_ point: KillPoint, on stage: SweepStage) async -> SweepPlay? {
    let watch = SweepWatch(point)
    let (cast, (order, faults)) = await StoryCast.perform(on: stage.stage) { cast in
      await withTaskGroup(of: [SweepFault].self) { group in
        group.addTask { await keepServer(stage, cast, watch) }
        let told = await outcome(stage, cast, watch)
        await watch.end()
        await stage.holdMessages(false)
        // The other task waits for the end of the first server.
        await stage.stage.killServer()
        let faults = await group.reduce(into: told.faults) { $0 += $1 }
        // The timeline of what went wrong asks it.
        if !faults.isEmpty { try? await stage.stage.startServer() }
        return (told.order, faults)
      }
    }
    guard !Task.isCancelled else { return nil }
    let reports = await cast.reports
    let shown = AppEvidence(reports.events).problems(allowing: []).map { SweepFault.wrong($0) }
    return SweepPlay(
      killedIn: await watch.killedIn, faults: faults + shown,
      timeline: faults.isEmpty ? await cast.timeline : await cast.finishedTimeline(order: order),
      printed: reports.lines)
  }

  /// Starts the server anew where the kill ended it.
  private static func keepServer(
    _ stage: SweepStage, _ cast: StoryCast, _ watch: SweepWatch
  ) async -> [SweepFault] {
    let end = await stage.firstServerEnds()
    guard await !watch.isOver else { return [] }
    switch end {
    case .killedAtStart: await watch.noteKill(atStart: true)
    case .byItself: return [.wrong("the server ended by itself")]
    case .killed:
      await watch.noteKill()
      await cast.say(.server, "killed (SIGKILL), started again")
      do {
        try await stage.stage.startServer()
      } catch {
        // Ended on purpose while it was starting.
        guard await !watch.isOver else { return [] }
        return [.wrong("the server does not start again: \(error)")]
      }
    }
    return []
  }

  private static func outcome(
    _ stage: SweepStage, _ cast: StoryCast, _ watch: SweepWatch
  ) async -> (order: String?, faults: [SweepFault]) {
    let point = watch.point
    let phone = SweptPhone(
      stage: stage, cast: cast,
      injection: point.program == .device && point.isFromLaunch ? point : nil,
      noteKill: { await watch.noteKill() })
    return await outcome(
      of: SweepStory(stage: stage, cast: cast, phone: phone) { phase in
        // With the next phase begins the counting of calls, if it is the one.
        await stage.detach()
        guard let phase else { return }
        await watch.begin(phase)
        guard point.phase == phase, !point.isFromLaunch else { return }
        try await stage.attach(point, point.program == .device ? await phone.process : nil)
      })
  }

  /// Tells a story, and asks the witnesses.
  static func outcome(
    of story: SweepStory
  ) async -> (order: String?, faults: [SweepFault]) {
    let (stage, cast) = (story.stage, story.cast)
    var (order, faults): (String?, [SweepFault])
    do {
      (order, faults) = (try await story.tell(), [])
      try await cast.pause(watchTime)
    } catch {
      (order, faults) = (await cast.lastOrder, [.wrong("\(error)")])
    }
    guard let order else { return (nil, faults) }
    do {
      return (order, faults + (try await books(of: order, stage, cast)).faults)
    } catch {
      return (order, faults + [.wrong("the witnesses cannot be heard: \(error)")])
    }
  }

  private static func books(
    of order: String, _ stage: SweepStage, _ cast: StoryCast
  ) async throws -> SweepBooks {
    // Of all payments there are, the ones that no app ever heard of included.
    let ledger = try await cast.control("/sandbox/ledger", nil)["payments"]?.elements ?? []
    var shown = JSONValue.null
    let clock = stage.stage.environment.clock
    let end = clock.uptime() + SweepStory.stepTime
    while true {
      do {
        shown = try await stage.stage.showOrder(order)
        break
      } catch  where clock.uptime() < end {
        // The kill may come as late as now.
        try await clock.sleep(for: watchTime)
      }
    }
    return SweepBooks(
      captured: try ledger.reduce(0) { $0 + (try SweepBooks.minorUnits($1["captured"])) },
      refunded: try ledger.reduce(0) { $0 + (try SweepBooks.minorUnits($1["refunded"])) },
      bookCaptured: try SweepBooks.minorUnits(shown["captured"]),
      bookRefunded: try SweepBooks.minorUnits(shown["refunded"]),
      state: shown["state"]?.text ?? "?",
      fulfilments: await stage.messages(order, "order.fulfil"),
      revocations: await stage.messages(order, "order.revoke"),
      refundMessages: await stage.messages(order, "order.refunded"))
  }
}
