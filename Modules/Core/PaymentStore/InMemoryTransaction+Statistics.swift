import PaymentModels

extension InMemoryTransaction {
  func statistics() throws -> StoreStatistics {
    requireOpen()
    var statistics = StoreStatistics()
    let rows = tables.payments.values
    for provider in Set(rows.map(\.provider)).sorted() {
      let own = rows.filter { $0.provider == provider }
      let words = Set(own.map { $0.status.withoutWord.description })
      for word in words.sorted() {
        let status = PaymentStatus(stored: word)
        statistics.payments.append(
          StoreStatistics.Payments(
            provider: provider, status: status,
            count: own.count { $0.status.withoutWord == status }))
      }
      let open = own.filter { !$0.lapsed && !$0.status.isFinalForPayer }
      guard !open.isEmpty else { continue }
      statistics.waiting.append(
        StoreStatistics.Waiting(
          provider: provider,
          queue: queue(open.map { $0.schedule.lastProofAt ?? $0.createdAt })))
    }
    statistics.operations = queue(
      tables.operations.values.filter(\.isInFlight).map(\.createdAt))
    let webhooks = tables.webhooks.values
    func deliveries(_ state: WebhookRow.State) -> StoreStatistics.Queue {
      queue(webhooks.filter { $0.state == state }.map(\.receivedAt))
    }
    statistics.receivedWebhooks = deliveries(.received)
    statistics.unmatchedWebhooks = deliveries(.unmatched)
    statistics.rejectedWebhooks = deliveries(.rejected)
    statistics.parkedWebhooks = deliveries(.parked)
    let messages = tables.messages.values
    statistics.messages = queue(messages.filter { $0.state == .waiting }.map(\.createdAt))
    statistics.deadMessages = queue(messages.filter { $0.state == .dead }.map(\.createdAt))
    let reviews = tables.reviews.filter { $0.resolvedAt == nil }
    for kind in ReviewKind.allCases.sorted(by: { $0.rawValue < $1.rawValue }) {
      let opened = reviews.filter { $0.kind == kind }.map(\.openedAt)
      guard !opened.isEmpty else { continue }
      statistics.reviews.append(StoreStatistics.Reviews(kind: kind, queue: queue(opened)))
    }
    return statistics
  }

  private func queue(_ instants: [Instant]) -> StoreStatistics.Queue {
    StoreStatistics.Queue(count: instants.count, oldest: instants.min())
  }
}

extension PaymentStatus {
  /// Without the provider's own word for a state that the kit has never seen.
  fileprivate var withoutWord: PaymentStatus {
    if case .unknown = self { .unknown("") } else { self }
  }
}
