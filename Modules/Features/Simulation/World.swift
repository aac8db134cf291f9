import SystemRuntime

#if FaultInjection
  import PaymentModels
#endif

/// Simulated payment stories: the kit's own code for devices and server, the providers' sandboxes,
/// payers and a shop, all decided by one seed.
///
/// ```swift
/// let report = await World.play(WorldPlan(seed: 7), settings)
/// ```
public enum World {
  /// Plays a world to its end, on a thread of its own.
  ///
  /// The judge looks at the evidence every few virtual seconds. Once faults have stopped, the world
  /// ends as soon as nothing is unsettled, or at its bound.
  ///
  /// - Returns: how it went: the same for the same plan and settings, in any process.
  public static func play(_ plan: WorldPlan, _ settings: WorldSettings) async -> WorldReport {
    #if FaultInjection
      let fault = SeededFault.active
    #endif
    return await withCheckedContinuation { continuation in
      startThread(named: "till-world") {
        #if FaultInjection
          let report = SeededFault.$active.withValue(fault) { WorldRun(plan, settings).play() }
        #else
          let report = WorldRun(plan, settings).play()
        #endif
        continuation.resume(returning: report)
      }
    }
  }
}

/// How a world went.
public struct WorldReport: Sendable {
  /// What makes it again.
  public var plan: WorldPlan
  /// What was wrong, each once, in the order in which it was found. Empty is good.
  public var violations: [String]
  /// Everything that happened.
  public var trace: WorldTrace
  /// What it has reached.
  public var coverage: CoverageTable
  /// How long it lasted, in virtual time.
  public var length: Duration
}
