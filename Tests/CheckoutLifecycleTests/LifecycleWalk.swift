import CheckoutLifecycle
import PaymentModels

/// Every state that the events can lead to under one row of the table of presentations, walked
/// breadth-first. A node is a state together with what the rules need to know of its past.
struct LifecycleWalk {
  struct Node: Hashable {
    var state: CheckoutState
    var monitor: LifecycleMonitor
  }

  let rule: PresentationRule
  private(set) var violations: [String] = []
  private(set) var nodes: Set<Node> = []
  private(set) var edgeCount = 0
  private(set) var steps: Set<LifecycleTable.Step> = []
  /// Signals of the page that did something somewhere.
  private(set) var used: Set<PageSignal> = []

  init(_ rule: PresentationRule, depth: Int) {
    self.rule = rule
    let signals = rule.strategy.traits.alphabet.flatMap { signal in
      signal.events.map { (signal: PageSignal?.some(signal), event: $0) }
    }
    let alphabet = Self.everywhere.map { (signal: PageSignal?.none, event: $0) } + signals
    var frontier = CheckoutRecord.Stage.allCases.map { stage in
      let record = newRecord(rule.strategy, stage: stage, at: rule.provider)
      return Node(state: CheckoutState(record: record), monitor: LifecycleMonitor(record))
    }
    nodes = Set(frontier)
    for _ in 0..<depth {
      var next: [Node] = []
      for node in frontier {
        for (signal, event) in alphabet where take(event, from: node, into: &next) {
          if let signal { used.insert(signal) }
        }
      }
      frontier = next
    }
  }

  /// Takes a step; returns whether it did anything.
  private mutating func take(
    _ event: CheckoutEvent, from node: Node, into next: inout [Node]
  ) -> Bool {
    let event = event.aimed(at: node.state)
    let step = node.state.after(event)
    var monitor = node.monitor
    let found = monitor.violations(before: node.state, event, step)
    edgeCount += 1
    if !found.isEmpty, violations.count < 10 {
      violations.append("\(node.state.phase) on \(event.label): \(found)")
    }
    let isMoved = step.state != node.state || !step.effects.isEmpty
    if event.isHeard(by: node.state) { note(event, node.state, step) }
    let reached = Node(state: step.state, monitor: monitor)
    if nodes.insert(reached).inserted { next.append(reached) }
    return isMoved
  }

  private mutating func note(
    _ event: CheckoutEvent, _ state: CheckoutState, _ step: CheckoutStep
  ) {
    let stage = step.state.record.stage
    var result = LifecycleTable.Result(
      to: step.state.phase.label, stage: stage == state.record.stage ? nil : stage.rawValue,
      effects: step.effects.map(\.name))
    if state.phase == .new, state.record.stage == .settled, let outcome = state.record.outcome,
      !event.isAnswer
    {
      // What is found in the store is told again, whichever it is.
      result.to = result.to.replacing(outcome.stored, with: "as stored")
      result.effects = result.effects.map { $0.replacing(outcome.stored, with: "as stored") }
    }
    steps.insert(
      LifecycleTable.Step(
        from: state.phase.label, event: event.label,
        context: LifecycleTable.Context(state, under: rule), result: result))
  }

  /// What may happen whatever shows the page: the app, the system, the store, the server.
  static let everywhere: [CheckoutEvent] =
    [
      .started, .stored(revision: 0), .storeFailed(revision: 0), .stored(revision: -1),
      .createDelayed, .backgrounded, .foregrounded, .relaunched, .pushed, .signedOut,
      .viewRecreated, .viewLeft, .serverFailed, .watchCapped, .teardownDue,
    ]
    + [CheckoutObstacle.unreachable, .refused, .beingPaidElsewhere, .signInNeeded].map {
      .createFailed($0)
    }
    + answers.map { .serverAnswered($0) } + answers.map { .created($0) }

  static let answers: [PaymentAnswer] = [
    answer(nil, hasPage: false), answer(.created), answer(.created, hasPage: false),
    answer(.unknown("NEW")), answer(.authorized, order: .authorized), answer(.rejected),
    answer(.expired), answer(.cancelled), answer(.captured, order: .needsReview),
    answer(.expired, order: .paid), answer(.authorized, version: 0),
    answer(.authorized, payment: PaymentID("0199cccc-0000-7000-8000-0000000000ee")),
  ]
}

extension PageSignal {
  /// What it is to the lifecycle.
  var events: [CheckoutEvent] {
    switch self {
    case .opened: [.opened]
    case .openFailed: PresentationFailure.allCases.map { .openFailed($0) }
    case .returned: CheckoutReturn.Kind.allCases.map { .returned(CheckoutReturn(kind: $0)) }
    case .closed: [.closed]
    case .wentOutside: [.wentOutside]
    case .pageSpoke: [.pageSpoke(isFinal: false), .pageSpoke(isFinal: true)]
    }
  }
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

  var isAnswer: Bool {
    switch self {
    case .created, .serverAnswered: true
    default: false
    }
  }

  /// Whether it is about what stands here now; if not, it is dropped before the table: the store's
  /// word about an earlier save, an answer that is older or about another payment, and what the
  /// page has said before.
  func isHeard(by state: CheckoutState) -> Bool {
    switch self {
    case .stored(let revision), .storeFailed(let revision): revision == state.record.revision
    case .serverAnswered(let answer):
      answer.version >= state.version ?? .min
        && answer.payment.paymentID == state.record.payment?.paymentID
    case .pageSpoke: state.after(self).effects != [] || state.phase != .presented
    default: true
    }
  }

  /// The name, and of an answer what it proves.
  var label: String {
    switch self {
    case .created(let answer), .serverAnswered(let answer):
      "\(name) " + (answer.outcome?.stored ?? answer.page)
    case .createFailed(let obstacle): "\(name) \(obstacle.rawValue)"
    case .openFailed(let failure): "\(name) \(failure.rawValue)"
    case .returned(let link): "\(name) \(link.kind.rawValue)"
    case .pageSpoke(let isFinal): "\(name) \(isFinal ? "final" : "not final")"
    default: name
    }
  }
}

extension PaymentAnswer {
  fileprivate var page: String { payment.checkoutURL == nil ? "no page" : "page" }
}

extension CheckoutEffect {
  var name: String {
    switch self {
    case .show(.outcome(let outcome)): "show \(outcome.stored)"
    case .show(.notStarted(let obstacle)): "show not started: \(obstacle.rawValue)"
    case .show(let display): "show \(display)"
    case .signal(.returned(let kind)): "signal returned \(kind.rawValue)"
    case .signal(let signal): "signal \(signal)"
    default: String("\(self)".prefix { $0 != "(" })
    }
  }
}

extension CheckoutState.Phase {
  var name: String { String("\(self)".prefix { $0 != "(" }) }

  /// The name with what belongs to it.
  var label: String {
    switch self {
    case .confirming(pageIsUp: true): "confirming, page up"
    case .unresolved(let doubt): "unresolved: \(doubt.rawValue)"
    case .settled(let outcome): "settled: \(outcome.stored)"
    case .blocked(let obstacle): "blocked: \(obstacle.rawValue)"
    case .new, .storingIntent, .creating, .storingPayment, .awaitingPage, .opening, .presented,
      .confirming(pageIsUp: false):
      name
    }
  }
}
