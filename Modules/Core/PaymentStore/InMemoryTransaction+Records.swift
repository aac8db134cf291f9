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

  func journal(of order: OrderID, after: Int64, limit: Int) throws -> [JournalEntry] {
    requireOpen()
    return tables.journal
      .filter { entry in
        entry.sequence > after
          && (entry.orderID == order
            || entry.paymentID.flatMap { tables.payments[$0] }?.orderID == order)
      }
      .limited(to: limit)
  }

  func journal(after: Int64, limit: Int) throws -> [JournalEntry] {
    requireOpen()
    // A sequence is one more than the index.
    let first = min(max(0, Int(after)), tables.journal.count)
    return Array(tables.journal[first...]).limited(to: limit)
  }

  func journal(of webhook: WebhookID, limit: Int) throws -> [JournalEntry] {
    requireOpen()
    return tables.journal.filter { $0.webhookID == webhook }.reversed().limited(to: limit)
  }

  func lastChange(of payment: PaymentID) throws -> JournalEntry? {
    requireOpen()
    return tables.journal.last {
      $0.paymentID == payment && $0.change != nil && $0.trust == .proof && $0.channel.bringsProof
    }
  }

  func lastNoted(_ payment: PaymentID) throws -> Instant? {
    requireOpen()
    return tables.journal.last { $0.paymentID == payment }?.at
  }

  func probe(at now: Instant) throws { try change { $0.probedAt = now } }

  func openReview(_ review: ReviewRow) throws -> Bool {
    requireOpen()
    let isOpen = tables.reviews.contains { row in
      row.resolvedAt == nil && row.kind == review.kind && row.paymentID == review.paymentID
        && (review.paymentID != nil || row.orderID == review.orderID)
    }
    try change { tables in
      try tables.require(review.orderID)
      if let payment = review.paymentID { try tables.require(payment) }
      var numbered = review
      numbered.number = Int64(tables.reviews.count) + 1
      if !isOpen { tables.reviews.append(numbered) }
    }
    if !isOpen {
      touch(review.orderID)
      if let payment = review.paymentID { touch(payment) }
    }
    return !isOpen
  }

  func updateReview(_ review: ReviewRow) throws {
    requireOpen()
    guard let index = tables.reviews.firstIndex(where: { $0.number == review.number }) else {
      throw StoreError(.missing, "review")
    }
    try change { tables in
      tables.reviews[index].decision = review.decision
      tables.reviews[index].resolvedAt = review.resolvedAt
    }
    touch(review.orderID)
    if let payment = review.paymentID { touch(payment) }
  }

  func review(_ number: Int64) throws -> ReviewRow? {
    requireOpen()
    return tables.reviews.first { $0.number == number }
  }

  func openReviews(after number: Int64, limit: Int) throws -> [ReviewRow] {
    requireOpen()
    return tables.reviews.filter { $0.isOpen && $0.number > number }.limited(to: limit)
  }

  func reviews(of order: OrderID) throws -> [ReviewRow] {
    requireOpen()
    // Equal times keep the order of opening.
    return tables.reviews.enumerated().filter { $0.element.orderID == order }
      .sorted { ($0.element.openedAt, $0.offset) < ($1.element.openedAt, $1.offset) }
      .map(\.element)
  }
}
