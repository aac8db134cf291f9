/// How one run went.
public struct SweepResult: RunRecord {
  let point: KillPoint
  /// When the kill came; nil if none did.
  let killedIn: SweepPhase?
  let faults: [SweepFault]
  /// Who knew what when, for a person.
  public let timeline: [String]
  /// What the apps printed, process after process.
  public let printed: [[String]]

  /// What was wrong, line by line; nothing if the payment ended right.
  public var problems: [String] { faults.map(\.line) }
}

/// What the runs so far came to.
struct SweepTally: Sendable {
  private(set) var kills = 0
  private(set) var runs = 0
  private(set) var lost = 0
  private(set) var doubled = 0
  private(set) var wrong = 0
  private var counts: [String: Int] = [:]

  /// Takes a result in. A run counts once, as the worst that it found.
  mutating func add(_ result: SweepResult) {
    runs += 1
    if let phase = result.killedIn {
      kills += 1
      counts[Self.cell(result.point.program, result.point.call, phase), default: 0] += 1
    }
    if result.faults.contains(where: { if case .lost = $0 { true } else { false } }) {
      lost += 1
    } else if result.faults.contains(where: { if case .doubled = $0 { true } else { false } }) {
      doubled += 1
    } else if !result.faults.isEmpty {
      wrong += 1
    }
  }

  /// Runs that did not end right.
  var failed: Int { lost + doubled + wrong }

  /// The last line of a sweep.
  var closing: String {
    "\(kills) kill points, \(lost) lost, \(doubled) doubled"
      + (wrong == 0 ? "" : ", \(wrong) wrong otherwise")
  }

  /// Kills in one phase, of all programs and calls.
  func count(_ phase: SweepPhase) -> Int {
    KillPoint.Program.allCases.reduce(0) { sum, program in
      KillPoint.Call.allCases.reduce(sum) { $0 + count(program, $1, phase) }
    }
  }

  private func count(
    _ program: KillPoint.Program, _ call: KillPoint.Call, _ phase: SweepPhase
  ) -> Int {
    counts[Self.cell(program, call, phase)] ?? 0
  }

  private static func cell(
    _ program: KillPoint.Program, _ call: KillPoint.Call, _ phase: SweepPhase
  ) -> String {
    "\(program.rawValue) \(call.rawValue) \(phase.rawValue)"
  }

  /// Phases in which no kill came.
  var missed: [SweepPhase] { SweepPhase.allCases.filter { count($0) == 0 } }

  /// Kills by phase, and by program and call.
  var table: [String] {
    let columns = KillPoint.Program.allCases.flatMap { program in
      KillPoint.Call.allCases.map { (program, $0) }
    }
    func line(_ head: String, _ cells: [String]) -> String {
      head + String(repeating: " ", count: max(0, 10 - head.count))
        + cells.map { String(repeating: " ", count: max(1, 11 - $0.count)) + $0 }.joined()
    }
    let heads = [
      line("", columns.map { $0.0.rawValue } + [""]),
      line("phase", columns.map { $0.1.rawValue } + ["all"]),
    ]
    return heads
      + SweepPhase.allCases.map { phase in
        line(
          phase.rawValue,
          columns.map { "\(count($0.0, $0.1, phase))" } + ["\(count(phase))"])
      }
  }
}
