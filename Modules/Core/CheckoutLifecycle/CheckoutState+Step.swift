#if FaultInjection
  import PaymentModels
#endif

extension CheckoutState {
  /// The state after an event, and what is to be done about it. Total: an event that has no
  /// meaning where the checkout stands changes nothing.
  public func after(_ event: CheckoutEvent) -> CheckoutStep {
    var state = self
    #if FaultInjection
      if SeededFault.active == .takesErrorForFailure, event == .serverFailed {
        let effects = state.conclude(.failed(.expired))
        return CheckoutStep(state: state, effects: effects)
      }
    #endif
    let effects: [CheckoutEffect] =
      switch event {
      case .started: state.start()
      case .stored(let revision): state.keep(revision)
      case .storeFailed(let revision): state.failToKeep(revision)
      case .created(let answer): state.create(answer)
      case .createDelayed: phase == .creating ? [.show(.confirming)] : []
      case .createFailed(let obstacle): state.failToCreate(obstacle)
      case .opened: state.open()
      case .openFailed(let failure): phase == .opening ? state.block(.init(failure)) : []
      case .returned(let link): state.leavePage(.returned(link.kind))
      case .closed: state.leavePage(.closed)
      case .wentOutside: phase == .presented ? [.signal(.wentOutside)] : []
      case .pageSpoke(let isFinal): state.hearPage(isFinal: isFinal)
      case .foregrounded: state.foreground()
      case .relaunched: phase == .new ? state.resume() : state.wake(.relaunched)
      case .pushed: state.wake(nil)
      case .signedOut: state.signOut()
      case .viewRecreated: state.recreateView()
      case .viewLeft: state.leaveView()
      case .serverAnswered(let answer): state.apply(answer)
      case .watchCapped: state.isWatched ? state.giveUpWatching() : []
      case .teardownDue: state.tearDown()
      // The system may end the process now; all that matters is in the store already. And an
      // error is never an outcome.
      case .backgrounded, .serverFailed: []
      }
    return CheckoutStep(state: state, effects: effects)
  }

  // MARK: Towards the page

  private mutating func start() -> [CheckoutEffect] {
    switch phase {
    case .new: return record.stage == .intent ? storeIntent() : resume()
    case .blocked: return record.stage == .intent ? storeIntent() : awaitPage()
    // The page is not opened from memory: only the server knows whether it can still be paid.
    case .confirming(let pageIsUp): return (pageIsUp ? [.closePage] : []) + awaitPage()
    case .unresolved(.stillConfirming):
      forgetVersion()
      return awaitPage()
    case .unresolved(.underReview): return wake(nil)
    // A second tap.
    case .storingIntent, .creating, .storingPayment, .awaitingPage, .opening, .presented: return []
    case .settled(let outcome): return [.show(.outcome(outcome))]
    }
  }

  private mutating func storeIntent() -> [CheckoutEffect] {
    phase = .storingIntent
    return [.show(.preparing), .store(record)]
  }

  private mutating func keep(_ revision: Int64) -> [CheckoutEffect] {
    guard revision == record.revision else { return [] }
    switch phase {
    case .storingIntent:
      phase = .creating
      return [.create(record)]
    case .storingPayment:
      guard let payment = record.payment, let url = payment.checkoutURL else { return awaitPage() }
      guard payment.isPresentable(under: record.rule) else { return block(.unusablePayment) }
      phase = .opening
      return [.openPage(url: url, strategy: record.strategy)]
    case .new, .creating, .awaitingPage, .opening, .presented, .confirming, .unresolved, .settled,
      .blocked:
      return []
    }
  }

  private mutating func failToKeep(_ revision: Int64) -> [CheckoutEffect] {
    guard revision == record.revision, phase == .storingIntent || phase == .storingPayment
    else { return [] }
    return block(.storage)
  }

  private mutating func create(_ answer: PaymentAnswer) -> [CheckoutEffect] {
    guard phase == .creating else { return [] }
    version = answer.version
    record.keep(answer.payment)
    record.stage = .created
    if let outcome = answer.outcome { return conclude(outcome) }
    return storePayment()
  }

  private mutating func failToCreate(_ obstacle: CheckoutObstacle) -> [CheckoutEffect] {
    guard phase == .creating else { return [] }
    #if FaultInjection
      if SeededFault.active == .takesRefusalForRejection { return conclude(.failed(.rejected)) }
    #endif
    // A refused request is not sent again by the next process; any other may have reached the
    // server, so its key is kept.
    return (obstacle == .refused ? [.forget(record.key)] : []) + block(obstacle)
  }

