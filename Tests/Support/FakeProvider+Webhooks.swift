public import HTTPExchange
public import PaymentModels
import PaymentStore
public import ProviderInterface
import SystemRuntime

/// What a delivery of the fake provider says beside the payment that it names.
public struct SignedDelivery: Sendable {
  /// What its body proves; nil if the body is a notification only.
  public var proof: WebhookProof?
  /// The provider's id of the event.
  public var eventID: String?
  /// Whether it concerns no payment.
  public var isIgnored: Bool
  /// Whether it is about real money.
  public var mode: PaymentMode?

  /// Collects what a delivery says.
  public init(
    proof: WebhookProof? = nil, eventID: String? = nil, isIgnored: Bool = false,
    mode: PaymentMode? = nil
  ) {
    self.proof = proof
    self.eventID = eventID
    self.isIgnored = isIgnored
    self.mode = mode
  }
}

extension FakeProvider {
  /// A delivery that says more than which payment it is about; `name` makes its bytes different.
  public func webhook(
    _ id: ProviderPaymentID, for payment: PaymentID? = nil, named name: String,
    _ signed: SignedDelivery
  ) -> HTTPRequest {
    state.withLock { $0.signed[name] = signed }
    return webhook(id, for: payment, rest: name)
  }

  /// What the delivery of that body was made to prove.
  public func webhookProof(_ body: [UInt8], of payment: ProviderPaymentID) -> WebhookProof? {
    let name = String(decoding: body, as: UTF8.self).split(
      separator: "|", omittingEmptySubsequences: false
    ).last.map(String.init)
    return name.flatMap { name in state.withLock { $0.signed[name]?.proof } }
  }

  /// Says what the provider tells of a transaction.
  public func set(transaction id: String, _ reading: PaymentReading) {
    state.withLock { $0.transactions[id] = reading }
  }

  /// What was said of the transaction; nil if the provider keeps none.
  public func readTransaction(
    _ id: String, of payment: ProviderPaymentID
  ) async throws(ProviderError) -> PaymentReading? {
    guard state.withLock({ !$0.transactions.isEmpty }) else { return nil }
    return try await answer(.transaction, id) { state throws(ProviderError) in
      guard let reading = state.transactions[id] else {
        throw ProviderError(.notFound, status: 404, detail: "no such transaction")
      }
      return reading
    }
  }

  /// Gives a whole transaction back, once; what it shows of that carries no reference of ours.
  func refundTransaction(
    _ request: ProviderOperation, _ state: inout State
  ) throws(ProviderError) -> PaymentReading {
    guard let id = request.transactionID, var reading = state.transactions[id] else {
      throw ProviderError(.notFound, status: 404, detail: "no such transaction")
    }
    guard reading.items.sum(.refund) == 0 else {
      throw ProviderError(.refused, status: 422, code: "not_complete", detail: "refunded already")
    }
    reading.items.append(
      PaymentItem(
        kind: .refund, providerItemID: id, reference: nil, amount: request.amount, createdAt: nil))
    state.transactions[id] = reading
    return reading
  }
}
