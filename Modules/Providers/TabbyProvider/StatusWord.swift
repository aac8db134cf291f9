import PaymentModels
import ProviderInterface

/// What a payment's `status` means.
///
/// Tabby has one word, CLOSED, for captured, cancelled and partly captured, so the captures
/// decide. Its dashboard's word for CLOSED without captures is taken for just that, in both
/// spellings. Any other word is kept as it came and decides nothing.
///
/// - Returns: nil if the payment is closed and the answer does not say what was captured:
///   absent is not zero.
func paymentStatus(word: String, captures: [PaymentItem]?) -> PaymentStatus? {
  switch asciiLowercased(word) {
  case "created": return .created
  case "authorized": return .authorized
  case "rejected": return .rejected
  case "expired": return .expired
  case "closed":
    guard let captures else { return nil }
    return hasMoney(captures) ? .captured : .cancelled
  case "cancelled", "canceled":
    return hasMoney(captures ?? []) ? .captured : .cancelled
  default:
    return .unknown(unknownWord(word))
  }
}

private func hasMoney(_ captures: [PaymentItem]) -> Bool {
  captures.contains { $0.amount.minorUnits > 0 }
}
