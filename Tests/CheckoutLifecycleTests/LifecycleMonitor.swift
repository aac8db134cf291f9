import CheckoutLifecycle
import PaymentModels

/// Watches a walk and says what broke a rule. Holds what the rules need to know of the past.
struct LifecycleMonitor: Hashable {
  var proven: Set<CheckoutOutcome> = []
  var isWatching = false
  var pageIsUp = false
  var lastStored: CheckoutRecord?
  var isFinalTold = false

  init(_ record: CheckoutRecord) {
    if let outcome = record.outcome { proven.insert(outcome) }
  }

  mutating func violations(
    before: CheckoutState, _ event: CheckoutEvent, _ step: CheckoutStep
  ) -> [String] {
    let heard = hear(event, before)
    defer { if step.state.phase != .presented { isFinalTold = false } }
    var found: [String] = []
    for effect in step.effects { found += check(effect, event, before, step.state) }
    return found + checkEffects(step.effects) + checkState(before, event, step, heard: heard)
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
    case .closed: pageIsUp = false
    case .openFailed where before.phase == .opening: pageIsUp = false
    case .started, .stored, .storeFailed, .created, .createDelayed, .createFailed, .opened,
      .openFailed,
      .returned, .wentOutside,
      .pageSpoke, .backgrounded, .foregrounded, .relaunched, .pushed, .signedOut, .viewRecreated,
      .viewLeft, .serverAnswered, .serverFailed, .teardownDue:
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
      defer { lastStored = record }
      return (record == after.record ? [] : ["stores something else than it holds"])
        + (lastStored == record && event != .started ? ["stores the same twice"] : [])
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
    case .closePage:
      defer { pageIsUp = false }
      return pageIsUp ? [] : ["closes a page that is not there"]
    case .watch: isWatching = true
    case .stopWatch: isWatching = false
    case .signal(.pageFinal):
      defer { isFinalTold = true }
      return isFinalTold ? ["tells on twice that a page is final"] : []
    case .signal:
      return after.record.payment == nil ? ["signal without a payment"] : []
    case .show(let display):
      if case .outcome = display, pageIsUp { return ["reports a result under the page"] }
      guard case .outcome(let outcome) = display, outcome.isProven else { return [] }
      return proven.contains(outcome) ? [] : ["shows \(outcome) unproven"]
    case .forget, .read, .scheduleTeardown: break
    }
    return []
  }

  /// Each effect at most once, and in an order in which the payer sees no result over a page.
  private func checkEffects(_ effects: [CheckoutEffect]) -> [String] {
    Set(effects).count == effects.count ? [] : ["an effect twice"]
  }

  /// What starts another run of reads once one has ended.
  private static let wakers: Set<String> = ["foregrounded", "relaunched", "pushed", "returned"]

  /// Whether the server may know of money while nothing here waits for its answer.
  private static func mayHaveBeenPaid(_ state: CheckoutState) -> Bool {
    switch state.phase {
    case .unresolved: true
    case .blocked(let obstacle): state.record.payment != nil && obstacle != .signInNeeded
    case .new, .storingIntent, .creating, .storingPayment, .awaitingPage, .opening, .presented,
      .confirming, .settled:
      false
    }
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
    if after.record.payment?.verificationKey != nil,
      after.record.stage == .settled || after.record.request.provider != ProviderName("seb")
    {
      found.append("holds a secret that it need not")
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
    if event == .watchCapped || event == .teardownDue || event == .serverFailed,
      [.opening, .presented].contains(before.phase), step.effects.contains(.closePage)
    {
      found.append("a timer closed an open page")
    }
    if event == .signedOut, after.isWatched || pageIsUp { found.append("goes on signed out") }
    let asks = step.effects.contains(.watch) || step.effects.contains(.read)
    if Self.mayHaveBeenPaid(before), Self.wakers.contains(event.name), !asks {
      found.append("a doubt is not asked about again")
    }
    if after.record.key != before.record.key || after.record.request != before.record.request {
      found.append("the key or the request changed")
    }
    return found
  }
}
