/// One program killed at one call of one phase, at a higher number each time, until its runs end
/// without a kill.
struct SweepSeries: Sendable {
  let program: KillPoint.Program
  let phase: SweepPhase
  let call: KillPoint.Call
  private var numbers: SweepNumbers

  init(
    _ program: KillPoint.Program, _ phase: SweepPhase, _ call: KillPoint.Call, from first: Int = 1,
    step: Int = 1, through last: Int = SweepNumbers.numberMax
  ) {
    self.program = program
    self.phase = phase
    self.call = call
    numbers = SweepNumbers(from: first, step: step, through: last)
  }

  /// As in `server/capture/fdatasync`.
  var name: String { "\(program.rawValue)/\(phase.rawValue)/\(call.rawValue)" }

  /// The next point; nil once the series is at its end.
  mutating func take() -> KillPoint? {
    numbers.take().map { KillPoint(program: program, phase: phase, call: call, number: $0) }
  }

  /// Takes in whether the kill of a number that was taken came.
  mutating func note(_ number: Int, isHit: Bool) { numbers.note(number, isHit: isHit) }
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
