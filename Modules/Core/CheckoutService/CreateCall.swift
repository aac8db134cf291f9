import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface

/// One send of a stored create request, and the commit of its outcome.
struct CreateCall: Sendable {
  let store: any PaymentStore
  let providers: [any PaymentProvider]
  let settings: CheckoutSettings
  let environment: KitEnvironment

  func perform(_ id: PaymentID) async {
    do {
      guard let payment = try await claim(id) else { return }
      guard let provider = providers.account(of: payment.provider, payment.account)
      else {
        environment.log(
          .error, "no account is configured for a payment", ("payment_id", id.rawValue))
        return
      }
      let result: Result<CreatedPayment, ProviderError>
      do throws(ProviderError) {
        result = .success(
          try await provider.create(payment.createRequest, idempotencyKey: payment.createKey))
      } catch {
        result = .failure(error)
      }
      environment.reached(.createAnswered)
      let isFirstSend = payment.schedule.failedReads == 0
      switch result {
      case .success(let created): try await commit(created, of: id, provider)
      case .failure(let error):
        // Without keys an earlier send that was answered late reached nobody, so a refusal now
        // is final. With keys it is so only if nothing was sent before. Keys that are not accepted
        // are our own fault: the attempt ends, so that the next one may be made once they are
        // mended, and nobody waits for it.
        let isFinal =
          [.refused, .unauthorized].contains(error.kind)
          && (isFirstSend || !provider.capabilities.createHasIdempotencyKey)
        try await commit(error, of: id, isFinal: isFinal)
      }
    } catch {
      // The intent is on disk, so the schedule takes it up again.
      environment.log(
        .warning, "a create could not be stored", ("payment_id", id.rawValue),
        ("error", "\(error)"))
    }
  }

  /// Takes the payment's lease if its create has no outcome yet.
  private func claim(_ id: PaymentID) async throws -> PaymentRow? {
    let (settings, environment) = (settings, environment)
    return try await store.write { transaction in
      // Read inside: the transaction may have waited behind the other process's own.
      let now = environment.clock.now()
      guard let payment = try transaction.payment(id), payment.createState == .intent,
        !payment.status.isFinalUnpaid,
        !payment.schedule.isLeased(at: now, lease: settings.createLease)
      else { return nil }
      var schedule = payment.schedule
      // The URL reached nobody, so nobody can pay: the attempt may end.
      let isCancelled = try transaction.order(payment.orderID)?.cancelRequestedAt != nil
      if isCancelled || now.since(payment.createdAt) > settings.createLife {
        try Self.end(
          payment, as: isCancelled ? .cancelled : .expired, reason: nil, settings, environment,
          transaction)
        return nil
      }
      schedule.leaseUntil = now + settings.createLease
      schedule.nextReadAt = schedule.leaseUntil
      // Counted before the call: after a kill nobody knows whether it was sent.
      schedule.failedReads += 1
      try transaction.schedulePayment(id, schedule)
      return payment
    }
  }

  func commit(
    _ created: CreatedPayment, of id: PaymentID, _ provider: any PaymentProvider
  ) async throws {
    let environment = environment
    let settings = settings
    let firstRead = provider.capabilities.readSchedule.first ?? .seconds(60)
    try await store.write { transaction in
      let now = environment.clock.now()
      guard var payment = try transaction.payment(id) else { return }
      guard payment.createState == .intent else {
        try Self.keepLate(created, for: payment, now, transaction)
        return
      }
      payment.checkoutURL = created.checkoutURL
      payment.rejectionReason = created.rejectionReason
      payment.verificationKey = created.verificationKey
      #if FaultInjection
        if SeededFault.active == .losesProviderID {
          payment.createState = .created
          return try transaction.updatePayment(payment)
        }
      #endif
      payment.schedule.leaseUntil = nil
      payment.schedule.failedReads = 0
      payment.schedule.lastProofAt = now
      payment.schedule.nextReadAt = now + firstRead
      try transaction.updatePayment(payment)
      let settlement = Settlement(
        transaction, policy: settings.policy, now: now, newUUID: environment.newUUID)
      _ = try settlement.apply(created.reading, to: id, startedAt: nil, channel: .call)
      environment.log(
        .info, "checkout created", ("payment_id", id.rawValue), ("attempt", "\(payment.attempt)"))
      // A webhook may have been here before the answer.
      let waiting = try transaction.unmatchedWebhooks(
        payment.provider, naming: created.reading.providerPaymentID, or: id)
      for var webhook in waiting {
        webhook.state = .received
        webhook.nextTryAt = now
        try transaction.updateWebhook(webhook)
        try transaction.appendJournal(
          JournalEntry(
            at: now, orderID: payment.orderID, paymentID: id, channel: .webhook,
            trust: .notification, event: "webhook", note: "came before the create's answer"))
      }
    }
  }

