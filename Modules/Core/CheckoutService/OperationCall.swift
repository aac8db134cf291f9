import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface

/// One step of an operation: send it if it was certainly never seen, else read first.
struct OperationCall: Sendable {
  let store: any PaymentStore
  let providers: [any PaymentProvider]
  let settings: CheckoutSettings
  let environment: KitEnvironment

  /// Repeats of a read that was overtaken by another change of the payment.
  private static let overtakenMax = 3

  private struct Claim: Sendable {
    var operation: OperationRow
    let payment: PaymentRow
    let providerPaymentID: ProviderPaymentID
    /// Whether an earlier send may have reached the provider.
    let wasSent: Bool
  }

  func perform(_ id: OperationID) async {
    var paymentID: PaymentID?
    do {
      guard var claim = try await claim(id) else { return }
      paymentID = claim.payment.id
      guard let provider = providers.account(of: claim.payment.provider, claim.payment.account)
      else {
        environment.log(
          .error, "no account is configured for a payment",
          ("payment_id", claim.payment.id.rawValue))
        return
      }
      if claim.operation.acceptedAt != nil { return try await follow(claim, at: provider) }
      if claim.wasSent {
        // The provider may have done it already, and the same key does not make a blind repeat
        // right: what was asked may be no longer allowed.
        switch try await readBack(claim, at: provider) {
        case .ended: return
        case .failed(let error): return try await retry(claim, after: error)
        case .open: break
        }
        guard try await keep(&claim) else { return }
        guard try await isStillAllowed(claim, provider.capabilities) else {
          try await end(claim, "not found at the provider, and not possible any more")
          return
        }
        guard provider.capabilities.allowsRepeat(of: claim.operation.kind) else {
          let error = ProviderError(
            .unknown, detail: "no read can tell whether it was done; it is not sent again")
          return try await retry(claim, after: error)
        }
      }
      try await send(claim, at: provider)
    } catch {
      environment.log(
        .warning, "an operation could not be stored", ("operation_id", id.rawValue),
        ("payment_id", paymentID?.rawValue ?? "unknown"), ("error", "\(error)"))
    }
  }

  private func send(_ claim: Claim, at provider: any PaymentProvider) async throws {
    let request = ProviderOperation(
      providerPaymentID: claim.providerPaymentID, amount: claim.operation.amount,
      reference: reference(of: claim.operation), reason: claim.operation.reason,
      transactionID: claim.payment.transactionID)
    let version = try await version(of: claim)
    let reading: PaymentReading
    do throws(ProviderError) {
      switch claim.operation.kind {
      case .capture: reading = try await provider.capture(request)
      case .refund: reading = try await provider.refund(request)
      case .close: reading = try await provider.close(claim.providerPaymentID)
      }
    } catch {
      // A 404 about a payment that is there is a proxy's page or a fault: it settles nothing.
      if error.kind == .refused {
        try await refused(claim, error, at: provider)
      } else {
        try await retry(claim, after: error)
      }
      return
    }
    try await settle(reading, of: claim, startedAt: version)
  }

  /// By which the provider knows the operation, the same at every try.
  private func reference(of operation: OperationRow) -> OperationID {
    #if FaultInjection
      if SeededFault.active == .sendsNewReference { return OperationID(environment.newUUID()) }
    #endif
    return operation.id
  }

  /// Claims the operation: from here on it counts as perhaps sent, and no other process touches
  /// it before the lease is over.
  private func claim(_ id: OperationID) async throws -> Claim? {
    let now = environment.clock.now()
    let lease = settings.lease
    return try await store.write { transaction in
      guard var operation = try transaction.operation(id), operation.isInFlight,
        operation.nextTryAt.map({ $0 <= now }) ?? false,
        let payment = try transaction.payment(operation.paymentID),
        let providerPaymentID = payment.providerPaymentID
      else { return nil }
      let wasSent = operation.state == .unknown
      operation.state = .unknown
      operation.tries += 1
      operation.nextTryAt = now + lease
      #if FaultInjection
        if SeededFault.active == .leavesOperation { operation.nextTryAt = nil }
      #endif
      try transaction.updateOperation(operation)
      return Claim(
        operation: operation, payment: payment, providerPaymentID: providerPaymentID,
        wasSent: wasSent)
    }
  }

  /// Begins the lease anew after reads, which may take longer than it; false if the operation is
  /// somebody else's by now, or has ended.
  private func keep(_ claim: inout Claim) async throws -> Bool {
    let known = claim.operation
    let now = environment.clock.now()
    let lease = settings.lease
    let kept = try await store.write { transaction -> OperationRow? in
      guard var operation = try transaction.operation(known.id), operation.isInFlight,
        operation.tries == known.tries
      else { return nil }
      operation.nextTryAt = now + lease
      try transaction.updateOperation(operation)
      return operation
    }
    if let kept { claim.operation = kept }
    return kept != nil
  }

