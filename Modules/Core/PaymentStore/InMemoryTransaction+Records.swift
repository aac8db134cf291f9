import PaymentModels

/// What people read: the journal and the reviews.
extension InMemoryTransaction {
  func appendJournal(_ entry: JournalEntry) throws {
    try change { tables in
      var numbered = entry
      numbered.sequence = Int64(tables.journal.count) + 1
      tables.journal.append(numbered)
    }
  }

  func journal(of order: OrderID, limit: Int) throws -> [JournalEntry] {
    requireOpen()
    return tables.journal
      .filter { entry in
        entry.orderID == order
          || entry.paymentID.flatMap { tables.payments[$0] }?.orderID == order
      }
      .limited(to: limit)
  }

  func journal(of webhook: WebhookID, limit: Int) throws -> [JournalEntry] {
    requireOpen()
    return tables.journal.filter { $0.webhookID == webhook }.reversed().limited(to: limit)
  }

  func openReview(_ review: ReviewRow) throws -> Bool {
    requireOpen()
    let isOpen = tables.reviews.contains { row in
      row.resolvedAt == nil && row.kind == review.kind && row.paymentID == review.paymentID
        && (review.paymentID != nil || row.orderID == review.orderID)
    }
    try change { tables in
      try tables.require(review.orderID)
      if let payment = review.paymentID { try tables.require(payment) }
      if !isOpen { tables.reviews.append(review) }
    }
    if !isOpen {
      touch(review.orderID)
      if let payment = review.paymentID { touch(payment) }
    }
    return !isOpen
  }

  func resolveReview(
    _ kind: ReviewKind, of order: OrderID, _ payment: PaymentID?, at: Instant
  ) throws -> Bool {
    requireOpen()
    let index = tables.reviews.firstIndex { row in
      row.resolvedAt == nil && row.kind == kind && row.paymentID == payment
        && row.orderID == order
    }
    guard let index else { return false }
    try change { $0.reviews[index].resolvedAt = at }
    touch(order)
    if let payment { touch(payment) }
    return true
  }

  func reviews(of order: OrderID) throws -> [ReviewRow] {
    requireOpen()
    // Equal times keep the order of opening.
    return tables.reviews.enumerated().filter { $0.element.orderID == order }
      .sorted { ($0.element.openedAt, $0.offset) < ($1.element.openedAt, $1.offset) }
      .map(\.element)
  }
}
