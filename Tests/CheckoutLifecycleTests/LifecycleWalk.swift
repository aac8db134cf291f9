import CheckoutLifecycle
import PaymentModels

/// Every state that the events can lead to, walked breadth-first.
struct LifecycleWalk {
  struct Node: Hashable {
    var state: CheckoutState
    var monitor: LifecycleMonitor
  }

  private(set) var violations: [String] = []
  private(set) var nodes: Set<Node> = []
  private(set) var edgeCount = 0
  /// From phase, to phase, by event, by their names.
  private(set) var arrows: Set<[String]> = []

  init(depth: Int, alphabet: [CheckoutEvent]) {
    var frontier = PresentationStrategy.allCases.flatMap { strategy in
      CheckoutRecord.Stage.allCases.map { stage in
        let record = newRecord(strategy, stage: stage)
        return Node(state: CheckoutState(record: record), monitor: LifecycleMonitor(record))
      }
    }
    nodes = Set(frontier)
    for _ in 0..<depth {
      var next: [Node] = []
      for node in frontier {
        for event in alphabet { take(event, from: node, into: &next) }
      }
      frontier = next
    }
  }

  private mutating func take(_ event: CheckoutEvent, from node: Node, into next: inout [Node]) {
    let event = event.aimed(at: node.state)
    let step = node.state.after(event)
    var monitor = node.monitor
    let found = monitor.violations(before: node.state, event, step)
    edgeCount += 1
    if !found.isEmpty, violations.count < 10 {
      violations.append("\(node.state.phase) on \(event): \(found)")
    }
    let (from, to) = (node.state.phase.name, step.state.phase.name)
    if from != to { arrows.insert([from, to, event.name]) }
    let reached = Node(state: step.state, monitor: monitor)
    if nodes.insert(reached).inserted { next.append(reached) }
  }

  static let alphabet: [CheckoutEvent] =
    [
      .started, .stored(revision: 0), .storeFailed(revision: 0), .stored(revision: -1),
      .createDelayed, .opened, .openFailed, .closed, .backgrounded, .foregrounded, .relaunched,
      .viewRecreated, .viewLeft, .serverFailed, .watchCapped, .teardownDue,
    ] + CheckoutObstacle.allCases.map { .createFailed($0) }
    + CheckoutReturn.Kind.allCases.map { .returned(CheckoutReturn(kind: $0)) }
    + answers.map { .serverAnswered($0) } + answers.map { .created($0) }

  private static let answers: [PaymentAnswer] = [
    answer(nil, hasPage: false), answer(.created), answer(.created, hasPage: false),
    answer(.unknown("NEW")), answer(.authorized, order: .authorized), answer(.rejected),
    answer(.expired), answer(.cancelled), answer(.captured, order: .needsReview),
    answer(.expired, order: .paid), answer(.authorized, version: 0),
    answer(.authorized, payment: PaymentID("0199cccc-0000-7000-8000-0000000000ee")),
  ]
}

extension CheckoutEvent {
  /// The alphabet names revisions by their distance from the record's own.
  func aimed(at state: CheckoutState) -> CheckoutEvent {
    switch self {
    case .stored(let distance): .stored(revision: state.record.revision + distance)
    case .storeFailed(let distance): .storeFailed(revision: state.record.revision + distance)
    default: self
    }
  }

  var name: String { String("\(self)".prefix { $0 != "(" }) }
}

extension CheckoutState.Phase {
  var name: String { String("\(self)".prefix { $0 != "(" }) }
}