  /// Whether the payment, as it was just read, still takes the operation.
  private func isStillAllowed(
    _ claim: Claim, _ capabilities: ProviderCapabilities
  ) async throws -> Bool {
    try await store.read { transaction in
      guard let payment = try transaction.payment(claim.payment.id) else { return false }
      let others = try transaction.operations(of: payment.id).filter {
        $0.id != claim.operation.id
      }
      let limit = OperationLimit(payment, try transaction.items(of: payment.id), others)
      let amount = claim.operation.amount.minorUnits
      return switch claim.operation.kind {
      case .capture: amount <= limit.capturable
      case .refund: payment.status == .captured && amount <= limit.refundable
      case .close: capabilities.closes(payment.status)
      }
    }
  }

  /// What a read says about an operation that may have been sent.
  private enum ReadBack {
    case ended
    case open
    case failed(ProviderError)
  }

  /// Reads the payment and applies the answer. A read that began before another change of the
  /// payment is repeated: its answer may be old.
  private func readBack(
    _ claim: Claim, at provider: any PaymentProvider
  ) async throws -> ReadBack {
    for _ in 0..<Self.overtakenMax {
      let version = try await version(of: claim)
      let (readings, failure) = await provider.readWhole(
        claim.providerPaymentID, transactionID: claim.payment.transactionID)
      let showsReference = provider.capabilities.operationsCarryReference
      let (outcome, isEnded) = try await store.write { transaction in
        let outcome = try apply(readings, to: claim, startedAt: version, transaction)
        if !showsReference { try endIfShown(claim, transaction) }
        return (outcome, try hasEnded(claim, transaction))
      }
      if outcome == .overtaken { continue }
      if isEnded { return .ended }
      if let failure { return .failed(failure) }
      if case .unusable(let reason) = outcome {
        return .failed(ProviderError(.unknown, detail: reason))
      }
      return .open
    }
    return .failed(ProviderError(.unknown, detail: "the payment changed during each read"))
  }

  /// Applies what was read in one step; the outcome of the first that cannot be used.
  private func apply(
    _ readings: [PaymentReading], to claim: Claim, startedAt version: Int64?,
    _ transaction: any PaymentTransaction
  ) throws -> Settlement.Outcome? {
    for (index, reading) in readings.enumerated() {
      let outcome = try settlement(in: transaction).apply(
        reading, to: claim.payment.id, startedAt: index == 0 ? version : nil, channel: .read)
      switch outcome {
      case .overtaken, .unusable: return outcome
      case .applied, .superseded, .notOurs: continue
      }
    }
    return nil
  }

  /// Ends an operation that the money itself shows to be done, where nothing that is read carries
  /// our reference: all of it was taken, or all of it went back.
  private func endIfShown(_ claim: Claim, _ transaction: any PaymentTransaction) throws {
    let items = try transaction.items(of: claim.payment.id)
    let captured = items.sum(.capture)
    let isShown =
      switch claim.operation.kind {
      case .capture: captured >= claim.payment.amount.minorUnits
      case .refund: captured > 0 && items.sum(.refund) >= captured
      case .close: false
      }
    guard isShown, var operation = try transaction.operation(claim.operation.id),
      operation.isInFlight
    else { return }
    operation.state = .done
    operation.nextTryAt = nil
    try transaction.updateOperation(operation)
  }

  /// Looks for a refund that the provider took on; it is never sent again.
  private func follow(_ claim: Claim, at provider: any PaymentProvider) async throws {
    #if FaultInjection
      if SeededFault.active == .ignoresRefundsUnderWay { return }
    #endif
    if case .ended = try await readBack(claim, at: provider) { return }
    let environment = environment
    let settings = settings
    try await store.write { transaction in
      guard var operation = try transaction.operation(claim.operation.id), operation.isInFlight,
        let acceptedAt = operation.acceptedAt
      else { return }
      let now = environment.clock.now()
      operation.nextTryAt =
        now
        + min(
          settings.lateTryWait, max(settings.acceptedTryWait, now.since(acceptedAt)))
      try transaction.updateOperation(operation)
      guard now.since(acceptedAt) >= settings.acceptedMax else { return }
      try settlement(in: transaction).openFailure(
        of: operation, claim.payment.orderID,
        " was accepted at \(acceptedAt), and no read shows it")
    }
  }

  private func version(of claim: Claim) async throws -> Int64? {
    try await store.read { try $0.payment(claim.payment.id)?.version }
  }

