import CheckoutLifecycle
import KitEnvironment
import PaymentModels

extension CheckoutSession {
  /// Performs the work of all checkouts until the task is cancelled, which ends every request and
  /// watcher. May be called again afterwards; it goes on where it stopped.
  public func run() async {
    precondition(wake == nil, "one run at a time")
    // A token is enough: whoever is woken takes all the work that there is.
    let (wakes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    wake = continuation
    defer { wake = nil }
    takeUp()
    continuation.yield()
    // Not a discarding group, which needs iOS 17: a finished child costs some bytes until the end
    // of the run, and children are few: a create, a run of reads, a row of signals.
    await withTaskGroup(of: Void.self) { group in
      sendSignals(in: &group)
      for await _ in wakes {
        while !work.isEmpty, !Task.isCancelled {
          let (key, effect) = work.removeFirst()
          await perform(effect, for: key, in: &group)
        }
      }
      group.cancelAll()
    }
  }

  /// What an earlier run was stopped in the middle of.
  private func takeUp() {
    for key in states.keys.sorted() {
      guard let state = states[key] else { continue }
      let create = CheckoutEffect.create(state.record)
      if state.phase == .creating, !work.contains(where: { $0.effect == create }) {
        enqueue(create, for: key)
      }
      if state.isWatched { enqueue(.watch, for: key) }
      if let delay = teardownDelay(of: state) {
        enqueue(.scheduleTeardown(after: delay), for: key)
      }
    }
  }

  /// After how long a page goes that waits for the first answer; nil if none does.
  private func teardownDelay(of state: CheckoutState) -> Duration? {
    let request = state.record.request
    let rule = PresentationRule.rule(provider: request.provider, strategy: state.record.strategy)
    guard state.phase == .confirming(pageIsUp: true),
      case .afterFirstAnswer(let cap) = rule?.teardown
    else { return nil }
    return cap
  }

  private func perform(
    _ effect: CheckoutEffect, for key: CheckoutKey, in group: inout TaskGroup<Void>
  ) async {
    switch effect {
    // In line, so that saves keep their order and later effects wait for them.
    case .store(let record): await save(record)
    case .forget(let key): await drop(key)
    case .create(let record): group.addTask { await self.create(record) }
    case .openPage(let url, let strategy): await openPage(key, url, strategy)
    case .closePage: await page.close(key)
    case .scheduleTeardown(let delay): group.addTask { await self.tearDown(key, after: delay) }
    case .watch: watch(key, in: &group)
    case .read: read(key, in: &group)
    case .stopWatch: stopWatch(key)
    case .signal(let signal):
      signals.append((key, signal))
      sendSignals(in: &group)
    case .show(let display): tell(display, of: key)
    }
  }

  private func save(_ record: CheckoutRecord) async {
    #if FaultInjection
      if SeededFault.active == .savesTooLate, record.stage != .settled {
        return apply(.stored(revision: record.revision), to: record.key)
      }
    #endif
    do {
      try await store.save(record)
      apply(.stored(revision: record.revision), to: record.key)
    } catch {
      environment.log(.error, "a checkout was not kept", ("checkout", record.key.rawValue))
      apply(.storeFailed(revision: record.revision), to: record.key)
    }
  }

  /// A record that stays behind does no harm; it is dropped again by a later process.
  func drop(_ key: CheckoutKey) async {
    do {
      try await store.remove(key)
    } catch {
      environment.log(.warning, "a checkout was not dropped", ("checkout", key.rawValue))
    }
  }

  private func openPage(
    _ key: CheckoutKey, _ url: String, _ strategy: PresentationStrategy
  ) async {
    do {
      try await page.open(key, url, strategy)
      apply(.opened, to: key)
    } catch {
      environment.log(.warning, "a page did not open", ("checkout", key.rawValue))
      apply(.openFailed(error as? PresentationFailure ?? .other), to: key)
    }
  }

  private func tearDown(_ key: CheckoutKey, after delay: Duration) async {
    do {
      try await environment.clock.sleep(for: delay)
      apply(.teardownDue, to: key)
    } catch {
      environment.log(.debug, "session ended before the teardown")
    }
  }

  // MARK: Create

  /// Sends the create under the one key until there is an answer, a refusal or the cap.
  private func create(_ record: CheckoutRecord) async {
    let begun = environment.clock.uptime()
    var attempt = 0
    // Whoever gave it up meanwhile, such as by signing out, wants no other try.
    while !Task.isCancelled, states[record.key]?.phase == .creating {
      do {
        #if FaultInjection
          if SeededFault.active == .makesNewKeys {
            let key = CheckoutKey(environment.newUUID())
            return apply(
              .created(try await backend.createCheckout(record.request, key: key)), to: record.key)
          }
        #endif
        let answer = try await backend.createCheckout(record.request, key: record.key)
        return hear(.created(answer), of: record.key)
      } catch {
        guard !Task.isCancelled else { return }
        attempt += 1
        let error = error as BackendError
        guard let delay = delayOfCreate(after: error, attempt: attempt, for: record.key) else {
          return
        }
        guard environment.clock.uptime() - begun + delay <= policy.createCap else {
          return apply(.createFailed(.unreachable), to: record.key)
        }
        if attempt == 1 { apply(.createDelayed, to: record.key) }
        guard await isPast(delay) else { return }
      }
    }
  }

  private func delayOfCreate(
    after error: BackendError, attempt: Int, for key: CheckoutKey
  ) -> Duration? {
    switch error.kind {
    case .giveUp, .notFound:
      environment.log(.info, "a create was refused", ("reason", error.reason))
      apply(.createFailed(.refused), to: key)
      return nil
    case .beingPaid:
      apply(.createFailed(.beingPaidElsewhere), to: key)
      return nil
    case .signInNeeded:
      environment.log(.info, "a create needs a sign-in", ("reason", error.reason))
      apply(.createFailed(.signInNeeded), to: key)
      return nil
    case .retryLater(let after):
      environment.log(.info, "a create brought no answer", ("reason", error.reason))
      #if FaultInjection
        if SeededFault.active == .givesUpCreate { return nil }
      #endif
      return policy.createRetry.delay(
        afterAttempt: attempt, random: environment.random, retryAfter: after)
    }
  }

  /// Waits; false if the session ended meanwhile.
  func isPast(_ delay: Duration) async -> Bool {
    do {
      try await environment.clock.sleep(for: delay)
      return true
    } catch {
      return false
    }
  }

  // MARK: Signals

  /// One after another, so that the journal has them in their order.
  private func sendSignals(in group: inout TaskGroup<Void>) {
    guard !signals.isEmpty, !isSignalling else { return }
    isSignalling = true
    group.addTask { await self.sendSignals() }
  }

  private func sendSignals() async {
    while !signals.isEmpty, !Task.isCancelled {
      let (key, signal) = signals.removeFirst()
      guard let id = states[key]?.record.payment?.paymentID else { continue }
      do {
        try await backend.sendSignal(signal, for: id)
      } catch {
        environment.log(.debug, "a signal was not taken", ("reason", error.reason))
      }
    }
    isSignalling = false
  }
}
