#if FaultInjection
  import PaymentModels
#endif

extension CheckoutState {
  /// A new process found the record: what was begun goes on, what was open is asked about.
  mutating func resume() -> [CheckoutEffect] {
    switch record.stage {
    case .intent:
      phase = .creating
      return [.show(.preparing), .create(record)]
    case .created:
      // The page was never on the screen, so nobody has left it: go on towards it.
      phase = .awaitingPage
      return [.signal(.relaunched), .show(.preparing), .watch]
    case .opened:
      phase = .confirming(pageIsUp: false)
      return [.signal(.relaunched), .show(.confirming), .watch]
    case .settled:
      guard let outcome = record.outcome else {
        preconditionFailure("a settled record has an outcome")
      }
      phase = .settled(outcome)
      return [.show(.outcome(outcome))]
    }
  }

  /// Something happened after which the server should be asked.
  mutating func wake(_ signal: CheckoutSignal?) -> [CheckoutEffect] {
    let tell: [CheckoutEffect] = signal.map { [.signal($0)] } ?? []
    switch phase {
    case .presented, .opening, .awaitingPage, .confirming: return tell + [.read]
    case .unresolved(.stillConfirming):
      phase = .confirming(pageIsUp: false)
      forgetVersion()
      return tell + [.show(.confirming), .watch]
    // A person decides, which no run of reads hurries: one read a time.
    case .unresolved(.underReview): return tell + [.read]
    // Money may come late; a success needs no second look.
    case .settled(let outcome): return outcome == .succeeded ? [] : tell + [.read]
    // The user is gone.
    case .blocked(.signInNeeded): return []
    // This try opened no page; an earlier one, or another device, may have paid.
    case .blocked: return record.payment == nil ? [] : tell + [.read]
    case .new, .storingIntent, .creating, .storingPayment: return []
    }
  }

  /// The app is in front. A page inside the app is in front with it; a browser of its own is behind
  /// it then, and no other signal tells that the payer has left the page.
  mutating func foreground() -> [CheckoutEffect] {
    #if FaultInjection
      if SeededFault.active == .sleepsOn { return [] }
    #endif
    guard phase == .presented, !record.strategy.traits.gives.contains(.closed) else {
      return wake(.foregrounded)
    }
    phase = .confirming(pageIsUp: true)
    return [.signal(.foregrounded), .show(.confirming), .watch]
  }

  /// The screen was built anew; a page that lives inside it went with the old one.
  mutating func recreateView() -> [CheckoutEffect] {
    switch phase {
    case .opening, .presented:
      if record.strategy.traits.outlivesView { return [.read] }
      phase = .awaitingPage
      return [.closePage, .show(.preparing), .watch]
    case .confirming(let pageIsUp):
      phase = .confirming(pageIsUp: false)
      // Only what it showed may have gone: a dead page would lie over the result.
      return (pageIsUp ? [.closePage] : []) + [.show(.confirming), .read]
    case .unresolved: return wake(nil)
    case .awaitingPage, .storingIntent, .creating, .storingPayment: return [.show(.preparing)]
    case .settled(let outcome): return [.show(.outcome(outcome))]
    case .blocked(let obstacle): return [.show(.notStarted(obstacle))]
    case .new: return []
    }
  }

  /// Nobody looks any more: the device stops asking, the server goes on. A page that was to come
  /// does not, over another screen; the next tap goes on with the same payment.
  mutating func leaveView() -> [CheckoutEffect] {
    if [.storingIntent, .creating, .storingPayment].contains(phase) { return block(.notOnScreen) }
    guard isWatched else { return [] }
    let close: [CheckoutEffect] = pageMayBeUp ? [.closePage] : []
    phase = .unresolved(.stillConfirming)
    return close + [.stopWatch]
  }

  /// The user is gone: the page goes, and the device stops asking and showing. What was begun
  /// stays in the store, and the server goes on.
  mutating func signOut() -> [CheckoutEffect] {
    let close: [CheckoutEffect] = pageMayBeUp ? [.closePage] : []
    switch phase {
    case .new, .blocked: return []
    case .settled, .unresolved: return [.stopWatch]
    case .storingIntent, .creating, .storingPayment: return block(.signInNeeded)
    case .awaitingPage: return [.stopWatch] + block(.signInNeeded)
    case .opening, .presented, .confirming:
      let opened = markOpened()
      phase = .unresolved(.stillConfirming)
      return opened + close + [.stopWatch, .show(.outcome(.unresolved(.stillConfirming)))]
    }
  }

  /// A run of reads that brought no proof is over. The next one hears every answer: a server that
  /// was restored from a copy counts from a lower version on.
  mutating func forgetVersion() { version = nil }

  // MARK: Proof

  /// The server answered a read.
  mutating func apply(_ answer: PaymentAnswer) -> [CheckoutEffect] {
    guard record.payment?.paymentID == answer.payment.paymentID, phase != .settled(.succeeded),
      answer.version >= version ?? .min
    else { return [] }
    version = answer.version
    if let outcome = answer.outcome {
      record.keep(answer.payment)
      return conclude(outcome)
    }
    switch phase {
    case .awaitingPage where answer.payment.checkoutURL != nil:
      record.keep(answer.payment)
      record.revision += 1
      phase = .storingPayment
      return [.stopWatch, .store(record)]
    case .confirming(pageIsUp: true) where teardown.isByFirstAnswer:
      phase = .confirming(pageIsUp: false)
      return [.closePage]
    case .unresolved(.underReview):
      phase = .unresolved(.stillConfirming)
      return [.show(.outcome(.unresolved(.stillConfirming)))]
    case .new, .storingIntent, .creating, .storingPayment, .awaitingPage, .opening, .presented,
      .confirming, .unresolved, .settled, .blocked:
      return []
    }
  }

  /// Takes an outcome that an answer proves, or the doubt that it names.
  mutating func conclude(_ outcome: CheckoutOutcome) -> [CheckoutEffect] {
    let end: [CheckoutEffect] = (pageMayBeUp ? [.closePage] : []) + [.stopWatch]
    let isNews: Bool
    switch outcome {
    case .succeeded, .failed, .cancelled:
      isNews = phase != .settled(outcome)
      phase = .settled(outcome)
      record.stage = .settled
      record.outcome = outcome
      record.payment?.verificationKey = nil
    case .unresolved(let doubt):
      isNews = phase != .unresolved(doubt)
      phase = .unresolved(doubt)
      // A settled record that comes under review is open again, and is asked about when found.
      if record.stage == .settled { record.stage = .opened }
      record.outcome = nil
    }
    guard isNews else { return [] }
    record.settledAt = record.outcome.flatMap { _ in answeredAt }
    record.revision += 1
    return end + [.store(record), .show(.outcome(outcome))]
  }
}
