import PaymentModels

/// Deliveries.
extension InMemoryTransaction {
  func insertWebhook(_ webhook: WebhookRow) throws {
    try change { tables in
      guard tables.webhooks[webhook.id] == nil else { throw StoreError(.duplicate, "webhook id") }
      tables.webhooks[webhook.id] = webhook
    }
  }

  func webhook(_ id: WebhookID) throws -> WebhookRow? {
    requireOpen()
    return tables.webhooks[id]
  }

  func updateWebhook(_ webhook: WebhookRow) throws {
    try change { tables in
      guard tables.webhooks[webhook.id] != nil else { throw StoreError(.missing, "webhook") }
      tables.webhooks[webhook.id] = webhook
    }
  }

  func webhooksDue(of account: AccountKey?, at now: Instant, limit: Int) throws -> [WebhookRow] {
    requireOpen()
    return tables.webhooks.values
      .filter { account == nil || account == AccountKey($0.provider, $0.account) }
      .filter { row in row.state == .received && row.nextTryAt.map { $0 <= now } ?? false }
      .sorted { ($0.receivedAt, $0.id) < ($1.receivedAt, $1.id) }
      .limited(to: limit)
  }

  func openWebhook(_ provider: ProviderName, bodyHash: String) throws -> WebhookRow? {
    requireOpen()
    return tables.webhooks.values
      .filter { row in
        let isOpen = [.received, .unmatched, .rejected].contains(row.state)
        return isOpen && row.provider == provider && row.bodyHash == bodyHash
      }
      .min { $0.id < $1.id }
  }

  func webhook(
    _ provider: ProviderName, _ account: ProviderAccount, eventID: String
  ) throws -> WebhookRow? {
    requireOpen()
    return tables.webhooks.values
      .filter { $0.provider == provider && $0.account == account && $0.eventID == eventID }
      .min { $0.id < $1.id }
  }

  func webhooks(
    in state: WebhookRow.State?, at provider: ProviderName?, before: WebhookID?, limit: Int
  ) throws -> [WebhookRow] {
    requireOpen()
    return tables.webhooks.values
      .filter { row in
        (state.map { row.state == $0 } ?? true) && (provider.map { row.provider == $0 } ?? true)
          && (before.map { row.id < $0 } ?? true)
      }
      .sorted { $0.id > $1.id }
      .limited(to: limit)
  }

  func unmatchedWebhooks(
    _ provider: ProviderName, naming id: ProviderPaymentID?, or payment: PaymentID?
  ) throws -> [WebhookRow] {
    requireOpen()
    return tables.webhooks.values
      .filter { row in
        let namesProviderID = id != nil && row.providerPaymentID == id
        let namesOurs = payment != nil && row.paymentReference == payment
        return row.state == .unmatched && row.provider == provider
          && (namesProviderID || namesOurs)
      }
      .sorted { $0.id < $1.id }
  }

  func webhookCount(in state: WebhookRow.State, at provider: ProviderName) throws -> Int {
    requireOpen()
    return tables.webhooks.values.count { $0.state == state && $0.provider == provider }
  }

  func removeWebhooks(
    _ provider: ProviderName, in state: WebhookRow.State, keeping newest: Int, limit: Int
  ) throws -> Int {
    try remove(limit) { rows in
      rows.filter { $0.provider == provider && $0.state == state }
        .sorted { $0.id > $1.id }.dropFirst(newest)
    }
  }

  func removeUnsignedWebhooks(receivedBefore time: Instant, limit: Int) throws -> Int {
    try remove(limit) { rows in
      rows.filter { $0.state == .unmatched && $0.isUnsigned && $0.receivedAt < time }[...]
    }
  }

  private func remove(
    _ limit: Int, _ choose: ([WebhookRow]) -> ArraySlice<WebhookRow>
  ) throws -> Int {
    var removed = 0
    try change { tables in
      for row in choose(Array(tables.webhooks.values)).reversed().prefix(limit) {
        tables.webhooks[row.id] = nil
        removed += 1
      }
    }
    return removed
  }

  func eraseWebhookBodies(
    receivedBefore time: Instant, limit: Int, at now: Instant
  ) throws -> Int {
    var erased = 0
    try change { tables in
      let old = tables.webhooks.values
        .filter { $0.bodyErasedAt == nil && $0.receivedAt < time }
        .sorted { ($0.receivedAt, $0.id) < ($1.receivedAt, $1.id) }
      for row in old.prefix(limit) {
        tables.webhooks[row.id]?.eraseBody(at: now)
        erased += 1
      }
    }
    return erased
  }
}
