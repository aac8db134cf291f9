/// One program killed at one call of one phase, at a higher number each time, until its runs end
/// without a kill.
struct SweepSeries: Sendable {
  /// So many numbers in a row without a kill end a series. One alone may be luck: which thread
  /// makes a call differs from run to run, and `strace` counts by thread.
  static let missesMax = 2
  /// No thread makes as many calls of a kind in one payment.
  static let numberMax = 1_000

  let program: KillPoint.Program
  let phase: SweepPhase
  let call: KillPoint.Call
  let step: Int
  private let last: Int
  private var next: Int
  private var hits: [Int: Bool] = [:]

  init(
    _ program: KillPoint.Program, _ phase: SweepPhase, _ call: KillPoint.Call, from first: Int = 1,
    step: Int = 1, through last: Int = numberMax
  ) {
    self.program = program
    self.phase = phase
    self.call = call
    self.step = step
    self.last = last
    next = first
  }

  /// As in `server/capture/fdatasync`.
  var name: String { "\(program.rawValue)/\(phase.rawValue)/\(call.rawValue)" }

  /// The next point; nil once the series is at its end.
  mutating func take() -> KillPoint? {
    guard next <= last, !isOver else { return nil }
    defer { next += step }
    return KillPoint(program: program, phase: phase, call: call, number: next)
  }

  /// Takes in whether the kill of a number that was taken came.
  mutating func note(_ number: Int, isHit: Bool) { hits[number] = isHit }

  private var isOver: Bool {
    let misses = hits.filter { !$0.value }.map(\.key).sorted()
    return misses.contains { first in
      (0..<Self.missesMax).allSatisfy { hits[first + $0 * step] == false }
    }
  }
}

/// Which series a sweep goes through.
public struct SweepPlan: Sendable {
  private(set) var series: [SweepSeries]
  /// Whether nothing was filtered out, so that each phase must have had a kill.
  let isWhole: Bool

  /// Every `step`th number of every series whose name contains the text, or the one run of that
  /// name.
  public init(every step: Int, filter: String? = nil) {
    let all = KillPoint.Program.allCases.flatMap { program in
      program.phases.flatMap { phase in
        KillPoint.Call.allCases.map { SweepSeries(program, phase, $0, step: step) }
      }
    }
    isWhole = filter == nil
    guard let filter else {
      series = all
      return
    }
    let parts = filter.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    if parts.count == 4, let number = Int(parts[3]), number > 0,
      let own = all.first(where: { $0.name == parts.dropLast().joined(separator: "/") })
    {
      series = [SweepSeries(own.program, own.phase, own.call, from: number, through: number)]
    } else {
      series = all.filter { $0.name.contains(filter) }
    }
  }

  /// Whether there is nothing to play.
  public var isEmpty: Bool { series.isEmpty }

  /// The next point, from each series in turn; nil once all are at their end.
  mutating func take() -> KillPoint? {
    for _ in series.indices {
      var first = series.removeFirst()
      let point = first.take()
      series.append(first)
      if let point { return point }
    }
    return nil
  }

  /// Takes in whether the kill at a point came.
  mutating func note(_ point: KillPoint, isHit: Bool) {
    for index in series.indices
    where series[index].program == point.program && series[index].phase == point.phase
      && series[index].call == point.call
    {
      series[index].note(point.number, isHit: isHit)
    }
  }
}
