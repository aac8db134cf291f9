import KitEnvironment
public import PaymentModels
public import PaymentStore
import ProviderInterface

extension CheckoutService {
  /// Stores an operation and works it; waits for its end as long as the call takes.
  ///
  /// The limit holds across processes, because it is checked in the transaction that stores the
  /// operation. Without an amount the payment is read first, since it may have been changed in
  /// the provider's dashboard.
  ///
  /// - Returns: the operation as it is then; in state `unknown` it goes on by itself.
  /// - Throws: ``CheckoutError``; a `conflict` names what is left.
  public func operate(_ request: OperationRequest) async throws(CheckoutError) -> OperationRow {
    try check(key: request.idempotencyKey)
    let id = operationID(request)
    let scope = "payments/\(request.paymentID)/\(request.kind.rawValue)"
    let hashing = environment.hashing
    let known = try await stored { store in
      try await store.read { transaction in
        guard try transaction.payment(request.paymentID) != nil else {
          throw CheckoutError(.notFound, "There is no such payment.")
        }
        return try transaction.operation(id).map {
          try Self.same($0, request, scope, hashing, transaction)
        }
      }
    }
    if let known { return known }
    let capabilities = try await capabilities(for: request)
    if request.kind != .close, request.amount == nil {
      try await requireFresh(request.paymentID)
    }
    let environment = environment
    let stored = try await stored { store in
      try await store.write { transaction in
        if let known = try transaction.operation(id) {
          return try Self.same(known, request, scope, hashing, transaction)
        }
        let operation = try Self.decide(
          request, id, environment.clock.now(), capabilities, transaction)
        try transaction.insertOperation(operation)
        try Self.keep(request, of: operation, scope, hashing, transaction)
        try transaction.appendJournal(
          JournalEntry(
            at: operation.createdAt, orderID: try transaction.payment(request.paymentID)?.orderID,
            paymentID: request.paymentID, channel: .operator,
            operatorName: request.operatorName, trust: .hint, event: request.kind.rawValue,
            note: Self.note(operation)))
        return operation
      }
    }
    let payment = try await self.stored { try await $0.read { try $0.payment(request.paymentID) } }
    if let payment { await awaitOperation(id, of: payment) }
    return try await operation(id) ?? stored
  }

  /// Records that an order is to be cancelled, and closes what is held for it.
  ///
  /// The order is cancelled once no payment of it holds money and each is final; until then a
  /// payment that can still be paid is watched, or ended where its provider can.
  ///
  /// - Throws: ``CheckoutError``; `conflict` for an order that is paid or refunded, `notOffered`
  ///   if a payment holds money that its provider cannot let go.
  public func cancelOrder(
    _ id: OrderID, by operatorName: OperatorName, because reason: String
  ) async throws(CheckoutError) -> OrderRow {
    let environment = environment
    let policy = settings.policy
    let providers = providers
    let payments = try await stored { store in
      try await store.write { transaction -> [PaymentRow] in
        guard var order = try transaction.order(id) else {
          throw CheckoutError(.notFound, "There is no such order.")
        }
        guard order.state != .paid else {
          throw CheckoutError(
            .conflict,
            "The order is paid. Refund the payment that pays it, and close any other that holds "
              + "money.")
        }
        guard order.state != .refunded else {
          throw CheckoutError(
            .conflict,
            "The order is refunded, so there is nothing to cancel. Close any payment of it that "
              + "holds money.")
        }
        let now = environment.clock.now()
        let payments = try transaction.payments(of: id)
        guard order.cancelRequestedAt == nil else { return payments }
        let closes = try payments.filter { try Self.mustClose($0, providers) }
        order.cancelRequestedAt = now
        try transaction.updateOrder(order)
        try transaction.appendJournal(
          JournalEntry(
            at: now, orderID: id, paymentID: nil, channel: .operator, operatorName: operatorName,
            trust: .hint, event: "cancel", note: reason))
        let settlement = Settlement(
          transaction, policy: policy, now: now, newUUID: environment.newUUID)
        try settlement.deriveOrder(id)
        for payment in payments { try settlement.decideNext(on: payment) }
        for payment in closes { try settlement.close(payment, why: "order cancelled") }
        return payments
      }
    }
    for payment in payments where !payment.status.isFinalUnpaid { _ = await refresh(payment.id) }
    let order = try await stored { try await $0.read { try $0.order(id) } }
    guard let order else { throw CheckoutError(.notFound, "There is no such order.") }
    return order
  }

