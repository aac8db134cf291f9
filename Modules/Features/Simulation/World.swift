import SystemRuntime

/// One simulated payment story: the kit's own code for device and server, the provider's sandbox,
/// a payer and a shop, all decided by one seed.
///
/// ```swift
/// let report = await World.run(seed: 7, settings: settings) { evidence in
///   judge(evidence)
/// }
/// ```
public enum World {
  /// Plays the world of a seed to its end, on a thread of its own.
  ///
  /// - Parameter judge: looks at the evidence every few virtual seconds. Once faults have stopped,
  ///   the world ends as soon as the verdict is empty, or at its bound.
  /// - Returns: how it went: the same for the same seed, settings and judge, in any process.
  public static func run(
    seed: UInt64, settings: WorldSettings,
    judge: @escaping @Sendable (WorldEvidence) -> WorldVerdict
  ) async -> WorldReport {
    await withCheckedContinuation { continuation in
      startThread(named: "till-world") {
        continuation.resume(
          returning: WorldRun(seed: seed, settings: settings, judge: judge).play())
      }
    }
  }
}
