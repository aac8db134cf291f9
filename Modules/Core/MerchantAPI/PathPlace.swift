import PaymentModels

/// What may stand in the place of a path, by the name that it has in the path's braces.
///
/// The forms keep `..`, slashes and escapes out of everything behind.
public enum PathPlace: String, Hashable, Sendable, CaseIterable {
  /// The kit's id of an order.
  case orderID = "order_id"
  /// The kit's id of a payment.
  case paymentID = "payment_id"
  /// The kit's id of a delivery.
  case webhookID = "webhook_id"
  /// The kit's id of a message.
  case messageID = "message_id"
  /// The number of a review.
  case number
  /// A provider's name.
  case provider
  /// A provider's own id of a payment.
  case providerPaymentID = "provider_payment_id"
  /// How the payer left the provider's page.
  case outcome
  /// The word of a problem.
  case problem

  /// Whether a path with `text` in this place is one of the API's.
  func leadsOn(_ text: String) -> Bool {
    switch self {
    // Any text, so that a mistyped id is called one.
    case .orderID, .paymentID, .webhookID, .messageID: true
    // As the server writes it: no sign, no leading zero.
    case .number: Int64(text).map { $0 > 0 && "\($0)" == text } ?? false
    case .provider, .outcome: isWord(text) { (97...122).contains($0) }
    case .problem: isWord(text) { (97...122).contains($0) || $0 == 0x5F }
    case .providerPaymentID:
      (1...64).contains(text.utf8.count)
        && text.utf8.allSatisfy {
          (97...122).contains($0 | 0x20) || (48...57).contains($0) || $0 == 0x2D || $0 == 0x5F
        }
    }
  }

  /// Whether `text` is of the form that ids have, if an id stands here.
  func isWellFormed(_ text: String) -> Bool {
    switch self {
    case .orderID, .paymentID, .webhookID, .messageID: isCanonicalUUID(text)
    case .number, .provider, .providerPaymentID, .outcome, .problem: true
    }
  }

  private func isWord(_ text: String, _ isAllowed: (UInt8) -> Bool) -> Bool {
    (1...32).contains(text.utf8.count) && text.utf8.allSatisfy(isAllowed)
  }

  /// What may stand here, as the document says it.
  var schema: JSONSchema {
    switch self {
    case .orderID, .paymentID, .webhookID, .messageID: .uuid
    case .number: .integer(from: 1, to: .max)
    case .provider: .text(pattern: "^[a-z]{1,32}$")
    case .providerPaymentID: .text(pattern: "^[A-Za-z0-9_-]{1,64}$")
    case .outcome: .words(["success", "cancel", "failure"])
    case .problem: .words(ProblemPage.all.map(\.word))
    }
  }
}
