import PaymentModels

extension InMemoryTransaction {
  func moneyTotals(from start: Instant, to end: Instant) throws -> [MoneyTotal] {
    requireOpen()
    var totals: [MoneyTotal] = []
    for (id, items) in tables.items {
      guard let payment = tables.payments[id] else { continue }
      let isInReview = tables.reviews.contains {
        $0.orderID == payment.orderID && $0.resolvedAt == nil
      }
      for stored in items.values {
        guard let at = stored.item.createdAt ?? stored.learnedAt, at >= start, at < end else {
          continue
        }
        add(stored.item, of: payment, isInReview, to: &totals)
      }
    }
    return totals.sorted { $0.place.lexicographicallyPrecedes($1.place) }
  }

  private func add(
    _ item: PaymentItem, of payment: PaymentRow, _ isInReview: Bool, to totals: inout [MoneyTotal]
  ) {
    let empty = MoneyTotal(
      provider: payment.provider, account: payment.account, currency: item.amount.currency)
    let known = totals.firstIndex { $0.place == empty.place }
    if known == nil { totals.append(empty) }
    let index = known ?? totals.count - 1
    switch item.kind {
    case .capture:
      totals[index].captured += item.amount.minorUnits
      if isInReview { totals[index].inReview += item.amount.minorUnits }
    case .refund: totals[index].refunded += item.amount.minorUnits
    case .chargeback: totals[index].chargedBack += item.amount.minorUnits
    }
  }
}

extension MoneyTotal {
  fileprivate var place: [String] {
    [provider.rawValue, account.rawValue, currency.code, "\(currency.exponent)"]
  }
}
