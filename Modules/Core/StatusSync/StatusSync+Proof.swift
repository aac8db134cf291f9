import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface

extension StatusSync {
  /// What became of a delivery's body.
  enum BodyOutcome {
    /// It counted as proof.
    case applied
    /// It says nothing that a read would not.
    case notNeeded
    /// It could have counted, and does not.
    case noProof(reason: String)
    /// It may count once a read has told that the payment is paid.
    case tooEarly
  }

  /// Has the body of a delivery count as proof where a read did not answer, or cannot tell what
  /// the body says.
  ///
  /// - Parameter isFresh: whether the read after the delivery answered.
  func applyBody(
    of webhook: WebhookRow, to id: PaymentID, isFresh: Bool
  ) async throws -> BodyOutcome {
    guard webhook.isProof else { return .notNeeded }
    guard let account = providers.account(of: webhook.provider, webhook.account),
      let named = try await providerPaymentID(of: webhook, id),
      let proof = account.webhookProof(webhook.body, of: named)
    else { return .noProof(reason: "it cannot be read by the settings that are in force") }
    guard !isFresh || proof.supplementsRead else { return .notNeeded }
    let event = SignedEvent(proof, of: account, receivedAt: webhook.receivedAt)
    let (settings, environment) = (settings, environment)
    return try await store.write { transaction in
      guard let before = try transaction.payment(id) else { return .notNeeded }
      let settlement = Settlement(
        transaction, policy: settings.policy, now: environment.clock.now(),
        newUUID: environment.newUUID)
      switch try settlement.apply(event, to: id) {
      case .applied:
        try Self.logChange(of: id, from: before.status, .webhook, environment, transaction)
        return .applied
      case .unusable(let reason):
        // Told once, and tried as often as the read is.
        if webhook.tries == 0 {
          try transaction.appendJournal(
            JournalEntry(
              at: environment.clock.now(), orderID: before.orderID, paymentID: id,
              channel: .webhook, trust: .notification, event: "signed webhook",
              note: "no proof: \(reason)", webhookID: webhook.id))
        }
        return proof.supplementsRead && event.awaitsRead(before.status)
          ? .tooEarly : .noProof(reason: reason)
      case .overtaken, .superseded: return .notNeeded
      case .notOurs: return .noProof(reason: "it is about another payment")
      }
    }
  }

  /// The provider's payment that a delivery is about: the one that it names, else the current one.
  private func providerPaymentID(
    of webhook: WebhookRow, _ id: PaymentID
  ) async throws -> ProviderPaymentID? {
    if let named = webhook.providerPaymentID { return named }
    return try await store.read { try $0.payment(id)?.providerPaymentID }
  }
}

extension SignedEvent {
  fileprivate init(
    _ proof: WebhookProof, of account: any PaymentProvider, receivedAt: Instant
  ) {
    let capabilities = account.capabilities
    // Nothing has happened that is still to come: dated so, it would make all that follows look
    // older. A clock that is a little ahead keeps its own order.
    let isAhead = proof.occurredAt.map { $0.since(receivedAt) > Self.clockLeadMax } ?? false
    self.init(
      reading: proof.reading, account: account.account, mode: account.mode,
      occurredAt: isAhead ? receivedAt : proof.occurredAt,
      supplementsRead: proof.supplementsRead,
      provesPaid: capabilities.paidProofs.contains(.signedWebhook),
      provesUndone: capabilities.undoneProofs.contains(.signedWebhook))
  }
  /// As much as signature schemes grant a provider's clock.
  private static let clockLeadMax: Duration = .seconds(300)
}
