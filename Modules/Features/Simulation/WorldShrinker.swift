/// Makes a world that went wrong smaller, as long as it goes wrong in the same way: fewer payers,
/// fewer faults, fewer events, a shorter time.
public struct WorldShrinker: Sendable {
  /// Worlds that it plays at the most; a story of a few parts mostly stands after half of them.
  public static let worldsMax = 300

  private let settings: WorldSettings
  private let wanted: Set<String>
  private var left = WorldShrinker.worldsMax
  private(set) var best: WorldReport

  /// - Parameter report: of a world with a violation.
  public init(_ report: WorldReport, settings: WorldSettings) {
    best = report
    self.settings = settings
    wanted = Self.kinds(of: report)
  }

  /// The violations without their details: the same fault again has other ids in it.
  private static func kinds(of report: WorldReport) -> Set<String> {
    Set(report.violations.map(Violation.kind(of:)))
  }

  /// The smallest world that was found.
  public mutating func shrink() async -> WorldReport {
    for payer in 0..<best.plan.payers { await tryWithout { $0.payer == payer } }
    for kind in WorldPart.Kind.allCases where kind != .payers {
      await tryWithout { $0.kind == kind }
    }
    var size = max(1, best.plan.parts.count / 2)
    while size >= 1, left > 0 {
      var start = 0
      while start < best.plan.parts.count, left > 0 {
        let names = Set(best.plan.parts.dropFirst(start).prefix(size).map(\.name))
        if await !tryWithout({ names.contains($0.name) }) { start += size }
      }
      size = size == 1 ? 0 : size / 2
    }
    await shorten()
    return best
  }

  @discardableResult
  private mutating func tryWithout(_ isLeftOut: (WorldPart) -> Bool) async -> Bool {
    let names = Set(best.plan.parts.filter(isLeftOut).map(\.name))
    guard !names.isEmpty, names.count < best.plan.parts.count else { return false }
    return await attempt(best.plan.without(names))
  }

  private mutating func shorten() async {
    for divisor in [8, 4, 2] {
      var plan = best.plan
      let last = plan.parts.map(\.at).max() ?? .zero
      plan.faultsEnd = max(last + .seconds(60), plan.faultsEnd / divisor)
      if plan.faultsEnd < best.plan.faultsEnd, await attempt(plan) { return }
    }
  }

  private mutating func attempt(_ plan: WorldPlan) async -> Bool {
    guard left > 0 else { return false }
    left -= 1
    let report = await World.play(plan, settings)
    guard !Self.kinds(of: report).isDisjoint(with: wanted) else { return false }
    best = report
    return true
  }
}