  /// Reads a payment, since it may have been changed in the provider's dashboard.
  ///
  /// - Throws: ``CheckoutError`` of kind `unavailable`, which tells a provider that cannot be read
  ///   from another server that has the payment to itself, and for how long.
  func requireFresh(_ id: PaymentID) async throws(CheckoutError) {
    if await refresh(id) { return }
    let now = environment.clock.now()
    let payment = try await stored { try await $0.read { try $0.payment(id) } }
    if let schedule = payment?.schedule, let end = schedule.leaseUntil,
      schedule.isLeased(at: now, lease: settings.lease)
    {
      throw CheckoutError(
        .unavailable,
        "Another server is reading the payment, or was stopped while it did, so what is left is "
          + "not known. Nothing was sent. Try again once it has let go.",
        retryAfter: end.since(now))
    }
    throw CheckoutError(
      .unavailable, "The provider cannot be read now, so what is left is not known. Try again.")
  }

  /// Works operations that are due: those decided by the kit itself, and those left behind.
  func runOperations() async {
    let limit = settings.batchMax
    var pace = WorkerPace(tick: settings.tick)
    while !Task.isCancelled {
      environment.beat(.operations)
      let now = environment.clock.now()
      var isRefused = false
      do {
        let due = try await store.read { transaction in
          try transaction.operationsDue(at: now, limit: limit).compactMap { operation in
            try transaction.payment(operation.paymentID).map { (operation.id, $0) }
          }
        }
        // Each begins by a write: none is begun while the store takes none.
        if !due.isEmpty { try await store.write { try $0.probe(at: now) } }
        for (id, payment) in due { await start(id, of: payment) }
      } catch {
        isRefused = true
        environment.log(.warning, "due operations could not be begun", ("error", "\(error)"))
      }
      do {
        try await environment.clock.sleep(
          for: pace.wait(isRefused: isRefused, random: environment.random))
      } catch {
        return
      }
    }
  }

