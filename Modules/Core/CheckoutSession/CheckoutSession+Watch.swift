import CheckoutLifecycle
import KitEnvironment
import PaymentModels

/// A run of reads: one a payment, with one request in flight.
struct WatchRun {
  /// What ends the run well.
  enum Goal {
    /// One answer to a read that began after it was asked for.
    case answer
    /// An answer that settles the payment.
    case proof
  }

  /// What ended it. A run that has ended takes nothing more; a wish that comes then starts the
  /// next run, once its last request is over.
  enum Ending {
    case done
    case capped
  }

  var goal: Goal
  /// By uptime, which no change of the wall clock moves.
  var deadline: Duration
  var isReadOwed = true
  var ending: Ending?
  var next: Goal?
  /// Ends the run's other tasks when finished.
  let stop: AsyncStream<Never>.Continuation
  /// Ends the present pause, or the long poll under way, when finished.
  var pause: AsyncStream<Never>.Continuation?
}

extension CheckoutSession {
  /// Starts a run until there is proof, or makes the present one such, time counting from now.
  func watch(_ key: CheckoutKey, in group: inout TaskGroup<Void>) {
    guard let run = runs[key] else { return addRun(.proof, key, in: &group) }
    guard run.ending == nil else {
      runs[key]?.next = .proof
      return
    }
    runs[key]?.goal = .proof
    runs[key]?.deadline = environment.clock.uptime() + policy.watchCap
    oweRead(key)
  }

  /// Sees that one more read is answered.
  func read(_ key: CheckoutKey, in group: inout TaskGroup<Void>) {
    guard let run = runs[key] else { return addRun(.answer, key, in: &group) }
    guard let ending = run.ending else { return oweRead(key) }
    if run.next == nil { runs[key]?.next = ending == .capped ? run.goal : .answer }
  }

  /// Ends the run, its request in flight included.
  func stopWatch(_ key: CheckoutKey) {
    guard let run = runs[key] else { return }
    runs[key]?.next = nil
    runs[key]?.ending = .done
    run.stop.finish()
  }

  private func oweRead(_ key: CheckoutKey) {
    runs[key]?.isReadOwed = true
    runs[key]?.pause?.finish()
  }

  private func addRun(
    _ goal: WatchRun.Goal, _ key: CheckoutKey, in group: inout TaskGroup<Void>
  ) {
    let stops = beginRun(goal, key)
    group.addTask { await self.carryOut(key, stops) }
  }

  private func beginRun(_ goal: WatchRun.Goal, _ key: CheckoutKey) -> AsyncStream<Never> {
    let (stops, stop) = AsyncStream<Never>.makeStream()
    runs[key] = WatchRun(
      goal: goal, deadline: environment.clock.uptime() + policy.watchCap, stop: stop)
    return stops
  }

