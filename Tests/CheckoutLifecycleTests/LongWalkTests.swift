import CheckoutLifecycle
import KitEnvironment
import PaymentModels
import TestSupport
import Testing

/// Rows of events far longer than the walk of every order goes, with processes that die and stores
/// that lose the last save.
@Suite("CheckoutLifecycle, walked far")
struct LongWalkTests {
  private static let length = 3_000

  @Test(arguments: PresentationRule.all)
  func `no long row of events breaks a rule`(rule: PresentationRule) {
    for seed in 1...UInt64(6) {
      let found = walk(rule, seed: seed)
      #expect(found == [], "seed \(seed), \(rule.provider) in \(rule.strategy)")
    }
  }

  private func walk(_ rule: PresentationRule, seed: UInt64) -> [String] {
    let random = seededRandom(seed)
    var kept = newRecord(rule.strategy, at: rule.provider)
    var state = CheckoutState(record: kept)
    var monitor = LifecycleMonitor(kept)
    var version: Int64 = 1
    let signals = rule.strategy.traits.alphabet.flatMap(\.events)
    var trail: [String] = []
    for step in 0..<Self.length {
      if random.below(40) == 0 {
        state = CheckoutState(record: kept)
        monitor = LifecycleMonitor(kept)
        trail.append("killed")
        continue
      }
      let event = pick(random, signals, &version).aimed(at: state)
      let before = state
      let result = before.after(event)
      trail.append("\(before.phase.label) on \(event.label)")
      let found = monitor.violations(before: before, event, result)
      state = result.state
      for case .store(let record) in result.effects where random.below(10) > 0 { kept = record }
      guard found.isEmpty else { return found + ["step \(step)"] + trail.suffix(12) }
      if let problem = lostMoney(state, version) { return [problem] + trail.suffix(12) }
    }
    return []
  }

  private func pick(
    _ random: RandomSource, _ signals: [CheckoutEvent], _ version: inout Int64
  ) -> CheckoutEvent {
    switch random.below(10) {
    case 0..<3:
      // The store does its work most of the time.
      return .stored(revision: 0)
    case 3: return signals[Int(random.below(UInt64(signals.count)))]
    case 4:
      version += Int64(random.below(3))
      let statuses: [PaymentStatus?] = [
        nil, .created, .pending, .authorized, .captured, .rejected, .expired, .cancelled,
        .unknown("NEW"),
      ]
      let answer = answer(
        statuses[Int(random.below(UInt64(statuses.count)))],
        order: OrderState.allCases[Int(random.below(UInt64(OrderState.allCases.count)))],
        version: max(0, version - Int64(random.below(2))), hasPage: random.below(4) > 0)
      return random.below(2) == 0 ? .created(answer) : .serverAnswered(answer)
    default:
      let all = LifecycleWalk.everywhere
      return all[Int(random.below(UInt64(all.count)))]
    }
  }

  /// Whatever happened before: once the server knows of the money, a launch or a foreground and
  /// its answer tell the payer.
  private func lostMoney(_ state: CheckoutState, _ version: Int64) -> String? {
    guard state.record.payment != nil else { return nil }
    let paid = CheckoutEvent.serverAnswered(
      answer(.captured, order: .paid, version: version + 1))
    if state.after(paid).state.phase != .settled(.succeeded) { return "paid, but not told" }
    var next = CheckoutState(record: state.record)
    next = next.after(.relaunched).state.after(paid).state
    return next.phase == .settled(.succeeded) ? nil : "paid, but not told by the next process"
  }
}