  private mutating func storePayment() -> [CheckoutEffect] {
    phase = .storingPayment
    record.revision += 1
    return [.store(record)]
  }

  private mutating func awaitPage() -> [CheckoutEffect] {
    phase = .awaitingPage
    return [.show(.preparing), .watch]
  }

  private mutating func open() -> [CheckoutEffect] {
    guard phase == .opening else { return [] }
    phase = .presented
    return markOpened() + [.signal(.opened)]
  }

  mutating func markOpened() -> [CheckoutEffect] {
    guard record.stage == .created else { return [] }
    record.stage = .opened
    record.revision += 1
    return [.store(record)]
  }

  mutating func block(_ obstacle: CheckoutObstacle) -> [CheckoutEffect] {
    phase = .blocked(obstacle)
    return [.show(.notStarted(obstacle))]
  }

  private mutating func hearPage(isFinal: Bool) -> [CheckoutEffect] {
    guard phase == .presented, isFinal, !isFinalReported else { return [] }
    isFinalReported = true
    return [.signal(.pageFinal)]
  }

  // MARK: Away from the page

  private mutating func leavePage(_ signal: CheckoutSignal) -> [CheckoutEffect] {
    #if FaultInjection
      if SeededFault.active == .trustsRedirect, signal == .returned(.success) {
        return conclude(.succeeded)
      }
      if SeededFault.active == .trustsCancelLink, signal == .returned(.cancel) {
        return conclude(.cancelled)
      }
      if SeededFault.active == .takesCloseForCancel, signal == .closed {
        return conclude(.cancelled)
      }
      if SeededFault.active == .forgetsClosedPage, signal == .closed {
        return [.signal(signal), .forget(record.key)]
      }
    #endif
    switch phase {
    case .opening, .presented:
      return confirm(signal)
    case .confirming(let pageIsUp):
      let isClosedNow = pageIsUp && signal != .closed && teardown == .atOnce
      phase = .confirming(pageIsUp: pageIsUp && signal != .closed && !isClosedNow)
      return (isClosedNow ? [.closePage] : []) + wake(signal)
    case .unresolved, .settled:
      return wake(signal)
    case .awaitingPage, .storingPayment, .blocked:
      // There is no page to close; but a payer who comes back was on one, opened earlier.
      return signal == .closed || record.payment == nil ? [] : confirm(signal)
    case .new:
      // The link came before the news that the process is new.
      guard record.payment != nil else { return [] }
      let resumed = resume()
      return resumed + leavePage(signal).filter { !resumed.contains($0) }
    case .storingIntent, .creating:
      return []
    }
  }

  private mutating func confirm(_ signal: CheckoutSignal) -> [CheckoutEffect] {
    let wasUp = pageMayBeUp && signal != .closed
    let opened = markOpened()
    let ask: [CheckoutEffect] = [.signal(signal), .show(.confirming), .watch]
    guard wasUp else {
      phase = .confirming(pageIsUp: false)
      return opened + ask
    }
    switch teardown {
    case .atOnce:
      phase = .confirming(pageIsUp: false)
      return opened + [.closePage] + ask
    case .afterFirstAnswer(let cap):
      phase = .confirming(pageIsUp: true)
      return opened + ask + [.scheduleTeardown(after: cap)]
    case .beforeResult:
      phase = .confirming(pageIsUp: true)
      return opened + ask
    }
  }

  var teardown: PresentationRule.Teardown {
    record.rule?.teardown ?? .atOnce
  }

  private mutating func tearDown() -> [CheckoutEffect] {
    guard phase == .confirming(pageIsUp: true), teardown.isByFirstAnswer else { return [] }
    phase = .confirming(pageIsUp: false)
    return [.closePage]
  }

  private mutating func giveUpWatching() -> [CheckoutEffect] {
    let close: [CheckoutEffect] = pageMayBeUp ? [.closePage] : []
    #if FaultInjection
      if SeededFault.active == .takesPatienceForExpiry { return conclude(.failed(.expired)) }
    #endif
    phase = .unresolved(.stillConfirming)
    return close + [.show(.outcome(.unresolved(.stillConfirming)))]
  }
}