  /// Amount and reason, as far as there are any.
  private static func note(_ operation: OperationRow) -> String? {
    let amount = operation.kind == .close ? nil : operation.amount.description
    let parts = [amount, operation.reason].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ": ")
  }

  private static func decide(
    _ request: OperationRequest, _ id: OperationID, _ now: Instant,
    _ capabilities: ProviderCapabilities, _ transaction: any PaymentTransaction
  ) throws -> OperationRow {
    guard let payment = try transaction.payment(request.paymentID) else {
      throw CheckoutError(.notFound, "There is no such payment.")
    }
    let operations = try transaction.operations(of: payment.id)
    let limit = OperationLimit(payment, try transaction.items(of: payment.id), operations)
    let currency = payment.amount.currency
    let amount: Money
    switch request.kind {
    case .close:
      let isBusy = operations.contains { $0.isInFlight }
      guard capabilities.closes(payment.status), !isBusy else {
        throw CheckoutError(
          .conflict,
          "Only \(capabilities.closable) payment without an operation under way can be closed; "
            + "this one is \(payment.status).")
      }
      amount = .zero(currency)
    case .capture:
      guard payment.status == .authorized else {
        throw CheckoutError(
          .conflict, "Only an authorized payment can be captured; this one is \(payment.status).")
      }
      guard !operations.contains(where: { $0.kind == .close && $0.isInFlight }) else {
        throw CheckoutError(.conflict, "The payment is being closed.")
      }
      amount = try asked(request, limit.capturable, "capture", currency)
    case .refund:
      guard payment.status == .captured else {
        throw CheckoutError(
          .conflict,
          "Left to refund: \(Money.zero(currency)). Only a captured payment can be refunded; this "
            + "one is \(payment.status).")
      }
      amount = try asked(request, limit.refundable, "refund", currency)
      let captured = try transaction.items(of: payment.id).sum(.capture)
      guard capabilities.refund != .full || amount.minorUnits == captured else {
        throw CheckoutError(
          .notOffered,
          "\(payment.provider) gives a payment back as a whole only: "
            + "\(Money(minorUnits: captured, currency: currency)). Asked: \(amount).",
          path: "amount")
      }
    }
    return OperationRow(
      id: id, paymentID: payment.id, kind: request.kind, amount: amount, reason: request.reason,
      createdAt: now)
  }

  private static func asked(
    _ request: OperationRequest, _ left: Int64, _ verb: String, _ currency: Currency
  ) throws -> Money {
    let rest = Money(minorUnits: left, currency: currency)
    var amount = rest
    if let text = request.amount {
      do {
        amount = try Money(decimal: text, currency: currency)
      } catch {
        throw CheckoutError(
          .invalid, "The amount \(error). Left to \(verb): \(rest).", path: "amount")
      }
    }
    guard amount.minorUnits > 0 || request.amount == nil else {
      throw CheckoutError(
        .invalid, "The amount must be more than zero. Left to \(verb): \(rest).", path: "amount")
    }
    guard left > 0 || request.amount != nil else {
      throw CheckoutError(.conflict, "Left to \(verb): \(rest).", path: "amount")
    }
    guard amount.minorUnits > 0, amount.minorUnits <= left else {
      throw CheckoutError(.conflict, "Left to \(verb): \(rest). Asked: \(amount).", path: "amount")
    }
    return amount
  }

  /// Keeps the terms that the key stands for.
  private static func keep(
    _ request: OperationRequest, of operation: OperationRow, _ scope: String, _ hashing: Hashing,
    _ transaction: any PaymentTransaction
  ) throws {
    #if FaultInjection
      if SeededFault.active == .asksEachTimeAnew { return }
    #endif
    guard let payment = try transaction.payment(operation.paymentID) else { return }
    try transaction.insertIdempotency(
      IdempotencyRow(
        scope: scope, key: request.idempotencyKey,
        termsHash: termsHash(request, operation.amount.currency, hashing),
        orderID: payment.orderID, paymentID: payment.id, createdAt: operation.createdAt))
  }

  private func operation(_ id: OperationID) async throws(CheckoutError) -> OperationRow? {
    try await stored { try await $0.read { try $0.operation(id) } }
  }

  /// The same key always names the same operation, in every process.
  private func operationID(_ request: OperationRequest) -> OperationID {
    #if FaultInjection
      if SeededFault.active == .asksEachTimeAnew { return OperationID(environment.newUUID()) }
    #endif
    let text = "\(request.paymentID)\n\(request.kind.rawValue)\n\(request.idempotencyKey)"
    var bytes = Array(environment.hashing.sha256(Array(text.utf8)).prefix(16))
    // The layout of a UUID of version 8, which is the one for values of one's own making.
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let hex = Array(hexText(bytes))
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(hex[$0]) }
    return OperationID(parts.joined(separator: "-"))
  }

  private static func same(
    _ known: OperationRow, _ request: OperationRequest, _ scope: String, _ hashing: Hashing,
    _ transaction: any PaymentTransaction
  ) throws -> OperationRow {
    let first = try transaction.idempotency(scope, request.idempotencyKey)
    guard first?.termsHash == termsHash(request, known.amount.currency, hashing) else {
      throw CheckoutError(
        .keyReused, "This Idempotency-Key was used with another amount or reason.")
    }
    return known
  }

  private static func termsHash(
    _ request: OperationRequest, _ currency: Currency, _ hashing: Hashing
  ) -> String {
    hexText(hashing.sha256(Array(request.terms(currency).utf8)))
  }
}
