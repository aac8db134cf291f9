import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface

extension StatusSync {
  /// Has the body of a delivery count as proof where a read did not answer, or cannot tell what
  /// the body says. Returns whether it counted.
  ///
  /// - Parameter isFresh: whether the read after the delivery answered.
  func applyBody(
    of webhook: WebhookRow, to id: PaymentID, isFresh: Bool
  ) async throws -> Bool {
    guard webhook.isProof,
      let account = providers.account(of: webhook.provider, webhook.account),
      let named = try await providerPaymentID(of: webhook, id),
      let proof = account.webhookProof(webhook.body, of: named),
      !isFresh || proof.supplementsRead
    else { return false }
    let event = SignedEvent(
      reading: proof.reading, account: account.account, mode: account.mode,
      occurredAt: proof.occurredAt, supplementsRead: proof.supplementsRead)
    let (settings, environment) = (settings, environment)
    return try await store.write { transaction in
      guard let before = try transaction.payment(id) else { return false }
      let settlement = Settlement(
        transaction, policy: settings.policy, now: environment.clock.now(),
        newUUID: environment.newUUID)
      switch try settlement.apply(event, to: id) {
      case .applied:
        try Self.logChange(of: id, from: before.status, .webhook, environment, transaction)
        return true
      case .unusable(let reason) where webhook.tries == 0:
        try transaction.appendJournal(
          JournalEntry(
            at: environment.clock.now(), orderID: before.orderID, paymentID: id,
            channel: .webhook, trust: .notification, event: "signed webhook",
            note: "no proof: \(reason)"))
        return false
      case .unusable, .overtaken, .superseded, .notOurs: return false
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
