import KitEnvironment
public import PaymentModels
public import PaymentStore
import ProviderInterface

/// A decision about a case that an operator asks for.
public struct ReviewRequest: Hashable, Sendable {
  /// About which case.
  public var number: Int64
  /// What is decided.
  public var decision: ReviewDecision
  /// Who decides, for the journal.
  public var operatorName: OperatorName
  /// Why.
  public var reason: String
  /// The caller's own key: the same key and terms are the same decision.
  public var idempotencyKey: String

  /// Builds a request.
  public init(
    number: Int64, decision: ReviewDecision, operatorName: OperatorName, reason: String,
    idempotencyKey: String
  ) {
    self.number = number
    self.decision = decision
    self.operatorName = operatorName
    self.reason = reason
    self.idempotencyKey = idempotencyKey
  }
}

/// A case with what a person needs to decide it.
public struct ReviewCase: Hashable, Sendable {
  /// The case.
  public var review: ReviewRow
  /// Where its order stands.
  public var orderState: OrderState
  /// What may be decided now.
  public var decisions: [ReviewDecision]
}

extension CheckoutService {
  /// Open cases, the oldest first.
  ///
  /// - Parameter number: the cases behind this one; 0 for the first.
  /// - Throws: ``CheckoutError``.
  public func reviews(
    after number: Int64, limit: Int
  ) async throws(CheckoutError) -> [ReviewCase] {
    try await stored { store in
      try await store.read { transaction in
        try transaction.openReviews(after: number, limit: limit).map {
          try reviewCase($0, transaction)
        }
      }
    }
  }

  /// One case, open or not.
  ///
  /// - Throws: ``CheckoutError``.
  public func review(_ number: Int64) async throws(CheckoutError) -> ReviewCase {
    try await stored { store in
      try await store.read { try reviewCase(review(number, $0), $0) }
    }
  }

  /// Decides a case, and has the money moved that follows from it by operations as any other.
  ///
  /// Before money goes back, or counts as the order's, the payment is read: it may have gone back
  /// already.
  ///
  /// - Throws: ``CheckoutError``; a `conflict` says why the decision is impossible, or who decided
  ///   before. Nothing was written then.
  public func resolve(_ request: ReviewRequest) async throws(CheckoutError) -> ReviewCase {
    try check(key: request.idempotencyKey)
    let known = try await stored { store in
      try await store.read { try review(request.number, $0) }
    }
    let needsRead = [.accept, .refund].contains(request.decision)
    if try !Self.isReplay(of: known, request), known.isOpen, needsRead,
      let payment = known.paymentID
    {
      try await requireFresh(payment)
    }
    let payments = try await stored { store in
      try await store.write { transaction -> [PaymentRow] in
        let row = try review(request.number, transaction)
        guard try !Self.isReplay(of: row, request) else { return [] }
        if request.decision == .refund, let reason = try notOffered(row, transaction) {
          throw CheckoutError(.notOffered, reason)
        }
        let settlement = Settlement(
          transaction, policy: settings.policy, now: environment.clock.now(),
          lease: settings.lease, newUUID: environment.newUUID)
        do {
          try settlement.decide(
            ReviewRow.Decided(
              request.decision, by: request.operatorName, because: request.reason,
              idempotencyKey: request.idempotencyKey), on: row)
        } catch let refused as DecisionRefused {
          throw CheckoutError(.conflict, refused.description)
        }
        return try transaction.payments(of: row.orderID)
      }
    }
    for payment in payments { try await work(payment) }
    return try await review(request.number)
  }

  /// Works what a decision has put in front of a payment, and waits for it.
  private func work(_ payment: PaymentRow) async throws(CheckoutError) {
    let operations = try await stored { try await $0.read { try $0.operations(of: payment.id) } }
    for operation in operations where operation.state == .intent {
      await awaitOperation(operation.id, of: payment)
    }
  }

  private func review(
    _ number: Int64, _ transaction: any PaymentTransaction
  ) throws -> ReviewRow {
    guard let row = try transaction.review(number) else {
      throw CheckoutError(.notFound, "There is no such review.")
    }
    return row
  }

  private func reviewCase(
    _ row: ReviewRow, _ transaction: any PaymentTransaction
  ) throws -> ReviewCase {
    let settlement = Settlement(
      transaction, policy: settings.policy, now: environment.clock.now(),
      lease: settings.lease, newUUID: environment.newUUID)
    let decisions = try ReviewDecision.allCases.filter { decision in
      guard try settlement.refusal(of: decision, on: row) == nil else { return false }
      return try decision != .refund || notOffered(row, transaction) == nil
    }
    let state = try transaction.order(row.orderID)?.state ?? .pending
    return ReviewCase(review: row, orderState: state, decisions: decisions)
  }

  /// Why the provider has no way to give a case's money back by a call of ours; nil if it has.
  private func notOffered(
    _ row: ReviewRow, _ transaction: any PaymentTransaction
  ) throws -> String? {
    guard let id = row.paymentID, let payment = try transaction.payment(id) else { return nil }
    guard let provider = providers.account(of: payment.provider, payment.account) else {
      return "The account that the payment was made through is not configured here."
    }
    let items = try transaction.items(of: id)
    let limit = OperationLimit(payment, items, try transaction.operations(of: id))
    let reason = provider.capabilities.reasonAgainstGivingBack(
      payment.status, isWhole: limit.refundable == items.sum(.capture))
    return reason.map { "\(payment.provider) \($0)" }
  }

  /// Whether the case was decided by this very request.
  private static func isReplay(of row: ReviewRow, _ request: ReviewRequest) throws(CheckoutError)
    -> Bool
  {
    guard let last = row.decision, last.idempotencyKey == request.idempotencyKey else {
      return false
    }
    guard last.decision == request.decision, last.reason == request.reason,
      last.operatorName == request.operatorName
    else {
      throw CheckoutError(
        .keyReused, "This Idempotency-Key was used for another decision. Use a new key.")
    }
    return true
  }
}