  private func carryOut(_ key: CheckoutKey, _ firstStops: AsyncStream<Never>) async {
    var stops = firstStops
    while true {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await self.readUntilDone(key) }
        group.addTask { await self.awaitDeadline(key) }
        group.addTask { [stops] in for await _ in stops {} }
        await group.next()
        group.cancelAll()
      }
      let run = runs.removeValue(forKey: key)
      guard let goal = run?.next, !Task.isCancelled else {
        if run?.ending == .capped { apply(.watchCapped, to: key) }
        return
      }
      stops = beginRun(goal, key)
    }
  }

  private func awaitDeadline(_ key: CheckoutKey) async {
    while let run = runs[key], run.ending == nil {
      let rest = run.deadline - environment.clock.uptime()
      guard rest > .zero else {
        runs[key]?.ending = .capped
        return
      }
      guard await isPast(rest) else { return }
    }
  }

  /// Reads at once, then by long polls; backs off from a server that fails or does not wait.
  private func readUntilDone(_ key: CheckoutKey) async {
    var knownVersion: Int64?
    var attempt = 0
    while let id = states[key]?.record.payment?.paymentID, runs[key]?.ending == nil {
      // Whoever is owed a read needs an answer, also if nothing has changed: a page is opened
      // again by it.
      if runs[key]?.isReadOwed == true { knownVersion = nil }
      runs[key]?.isReadOwed = false
      let wait = knownVersion == nil ? .zero : policy.longPoll
      let begun = environment.clock.uptime()
      var retryAfter: Duration?
      do {
        let answer = try await ask(key, id, wait: wait, knownVersion: knownVersion)
        guard !Task.isCancelled, runs[key]?.ending == nil else { return }
        unknown.remove(key)
        if let answer {
          knownVersion = answer.version
          hear(.serverAnswered(answer), of: key)
        }
        guard goesOn(key) else { return }
        if runs[key]?.isReadOwed == true { continue }
        // The first answer came at once, as asked; later ones should have been held.
        let isTimely =
          wait == .zero ? answer != nil : environment.clock.uptime() - begun >= wait / 2
        if isTimely {
          attempt = 0
          continue
        }
      } catch {
        guard !Task.isCancelled, runs[key]?.ending == nil else { return }
        if case .retryLater(let after) = error.kind { retryAfter = after }
        environment.log(.info, "a read brought no answer", ("reason", error.reason))
        apply(.serverFailed, to: key)
        if error.kind == .notFound, await isHopeless(key) { return }
      }
      attempt += 1
      let delay = policy.readRetry.delay(
        afterAttempt: attempt, random: environment.random, retryAfter: retryAfter)
      guard await pause(key, delay, isFixed: retryAfter != nil) else { return }
    }
  }

  /// Takes in that the server does not know the payment, which proves nothing about it. True if the
  /// run is over: a payer who waits for a page is not held up, and old news is dropped.
  private func isHopeless(_ key: CheckoutKey) async -> Bool {
    unknown.insert(key)
    guard let state = states[key] else { return true }
    let age = environment.clock.now().since(state.record.createdAt)
    guard age > policy.settledAgeMax || state.phase == .awaitingPage else { return false }
    runs[key]?.ending = .capped
    if age > policy.settledAgeMax {
      apply(.watchCapped, to: key)
      await forget(key)
    }
    return true
  }

  /// Reads once. A long poll is given up as soon as a read is owed: it was asked before, and would
  /// be held until something changes.
  private func ask(
    _ key: CheckoutKey, _ id: PaymentID, wait: Duration, knownVersion: Int64?
  ) async throws(BackendError) -> PaymentAnswer? {
    guard wait > .zero else {
      return try await backend.readPayment(id, wait: wait, knownVersion: knownVersion)
    }
    let (cuts, cut) = AsyncStream<Never>.makeStream()
    runs[key]?.pause = cut
    let backend = backend
    let result = await withTaskGroup(of: Result<PaymentAnswer?, BackendError>.self) { group in
      group.addTask {
        do throws(BackendError) {
          return .success(
            try await backend.readPayment(id, wait: wait, knownVersion: knownVersion))
        } catch {
          return .failure(error)
        }
      }
      group.addTask {
        for await _ in cuts {}
        return .success(nil)
      }
      defer { group.cancelAll() }
      return await group.next() ?? .success(nil)
    }
    runs[key]?.pause = nil
    return try result.get()
  }

  /// Whether the run has more to do after an answer; if not, it is marked as ended here and now,
  /// so that a wish that comes a moment later is not lost.
  private func goesOn(_ key: CheckoutKey) -> Bool {
    guard let run = runs[key] else { return false }
    let isDone =
      switch run.goal {
      case .answer: !run.isReadOwed
      case .proof: states[key]?.isWatched != true && !run.isReadOwed
      }
    if isDone { runs[key]?.ending = .done }
    return !isDone
  }

  /// Waits, but not longer than until a read is owed, except for a time that the server named.
  /// False if the run ended.
  private func pause(_ key: CheckoutKey, _ delay: Duration, isFixed: Bool) async -> Bool {
    if isFixed { return await isPast(delay) }
    if runs[key]?.isReadOwed == true { return true }
    let (cuts, cut) = AsyncStream<Never>.makeStream()
    runs[key]?.pause = cut
    await withTaskGroup(of: Void.self) { group in
      group.addTask { _ = await self.isPast(delay) }
      group.addTask { for await _ in cuts {} }
      await group.next()
      group.cancelAll()
    }
    runs[key]?.pause = nil
    return !Task.isCancelled && runs[key]?.ending == nil
  }
}
