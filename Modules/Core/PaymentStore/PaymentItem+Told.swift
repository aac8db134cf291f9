public import PaymentModels

/// How the journal tells of movements of money.
extension PaymentItem {
  /// Said where a movement is told anew and no sum is another.
  private static let noSum = "captures and refunds"
  private static let allInAll = " in all"

  /// Whether a journal line's change tells of movements.
  public static func areTold(_ change: String) -> Bool {
    change.split(separator: ",").contains {
      $0.hasSuffix(allInAll) || $0.drop { $0 == " " } == noSum
    }
  }

  fileprivate static func words(_ kind: Kind) -> String {
    switch kind {
    case .capture: "captured"
    case .refund: "refunded"
    case .chargeback: "charged back"
    }
  }

  fileprivate static func told(_ sums: [(kind: Kind, sum: Money)]) -> [String] {
    sums.isEmpty ? [noSum] : sums.map { "\($0.sum) \(words($0.kind))\(allInAll)" }
  }
}

extension [PaymentItem] {
  /// The sums that are others than before, each as it is now: the journal alone is to give what the
  /// rows say.
  func movements(since before: [PaymentItem]) -> [String] {
    guard let currency = first?.amount.currency else { return PaymentItem.told([]) }
    return PaymentItem.told(
      PaymentItem.Kind.allCases.compactMap { kind in
        let sum = sum(kind)
        return sum == before.sum(kind)
          ? nil : (kind, Money(minorUnits: sum, currency: currency))
      })
  }
}
