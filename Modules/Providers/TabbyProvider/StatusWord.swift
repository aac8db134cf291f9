import PaymentModels

/// `text` with A–Z as a–z and every other character as it is: no locale decides what a status
/// means, and no look-alike letter passes for another.
func asciiLowercased(_ text: String) -> String {
  String(
    String.UnicodeScalarView(
      text.unicodeScalars.map { scalar in
        (65...90).contains(scalar.value)
          ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar
      }))
}

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
    return .unknown(String(String.UnicodeScalarView(word.unicodeScalars.prefix(statusScalarsMax))))
  }
}

// An unknown word is stored and shown; a longer one than this is not a word.
private let statusScalarsMax = 64

private func hasMoney(_ captures: [PaymentItem]) -> Bool {
  captures.contains { $0.amount.minorUnits > 0 }
}
