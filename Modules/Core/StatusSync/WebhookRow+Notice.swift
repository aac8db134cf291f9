import PaymentModels
import PaymentStore
import ProviderInterface

extension WebhookRow {
  /// Writes down what a check found, and what follows of it.
  mutating func note(_ notice: WebhookNotice, of account: any PaymentProvider) {
    providerPaymentID = notice.providerPaymentID
    paymentReference = notice.paymentReference.flatMap {
      isCanonicalUUID($0) ? PaymentID($0) : nil
    }
    matchedSecret = notice.matchedSecret
    isUnsigned = notice.matchedSecret == nil
    // Anybody may write what they like into a delivery that is not signed, so all that it is known
    // by is the payment that it names: else each would be a row of its own, for ever.
    eventID = isUnsigned ? notice.providerPaymentID?.rawValue : notice.eventID
    topic = notice.topic
    isProof = notice.isProof
    detail = nil
    isConcluded = true
    if let mode = notice.mode, mode != account.mode {
      rest(as: .rejected, "a \(mode.rawValue) event, and the account is \(account.mode.rawValue)")
    } else if notice.isIgnored {
      rest(as: .processed, "of a kind that concerns no payment")
      // What concerns a payment is also a matter of settings.
      isConcluded = false
    } else {
      state = .received
      nextTryAt = receivedAt
    }
  }

  private mutating func rest(as state: State, _ detail: String) {
    self.state = state
    self.detail = detail
    nextTryAt = nil
  }

  /// Takes in that it came once more: worth another look, also if nothing matched before. But an
  /// event that the provider itself calls the same, and that is done, is no news.
  mutating func repeated(by new: WebhookRow, at now: Instant) {
    guard state != .processed || new.isUnsigned || !isConcluded else { return }
    if state == .received, new.state != .received { return }
    if bodyHash != new.bodyHash || bodyErasedAt != nil {
      (body, bodyHash, bodyErasedAt) = (new.body, new.bodyHash, nil)
      (checkedHeaders, receivedAt) = (new.checkedHeaders, new.receivedAt)
    }
    (providerPaymentID, paymentReference) = (
      new.providerPaymentID, new.paymentReference ?? paymentReference
    )
    (matchedSecret, topic, isProof) = (new.matchedSecret, new.topic, new.isProof)
    if state == .parked || state == .processed || state == .rejected { tries = 0 }
    (state, detail, isConcluded) = (new.state, new.detail, new.isConcluded)
    nextTryAt = new.state == .received ? now : nil
  }
}

extension WebhookRow {
  /// The payment that it names, for a log line; that of a provider's own id is told once it is
  /// read.
  var paymentText: String { paymentReference?.rawValue ?? "unknown" }
}