  /// Applies the answer to the operation's own call.
  ///
  /// - Parameter version: the payment's when the call began.
  private func settle(
    _ reading: PaymentReading, of claim: Claim, startedAt version: Int64?
  ) async throws {
    try await store.write { transaction in
      if var operation = try transaction.operation(claim.operation.id), operation.isInFlight {
        // The provider said yes to this very call, whether or not it gave our reference back.
        if operation.kind == .refund {
          // Money that goes back may take days: it is done once it is seen.
          let now = environment.clock.now()
          operation.acceptedAt = now
          operation.nextTryAt = now + settings.acceptedTryWait
          try settlement(in: transaction).endFailure(of: operation, claim.payment.orderID)
        } else {
          operation.state = .done
          operation.nextTryAt = nil
        }
        try transaction.updateOperation(operation)
      }
      var reading = reading
      // The payment moved meanwhile, so the answer may be old: what it lists has happened, but
      // its state takes nothing back.
      if let payment = try transaction.payment(claim.payment.id), payment.version != version,
        !payment.status.allows(reading.status)
      {
        reading.status = payment.status
      }
      _ = try settlement(in: transaction)
        .apply(reading, to: claim.payment.id, startedAt: nil, channel: .call)
      _ = try hasEnded(claim, transaction)
    }
  }

  private func settlement(in transaction: any PaymentTransaction) -> Settlement {
    Settlement(
      transaction, policy: settings.policy, now: environment.clock.now(),
      newUUID: environment.newUUID)
  }

  private func hasEnded(_ claim: Claim, _ transaction: any PaymentTransaction) throws -> Bool {
    guard let operation = try transaction.operation(claim.operation.id) else { return true }
    if !operation.isInFlight {
      environment.log(
        .info, "operation ended", ("payment_id", operation.paymentID.rawValue),
        ("kind", operation.kind.rawValue), ("state", operation.state.rawValue))
    }
    return !operation.isInFlight
  }

  /// A refusal is final only if nothing was sent before it; else a read decides, and a person.
  private func refused(
    _ claim: Claim, _ error: ProviderError, at provider: any PaymentProvider
  ) async throws {
    switch try await readBack(claim, at: provider) {
    case .ended: return
    case .failed(let error) where claim.wasSent: try await retry(claim, after: error)
    case .failed, .open: try await end(claim, error.description)
    }
  }

  private func end(_ claim: Claim, _ detail: String) async throws {
    environment.log(
      .error, "an operation was refused", ("operation_id", claim.operation.id.rawValue),
      ("payment_id", claim.operation.paymentID.rawValue),
      ("detail", detail))
    try await store.write { transaction in
      guard var operation = try transaction.operation(claim.operation.id), operation.isInFlight
      else { return }
      operation.state = .refused
      operation.detail = detail
      operation.nextTryAt = nil
      try transaction.updateOperation(operation)
      let settlement = settlement(in: transaction)
      try settlement.openFailure(
        of: operation, claim.payment.orderID, ": \(detail)", isEvent: true)
      if operation.kind != .capture, let payment = try transaction.payment(claim.payment.id) {
        try settlement.reopenCases(of: payment)
      }
    }
  }

  private func retry(_ claim: Claim, after error: ProviderError) async throws {
    let environment = environment
    let settings = settings
    try await store.write { transaction in
      guard var operation = try transaction.operation(claim.operation.id), operation.isInFlight
      else { return }
      if error.provesNothingDone, !claim.wasSent { operation.state = .intent }
      let now = environment.clock.now()
      let wait = settings.backoff.delay(
        afterAttempt: operation.tries, random: environment.random, retryAfter: error.retryAfter)
      let isLate = operation.tries >= settings.operationTriesMax
      operation.nextTryAt = now + (isLate ? settings.lateTryWait : wait)
      try transaction.updateOperation(operation)
      if isLate {
        // Its end is still not known, so it goes on, and a person is asked to look.
        try settlement(in: transaction).openFailure(
          of: operation, claim.payment.orderID, " has no end after many tries")
      }
      try transaction.appendJournal(
        JournalEntry(
          at: now, orderID: claim.payment.orderID,
          paymentID: claim.payment.id, channel: .call, trust: .proof,
          event: "\(operation.kind.rawValue) not settled", note: error.description))
    }
  }
}

extension ProviderCapabilities {
  /// Whether an operation that may have been done, and that a read does not show, may be sent
  /// again: only if a read would show it, or the provider does it once at most.
  fileprivate func allowsRepeat(of kind: OperationRow.Kind) -> Bool {
    switch kind {
    case .capture: operationsCarryReference
    case .refund: operationsCarryReference || refundsOnce
    case .close: true
    }
  }
}
