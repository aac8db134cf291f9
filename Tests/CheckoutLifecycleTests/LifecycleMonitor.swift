import CheckoutLifecycle

/// Watches a walk and says what broke a rule. Holds what the rules need to know of the past.
struct LifecycleMonitor: Hashable {
  var proven: Set<CheckoutOutcome> = []
  var isWatching = false
  var pageIsUp = false
  var lastStored: CheckoutRecord?

  init(_ record: CheckoutRecord) {
    if let outcome = record.outcome { proven.insert(outcome) }
  }

  mutating func violations(
    before: CheckoutState, _ event: CheckoutEvent, _ step: CheckoutStep
  ) -> [String] {
    let heard = hear(event, before)
    var found: [String] = []
    for effect in step.effects { found += check(effect, event, before, step.state) }
    return found + checkState(before, event, step, heard: heard)
  }

  /// What the event itself makes true; returns the outcome that it proves.
  private mutating func hear(
    _ event: CheckoutEvent, _ before: CheckoutState
  ) -> CheckoutOutcome? {
    switch event {
    case .created(let answer) where before.phase == .creating:
      if let outcome = answer.outcome { proven.insert(outcome) }
      return answer.outcome
    case .serverAnswered(let answer)
    where answer.payment.paymentID == before.record.payment?.paymentID
      && answer.version >= before.version ?? .min:
      if let outcome = answer.outcome { proven.insert(outcome) }
      return answer.outcome
    case .watchCapped: isWatching = false
    case .closed, .openFailed: pageIsUp = false
    case .viewRecreated where before.record.strategy == .webView: pageIsUp = false
    case .started, .stored, .storeFailed, .created, .createDelayed, .createFailed, .opened,
      .returned, .backgrounded, .foregrounded, .relaunched, .viewRecreated, .viewLeft,
      .serverAnswered, .serverFailed, .teardownDue:
      break
    }
    return nil
  }

  private mutating func check(
    _ effect: CheckoutEffect, _ event: CheckoutEvent, _ before: CheckoutState,
    _ after: CheckoutState
  ) -> [String] {
    switch effect {
    case .store(let record):
      lastStored = record
      return record == after.record ? [] : ["stores something else than it holds"]
    case .create(let record):
      let isKept = event == .stored(revision: record.revision) || event == .relaunched
      let isNewProcess = before.phase == .new && record.stage == .intent
      return (isKept || isNewProcess) && record.key == before.record.key
        ? [] : ["create before its key is kept"]
    case .openPage(let url, _):
      defer { pageIsUp = true }
      let isKept =
        lastStored == after.record && after.record.payment?.checkoutURL == url
        && event == .stored(revision: after.record.revision)
      return (isKept ? [] : ["page opens before the payment is kept"])
        + (pageIsUp ? ["second page over the first"] : [])
    case .closePage: pageIsUp = false
    case .watch: isWatching = true
    case .stopWatch: isWatching = false
    case .signal:
      return after.record.payment == nil ? ["signal without a payment"] : []
    case .show(.outcome(let outcome)):
      return outcome.isProven && !proven.contains(outcome) ? ["shows \(outcome) unproven"] : []
    case .forget, .read, .scheduleTeardown, .show: break
    }
    return []
  }

  private func checkState(
    _ before: CheckoutState, _ event: CheckoutEvent, _ step: CheckoutStep, heard: CheckoutOutcome?
  ) -> [String] {
    var found: [String] = []
    let after = step.state
    if after.isWatched != isWatching { found.append("run of reads: \(isWatching)") }
    switch after.phase {
    case .settled(let outcome):
      if !proven.contains(outcome) { found.append("settled unproven") }
      if after.record.stage != .settled { found.append("settled, but not in the record") }
      if pageIsUp { found.append("page left up") }
    case .unresolved, .blocked:
      if pageIsUp { found.append("page left up") }
    case .new, .storingIntent, .creating, .storingPayment, .awaitingPage, .opening, .presented,
      .confirming:
      break
    }
    if heard == .succeeded, after.phase != .settled(.succeeded) {
      found.append("paid and known, but not told")
    }
    if before.phase == .settled(.succeeded), after.phase != before.phase {
      found.append("a success was taken back")
    }
    if event == .serverFailed, !step.effects.isEmpty || after != before {
      found.append("an error did something")
    }
    let asks = step.effects.contains(.watch) || step.effects.contains(.read)
    if case .unresolved = before.phase, event == .foregrounded || event == .relaunched, !asks {
      found.append("a doubt is not asked about again")
    }
    if after.record.key != before.record.key || after.record.request != before.record.request {
      found.append("the key or the request changed")
    }
    return found
  }
}
