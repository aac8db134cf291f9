import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface

extension StatusSync {
  /// Repeats of a read that was overtaken by another change of the payment.
  static let overtakenMax = 3

  func read(_ id: PaymentID, _ ask: Ask) async -> ReadOutcome {
    do {
      for _ in 0..<Self.overtakenMax {
        guard let claim = try await claim(id) else { return .notRead }
        guard let provider = provider(of: claim.payment) else { return .notRead }
        let candidates = ask.candidates.filter { !claim.providerIDs.contains($0) }
        guard !(claim.providerIDs + candidates).isEmpty else {
          try await release(id)
          return .nothingToRead
        }
        switch try await readAll(claim, candidates, at: provider, channel: ask.channel) {
        case .overtaken: continue
        case .done(let isFresh): return isFresh ? .fresh : .notRead
        }
      }
    } catch {
      environment.log(
        .warning, "a read could not be stored", ("payment_id", id.rawValue), ("error", "\(error)"))
    }
    await giveBack(id)
    return .notRead
  }

  /// Ends the lease of a read that came to nothing; if that fails too, time ends it.
  func giveBack(_ id: PaymentID) async {
    do {
      try await release(id)
    } catch {
      environment.log(.warning, "a lease could not be ended", ("payment_id", id.rawValue))
    }
  }

  func provider(of payment: PaymentRow) -> (any PaymentProvider)? {
    providers.account(of: payment.provider, payment.account)
  }

  struct Claim: Sendable {
    let payment: PaymentRow
    let providerIDs: [ProviderPaymentID]
  }

  private enum Reads {
    case overtaken
    case done(isFresh: Bool)
  }

  /// Takes the payment's lease; nil if there is no such payment or another process holds it.
  func claim(_ id: PaymentID) async throws -> Claim? {
    let clock = environment.clock
    let lease = settings.lease
    return try await store.write { transaction in
      // Read inside: the transaction may have waited behind the other process's own.
      let now = clock.now()
      guard let payment = try transaction.payment(id),
        !payment.schedule.isLeased(at: now, lease: lease)
      else { return nil }
      var schedule = payment.schedule
      schedule.leaseUntil = now + lease
      try transaction.schedulePayment(id, schedule)
      return Claim(payment: payment, providerIDs: try transaction.providerPaymentIDs(of: id))
    }
  }

  func release(_ id: PaymentID) async throws {
    try await store.write { transaction in
      guard var schedule = try transaction.payment(id)?.schedule else { return }
      schedule.leaseUntil = nil
      try transaction.schedulePayment(id, schedule)
    }
  }

  struct Answers: Sendable {
    var readings: [PaymentReading] = []
    var failure: ProviderError?
    var isCandidateOpen = false
  }

  func answers(
    _ claim: Claim, _ candidates: [ProviderPaymentID], at provider: any PaymentProvider
  ) async -> Answers {
    var answers = Answers()
    var calls = 0
    // The first is counted already.
    defer { addReads(calls - 1, of: AccountKey(provider.name, provider.account)) }
    let current = claim.payment.providerPaymentID
    for id in claim.providerIDs {
      let transactionID = id == current ? claim.payment.transactionID : nil
      let (readings, failure) = await provider.readWhole(id, transactionID: transactionID)
      calls += readings.count + (failure == nil ? 0 : 1)
      answers.readings += readings
      // A transaction that the provider does not show us takes nothing from the payment's answer.
      if let failure, readings.isEmpty || !failure.isDenial { answers.failure = failure }
    }
    for id in candidates {
      let (readings, failure) = await provider.readWhole(id, transactionID: nil)
      calls += readings.count + (failure == nil ? 0 : 1)
      answers.readings += readings
      if let failure, !failure.isDenial { answers.isCandidateOpen = true }
    }
    return answers
  }

  /// Reads every provider payment of ours and settles all answers in one transaction.
  ///
  /// A candidate that cannot be read says nothing about the payment; one that the provider may
  /// yet show makes this read count as none for the webhook that named it.
  private func readAll(
    _ claim: Claim, _ candidates: [ProviderPaymentID], at provider: any PaymentProvider,
    channel: Channel
  ) async throws -> Reads {
    let answers = await answers(claim, candidates, at: provider)
    let (found, failed, isOpen) = (answers.readings, answers.failure, answers.isCandidateOpen)
    let payment = claim.payment
    noteAnswer(of: provider, failed)
    let settings = settings
    let environment = environment
    let plan = ReadPlan(
      waits: provider.capabilities.readSchedule, lapseAfter: settings.lapseAfter)
    return try await store.write { transaction in
      let now = environment.clock.now()
      guard let row = try transaction.payment(payment.id) else { return .done(isFresh: false) }
      guard row.version == payment.version else {
        var schedule = row.schedule
        schedule.leaseUntil = nil
        try transaction.schedulePayment(row.id, schedule)
        return .overtaken
      }
      let settlement = Settlement(
        transaction, policy: settings.policy, now: now, newUUID: environment.newUUID)
      let before = row.status
      var problem = failed?.description
      for reading in found {
        let outcome = try settlement.apply(
          reading, to: payment.id, startedAt: nil, channel: channel)
        if case .unusable(let reason) = outcome { problem = reason }
      }
      try settlement.endModeWait(of: payment.id)
      if problem == nil, !isOpen {
        try Self.lapse(payment.id, now: now, settlement, settings: settings, transaction)
        try Self.alertOfHold(payment.id, now: now, settlement, settings: settings, transaction)
      }
      try Self.logChange(of: payment.id, from: before, channel, environment, transaction)
      try Self.reschedule(
        payment.id, plan: plan, problem: problem, retryAfter: failed?.retryAfter,
        channel: channel, now: now, settings: settings, environment: environment, transaction)
      return .done(isFresh: problem == nil && !isOpen)
    }
  }

