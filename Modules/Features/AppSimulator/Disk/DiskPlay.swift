import KitEnvironment
import StrictJSON

/// How one run with a bad disk went.
public struct DiskResult: RunRecord {
  let fault: DiskFault
  /// Whether a call failed.
  let isHit: Bool
  let faults: [SweepFault]
  /// Who knew what when, for a person.
  public let timeline: [String]
  /// What the apps printed, process after process.
  public let printed: [[String]]

  /// What was wrong, line by line; nothing if all went right.
  public var problems: [String] { faults.map(\.line) }
}

/// One payment, or one start, with a bad disk in it.
enum DiskPlay {
  /// Lines that all servers of one payment print at the most, an outage of some seconds included.
  private static let serverLinesMax = 300
  /// How long a phone's disk is bad before the payer makes room and starts the app again.
  private static let phoneTime: Duration = .seconds(4)
  private static let pollGap: Duration = .milliseconds(50)
  /// One of these an app says that could not keep something.
  private static let appWords = [
    "a checkout was not kept", "device store unavailable", "the device store cannot be opened",
  ]

  /// Plays it; nil if it was stopped.
  static func play(_ fault: DiskFault, on stage: DiskStage) async -> DiskResult? {
    guard fault.scene != .newStore, fault.scene != .oldStore else {
      return await start(fault, on: stage)
    }
    let (cast, told) = await StoryCast.perform(on: stage.sweep.stage) { cast in
      await fault.scene == .device
        ? phoneStory(fault, stage, cast) : serverStory(fault, stage, cast)
    }
    guard !Task.isCancelled else { return nil }
    let reports = await cast.reports
    var faults = told.faults
    faults += AppEvidence(reports.events).problems(allowing: []).map { SweepFault.wrong($0) }
    let timeline =
      faults.isEmpty ? await cast.timeline : await cast.finishedTimeline(order: told.order)
    await stage.sweep.stage.killServer()
    let lines = await stage.serverLines()
    if lines > serverLinesMax { faults.append(.wrong("the servers printed \(lines) lines")) }
    return DiskResult(
      fault: fault, isHit: told.isHit, faults: faults, timeline: timeline.lines(),
      printed: reports.lines)
  }

  private struct Told: Sendable {
    var order: String?
    var faults: [SweepFault]
    var isHit: Bool
  }

  private static func start(_ fault: DiskFault, on stage: DiskStage) async -> DiskResult? {
    var (faults, isHit): ([SweepFault], Bool) = ([], false)
    do {
      faults = try await DiskStart.faults(fault, stage)
      isHit = try stage.failedCalls() > 0
    } catch {
      faults = [.wrong("\(error)")]
    }
    guard !Task.isCancelled else { return nil }
    return DiskResult(fault: fault, isHit: isHit, faults: faults, timeline: [], printed: [])
  }

  private static func serverStory(
    _ fault: DiskFault, _ stage: DiskStage, _ cast: StoryCast
  ) async -> Told {
    let outage = DiskOutage(fault, stage, cast)
    let phone = SweptPhone(stage: stage.sweep, cast: cast)
    let story = SweepStory(stage: stage.sweep, cast: cast, phone: phone) {
      try await outage.enter($0)
    }
    return await withTaskGroup(of: Void.self) { group in
      group.addTask { await outage.watch() }
      let (order, faults) = await SweepPlay.outcome(of: story)
      await outage.leave()
      group.cancelAll()
      await group.waitForAll()
      return Told(
        order: order, faults: faults + (await outage.faults), isHit: await outage.isHit)
    }
  }

  private static func phoneStory(
    _ fault: DiskFault, _ stage: DiskStage, _ cast: StoryCast
  ) async -> Told {
    let phone = SweptPhone(stage: stage.sweep, cast: cast, injection: fault)
    let story = SweepStory(stage: stage.sweep, cast: cast, phone: phone) { _ in }
    let (order, faults) = await withTaskGroup(of: Void.self) { group in
      group.addTask { await restart(phone, stage) }
      let told = await SweepPlay.outcome(of: story)
      group.cancelAll()
      return told
    }
    let isHit = (try? stage.failedCalls() > 0) ?? false
    let said = await cast.reports.lines.first ?? []
    let isTold = said.contains { line in appWords.contains { line.contains($0) } }
    return Told(
      order: order,
      faults: faults + (isHit && !isTold ? [.wrong("the app does not say what is wrong")] : []),
      isHit: isHit)
  }

  /// Some time after the phone's disk has gone bad the payer makes room and starts the app again.
  private static func restart(_ phone: SweptPhone, _ stage: DiskStage) async {
    let clock = stage.sweep.stage.environment.clock
    while (try? stage.failedCalls()) ?? 0 == 0 {
      guard (try? await clock.sleep(for: pollGap)) != nil else { return }
    }
    guard (try? await clock.sleep(for: phoneTime)) != nil else { return }
    await phone.killFirst()
  }
}
