import PaymentModels

extension InMemoryTransaction {
  func bringForward(to limit: Instant) throws {
    try change { tables in
      for (id, row) in tables.payments where !row.lapsed && row.status.isOpen {
        guard let due = row.schedule.nextReadAt, due > limit else { continue }
        tables.payments[id]?.schedule.nextReadAt = limit
        tables.payments[id]?.schedule.leaseUntil = row.schedule.leaseUntil.map { min($0, limit) }
      }
      for (id, row) in tables.operations where row.isInFlight {
        tables.operations[id]?.nextTryAt = row.nextTryAt.map { min($0, limit) }
      }
      for (id, row) in tables.webhooks where row.state == .received {
        tables.webhooks[id]?.nextTryAt = row.nextTryAt.map { min($0, limit) }
      }
      for (id, row) in tables.messages where row.deliveredAt == nil {
        tables.messages[id]?.nextTryAt = row.nextTryAt.map { min($0, limit) }
      }
    }
  }
}

extension PaymentStatus {
  /// Whether the end is not known: neither money nor a final word without it.
  fileprivate var isOpen: Bool { !holdsMoney && !isFinalUnpaid }
}