  /// Slows the account's schedule down, or lets it go again.
  private func noteAnswer(of provider: any PaymentProvider, _ error: ProviderError?) {
    let account = AccountKey(provider.name, provider.account)
    guard let error, !error.isDenial else {
      slowdowns[account] = nil
      return
    }
    var slowdown = slowdowns[account] ?? Slowdown()
    let wasOn = slowdown.isOn
    slowdown.note(
      error, at: environment.clock.uptime(), settings.backoff, environment.random)
    slowdowns[account] = slowdown
    if slowdown.isOn, !wasOn {
      environment.log(
        .warning, "an account's reads are slowed down", ("provider", account.provider.rawValue),
        ("account", account.account.rawValue), ("error", error.description))
    }
  }

  static func logChange(
    of id: PaymentID, from before: PaymentStatus, _ channel: Channel,
    _ environment: KitEnvironment, _ transaction: any PaymentTransaction
  ) throws {
    guard let row = try transaction.payment(id), row.status != before else { return }
    let after = row.status
    let since = row.schedule.lastProofAt ?? row.createdAt
    let lag = max(.zero, environment.clock.now().since(since))
    environment.metrics.observe(lag, in: .changeLag, channel.rawValue)
    environment.log(
      level(of: after), "payment changed", ("payment_id", id.rawValue),
      ("from", before.description), ("to", after.description), ("channel", channel.rawValue))
  }

  /// Stops waiting for a payment that a fresh read still calls open after its time.
  private static func lapse(
    _ id: PaymentID, now: Instant, _ settlement: Settlement, settings: SyncSettings,
    _ transaction: any PaymentTransaction
  ) throws {
    guard var row = try transaction.payment(id), !row.lapsed,
      row.status == .created || row.status == .pending,
      now.since(row.createdAt) > settings.lapseAfter
    else { return }
    row.lapsed = true
    #if FaultInjection
      if SeededFault.active == .expiresByOwnClock { row.status = .expired }
    #endif
    try transaction.updatePayment(row)
    try transaction.appendJournal(
      JournalEntry(
        at: now, orderID: row.orderID, paymentID: id, channel: .system, trust: .proof,
        event: "lapsed", note: "not paid in time; read once a day for late money"))
    try settlement.deriveOrder(row.orderID)
  }

  /// Asks a person about money that has been held for long, once.
  private static func alertOfHold(
    _ id: PaymentID, now: Instant, _ settlement: Settlement, settings: SyncSettings,
    _ transaction: any PaymentTransaction
  ) throws {
    guard let row = try transaction.payment(id), row.status == .authorized,
      now.since(row.createdAt) >= settings.holdAlertAfter
    else { return }
    try settlement.open(
      .uncapturedHold, row.orderID, id,
      "\(row.amount) is held and not captured: take it or let it go")
  }

  private static func reschedule(
    _ id: PaymentID, plan: ReadPlan, problem: String?, retryAfter: Duration?, channel: Channel,
    now: Instant, settings: SyncSettings, environment: KitEnvironment,
    _ transaction: any PaymentTransaction
  ) throws {
    guard let row = try transaction.payment(id) else { return }
    var schedule = row.schedule
    schedule.leaseUntil = nil
    guard row.createState != .intent else {
      // The schedule is its create's: what reads of a twin bring must not put the next send off,
      // or make it look like the first.
      return try transaction.schedulePayment(id, schedule)
    }
    let planned = plan.nextRead(of: row, now: now)
    if let problem {
      schedule.failedReads += 1
      let wait = settings.backoff.delay(
        afterAttempt: schedule.failedReads, random: environment.random, retryAfter: retryAfter)
      // A provider that does not answer slows the schedule and changes nothing else. The last
      // read of all is not tried for ever.
      let isOver = planned == nil && schedule.failedReads >= settings.lastReadTriesMax
      let retry = now + ReadPlan.retryWait(afterFailures: schedule.failedReads)
      schedule.nextReadAt = isOver ? nil : max(now + wait, min(planned ?? now, retry))
      #if FaultInjection
        if SeededFault.active == .stopsAfterFailedRead { schedule.nextReadAt = nil }
      #endif
      // The first, second, fourth, eighth …: a long outage must not fill the journal.
      if schedule.failedReads & (schedule.failedReads - 1) == 0 {
        try transaction.appendJournal(
          JournalEntry(
            at: now, orderID: row.orderID, paymentID: id, channel: channel, trust: .proof,
            event: "read failed", note: problem))
      }
    } else {
      schedule.failedReads = 0
      schedule.lastProofAt = now
      schedule.nextReadAt = planned
    }
    try transaction.schedulePayment(id, schedule)
  }
}

extension ProviderError {
  /// Whether the provider answered, and has no such thing for us.
  fileprivate var isDenial: Bool { kind == .notFound || kind == .refused }
}

/// A word that the kit has never seen is somebody's to look at.
private func level(of status: PaymentStatus) -> LogLevel {
  if case .unknown = status { .warning } else { .info }
}

extension Metric {
  /// An upper bound: nobody knows when within that time it happened.
  static let changeLag = Metric(
    "till_change_lag_seconds",
    "Time from the last proof of a payment's former state to the proof of the new one.",
    .histogram(bounds: Metric.lagBounds), labels: ["channel"])
}