  private func commit(_ error: ProviderError, of id: PaymentID, isFinal: Bool) async throws {
    let environment = environment
    let settings = settings
    environment.log(
      error.kind == .unauthorized ? .error : .warning, "a create brought no payment",
      ("payment_id", id.rawValue), ("error", error.description))
    try await store.write { transaction in
      let now = environment.clock.now()
      guard let payment = try transaction.payment(id), payment.createState == .intent else {
        return
      }
      try transaction.appendJournal(
        JournalEntry(
          at: now, orderID: payment.orderID, paymentID: id, channel: .call, trust: .proof,
          event: isFinal ? "create refused" : "create unanswered", note: error.description))
      if isFinal {
        try Self.end(
          payment, as: .rejected, reason: error.rejectionReason, settings, environment, transaction)
        return
      }
      var schedule = payment.schedule
      schedule.leaseUntil = nil
      schedule.nextReadAt =
        now
        + settings.backoff.delay(
          afterAttempt: schedule.failedReads, random: environment.random,
          retryAfter: error.retryAfter)
      try transaction.schedulePayment(id, schedule)
    }
  }

  /// An answer that comes when the payment was made or ended otherwise: its page is handed out
  /// only if it is that same payment's; its id stays findable.
  private static func keepLate(
    _ created: CreatedPayment, for payment: PaymentRow, _ now: Instant,
    _ transaction: any PaymentTransaction
  ) throws {
    let id = created.reading.providerPaymentID
    if payment.providerPaymentID == id, payment.checkoutURL == nil {
      var known = payment
      known.checkoutURL = created.checkoutURL
      // Who has paid needs no key any more.
      if !known.status.isFinalForPayer { known.verificationKey = created.verificationKey }
      try transaction.updatePayment(known)
      return
    }
    guard try transaction.payment(payment.provider, id) == nil else { return }
    try transaction.link(payment.provider, id, to: payment.id)
    try transaction.appendJournal(
      JournalEntry(
        at: now, orderID: payment.orderID, paymentID: payment.id, channel: .call, trust: .proof,
        event: "late answer", note: "a second payment at the provider, kept for its events"))
  }

  private static func end(
    _ payment: PaymentRow, as status: PaymentStatus, reason: String?,
    _ settings: CheckoutSettings, _ environment: KitEnvironment,
    _ transaction: any PaymentTransaction
  ) throws {
    let now = environment.clock.now()
    var ended = payment
    ended.createState = .refused
    ended.createRequest = []
    ended.status = status
    ended.rejectionReason = reason
    ended.schedule = ReadSchedule(nextReadAt: nil)
    try transaction.updatePayment(ended)
    try transaction.appendJournal(
      JournalEntry(
        at: now, orderID: payment.orderID, paymentID: payment.id, channel: .system,
        trust: .proof, event: "create ended", change: "\(payment.status) → \(status)"))
    try Settlement(
      transaction, policy: settings.policy, now: now, newUUID: environment.newUUID
    ).deriveOrder(payment.orderID)
  }
}

extension ProviderError {
  /// The word for a create that it ended.
  fileprivate var rejectionReason: String {
    kind == .unauthorized ? "account_not_accepted" : code ?? "refused"
  }
}
