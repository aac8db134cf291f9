import KitEnvironment

/// The time during which the server's disk is bad: from a call in one phase of the payment on,
/// for as long as it takes to see what the server does then.
actor DiskOutage {
  /// How long the disk is bad at the least.
  private static let holdTime: Duration = .seconds(3)
  private static let pollGap: Duration = .milliseconds(50)
  /// A server that waits for its disk does little; one that asks it without pause keeps a
  /// processor busy.
  private static let busyShareMax = 0.5

  private enum State {
    case ahead, armed, on, over
  }

  private let fault: DiskFault
  private let stage: DiskStage
  private let cast: StoryCast
  private var state = State.ahead
  /// What the server did wrong.
  private(set) var faults: [SweepFault] = []
  /// Whether a call failed.
  private(set) var isHit = false

  init(_ fault: DiskFault, _ stage: DiskStage, _ cast: StoryCast) {
    self.fault = fault
    self.stage = stage
    self.cast = cast
  }

  /// The story goes on to a phase; nil: it is over, and so must the outage be.
  func enter(_ phase: SweepPhase?) async throws {
    await leave()
    if let phase, phase == fault.scene.phase, state == .ahead {
      try await stage.sweep.attach(fault, nil)
      state = .armed
    }
    while phase == nil, state == .on { try await clock.sleep(for: Self.pollGap) }
  }

  /// Takes the fault away if nothing has come of it. A call that failed a moment ago is left to
  /// `watch`, which has not looked yet: else the run would count as one without a bad disk.
  func leave() async {
    while state == .armed, (try? stage.failedCalls()) ?? 0 > 0 {
      guard (try? await clock.sleep(for: Self.pollGap)) != nil else { break }
    }
    guard state == .armed else { return }
    state = .over
    await stage.sweep.detach()
  }

  /// Waits for the first call that fails, and sees the outage through; returns when it is over.
  func watch() async {
    do {
      while state != .over {
        if state == .armed, try stage.failedCalls() > 0 {
          isHit = true
          state = .on
          try await seeThrough()
          state = .over
        }
        try await clock.sleep(for: Self.pollGap)
      }
    } catch {
      if !Task.isCancelled { faults.append(.wrong("the outage: \(error)")) }
      await stage.sweep.detach()
      state = .over
    }
  }

  private func seeThrough() async throws {
    await cast.say(.server, "its disk is \(fault.kind.rawValue)")
    let (begun, busy) = (clock.uptime(), try await stage.busyTime())
    let probe = DiskProbe(fault, stage, cast)
    faults += await probe.faultsWhileBad()
    try await clock.sleep(for: begun + Self.holdTime - clock.uptime())
    let (took, used) = (clock.uptime() - begun, try await stage.busyTime() - busy)
    if used / took > Self.busyShareMax {
      faults.append(.wrong("the server was busy for \(used) of \(took)"))
    }
    await stage.sweep.detach()
    await cast.say(
      .server, "its disk is good" + (fault.isRestarted ? ", killed, started again" : ""))
    if fault.isRestarted { try await stage.sweep.stage.restartServer(nil) }
    faults += await probe.faultsAfterwards()
  }

  private var clock: KitClock { stage.sweep.stage.environment.clock }
}
