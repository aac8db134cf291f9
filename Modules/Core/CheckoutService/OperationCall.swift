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

  private struct Claim: Sendable {
    let operation: OperationRow
    let payment: PaymentRow
    let providerPaymentID: ProviderPaymentID
    /// Whether an earlier send may have reached the provider.
    let wasSent: Bool
  }

  func perform(_ id: OperationID) async {
    do {
      guard let claim = try await claim(id) else { return }
      guard
        let provider = providers.first(where: {
          $0.name == claim.payment.provider && $0.account == claim.payment.account
        })
      else {
        environment.log(
          .error, "no account is configured for a payment",
          ("payment_id", claim.payment.id.rawValue))
        return
      }
      if claim.wasSent {
        // The provider may have done it already, and the same key does not make a blind repeat
        // right: what was asked may be no longer allowed.
        let reading: PaymentReading
        do throws(ProviderError) {
          reading = try await provider.read(claim.providerPaymentID)
        } catch {
          try await retry(claim, after: error)
          return
        }
        if try await settle(reading, of: claim, channel: .read, ends: false) { return }
        guard try await isStillAllowed(claim) else {
          try await end(claim, "not found at the provider, and not possible any more")
          return
        }
      }
      try await send(claim, at: provider)
    } catch {
      environment.log(
        .warning, "an operation could not be stored", ("operation_id", id.rawValue),
        ("error", "\(error)"))
    }
  }

  private func send(_ claim: Claim, at provider: any PaymentProvider) async throws {
    let request = ProviderOperation(
      providerPaymentID: claim.providerPaymentID, amount: claim.operation.amount,
      reference: claim.operation.id, reason: claim.operation.reason)
    let reading: PaymentReading
    do throws(ProviderError) {
      switch claim.operation.kind {
      case .capture: reading = try await provider.capture(request)
      case .refund: reading = try await provider.refund(request)
      case .close: reading = try await provider.close(claim.providerPaymentID)
      }
    } catch {
      if error.kind == .refused || error.kind == .notFound {
        try await refused(claim, error, at: provider)
      } else {
        try await retry(claim, after: error)
      }
      return
    }
    _ = try await settle(reading, of: claim, channel: .call, ends: true)
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
      try transaction.updateOperation(operation)
      return Claim(
        operation: operation, payment: payment, providerPaymentID: providerPaymentID,
        wasSent: wasSent)
    }
  }

  /// Whether the payment, as it was just read, still takes the operation.
  private func isStillAllowed(_ claim: Claim) async throws -> Bool {
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
      case .close: payment.status == .authorized
      }
    }
  }

  /// Applies an answer. Returns whether the operation has come to an end.
  private func settle(
    _ reading: PaymentReading, of claim: Claim, channel: Channel, ends: Bool
  ) async throws -> Bool {
    let environment = environment
    let settings = settings
    return try await store.write { transaction in
      let now = environment.clock.now()
      if ends, var operation = try transaction.operation(claim.operation.id),
        operation.isInFlight
      {
        // The provider said yes to this very call, whether or not it gave our reference back.
        operation.state = .done
        operation.nextTryAt = nil
        try transaction.updateOperation(operation)
      }
      _ = try Settlement(
        transaction, policy: settings.policy, now: now, newUUID: environment.newUUID
      ).apply(reading, to: claim.payment.id, startedAt: nil, channel: channel)
      guard let operation = try transaction.operation(claim.operation.id) else { return true }
      if !operation.isInFlight {
        environment.log(
          .info, "operation ended", ("payment_id", operation.paymentID.rawValue),
          ("kind", operation.kind.rawValue), ("state", operation.state.rawValue))
      }
      return !operation.isInFlight
    }
  }

  /// A refusal is final only if nothing was sent before it; else a read decides, and a person.
  private func refused(
    _ claim: Claim, _ error: ProviderError, at provider: any PaymentProvider
  ) async throws {
    var reading: PaymentReading?
    do throws(ProviderError) {
      reading = try await provider.read(claim.providerPaymentID)
    } catch {
      if claim.wasSent {
        try await retry(claim, after: error)
        return
      }
    }
    if let reading, try await settle(reading, of: claim, channel: .read, ends: false) { return }
    try await end(claim, error.description)
  }

  private func end(_ claim: Claim, _ detail: String) async throws {
    let environment = environment
    let settings = settings
    environment.log(
      .error, "an operation was refused", ("operation_id", claim.operation.id.rawValue),
      ("detail", detail))
    try await store.write { transaction in
      let now = environment.clock.now()
      guard var operation = try transaction.operation(claim.operation.id), operation.isInFlight
      else { return }
      operation.state = .refused
      operation.detail = detail
      operation.nextTryAt = nil
      try transaction.updateOperation(operation)
      let settlement = Settlement(
        transaction, policy: settings.policy, now: now, newUUID: environment.newUUID)
      try settlement.open(
        .operationFailed, claim.payment.orderID, claim.payment.id,
        "\(operation.kind.rawValue) \(operation.amount): \(detail)")
    }
  }

  private func retry(_ claim: Claim, after error: ProviderError) async throws {
    let environment = environment
    let settings = settings
    try await store.write { transaction in
      guard var operation = try transaction.operation(claim.operation.id), operation.isInFlight
      else { return }
      if error.kind == .notSent, !claim.wasSent { operation.state = .intent }
      let now = environment.clock.now()
      let wait = settings.backoff.delay(
        afterAttempt: operation.tries, random: environment.random, retryAfter: error.retryAfter)
      let isLate = operation.tries >= settings.operationTriesMax
      operation.nextTryAt = now + (isLate ? settings.lateTryWait : wait)
      try transaction.updateOperation(operation)
      if isLate {
        // Its end is still not known, so it goes on, and a person is asked to look.
        try Settlement(
          transaction, policy: settings.policy, now: now, newUUID: environment.newUUID
        ).open(
          .operationFailed, claim.payment.orderID, claim.payment.id,
          "\(operation.kind.rawValue) \(operation.amount) has no end after many tries")
      }
      try transaction.appendJournal(
        JournalEntry(
          at: now, orderID: claim.payment.orderID,
          paymentID: claim.payment.id, channel: .call, trust: .proof,
          event: "\(operation.kind.rawValue) not settled", note: error.description))
    }
  }
}
