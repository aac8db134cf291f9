import PaymentModels

/// What waits to be worked on: operations, inbox, outbox.
extension InMemoryTransaction {
  // MARK: Operations

  func insertOperation(_ operation: OperationRow) throws {
    try change { tables in
      guard tables.operations[operation.id] == nil else {
        throw StoreError(.duplicate, "operation id")
      }
      try tables.require(operation.paymentID)
      tables.operations[operation.id] = operation
    }
    touch(operation.paymentID)
  }

  func operation(_ id: OperationID) throws -> OperationRow? {
    requireOpen()
    return tables.operations[id]
  }

  func updateOperation(_ operation: OperationRow) throws {
    try change { tables in
      guard tables.operations[operation.id] != nil else {
        throw StoreError(.missing, "operation")
      }
      try tables.require(operation.paymentID)
      tables.operations[operation.id] = operation
    }
    touch(operation.paymentID)
  }

  func operations(of payment: PaymentID) throws -> [OperationRow] {
    requireOpen()
    return tables.operations.values.filter { $0.paymentID == payment }.sorted { $0.id < $1.id }
  }

  func operationsDue(at now: Instant, limit: Int) throws -> [OperationRow] {
    requireOpen()
    let due = tables.operations.values.compactMap { row -> (at: Instant, row: OperationRow)? in
      guard row.isInFlight, let next = row.nextTryAt, next <= now else { return nil }
      return (next, row)
    }
    return due.sorted { ($0.at, $0.row.id) < ($1.at, $1.row.id) }.map(\.row).limited(to: limit)
  }

  // MARK: Inbox

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

  func webhooksDue(at now: Instant, limit: Int) throws -> [WebhookRow] {
    requireOpen()
    return tables.webhooks.values
      .filter { row in row.state == .received && row.nextTryAt.map { $0 <= now } ?? false }
      .sorted { ($0.receivedAt, $0.id) < ($1.receivedAt, $1.id) }
      .limited(to: limit)
  }

  func openWebhook(_ provider: ProviderName, bodyHash: String) throws -> WebhookRow? {
    requireOpen()
    return tables.webhooks.values
      .filter { row in
        let isOpen = row.state == .received || row.state == .unmatched
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

  func heldWebhooks(before: WebhookID?, limit: Int) throws -> [WebhookRow] {
    requireOpen()
    return tables.webhooks.values
      .filter { row in
        let isHeld = row.state == .unmatched || row.state == .parked
        return isHeld && (before.map { row.id < $0 } ?? true)
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

  func removeUnmatchedWebhooks(keeping newest: Int) throws {
    try change { tables in
      let rows = tables.webhooks.values.filter { $0.state == .unmatched }
      var counts: [ProviderName: Int] = [:]
      for row in rows.sorted(by: { $0.id > $1.id }) {
        counts[row.provider, default: 0] += 1
        if counts[row.provider, default: 0] > newest { tables.webhooks[row.id] = nil }
      }
    }
  }

  // MARK: Outbox

  func insertMessage(_ message: MessageRow) throws {
    try change { tables in
      guard tables.messages[message.id] == nil else { throw StoreError(.duplicate, "message id") }
      try tables.store(message)
    }
    touch(message.orderID)
  }

  func updateMessage(_ message: MessageRow) throws {
    try change { tables in
      guard tables.messages[message.id] != nil else { throw StoreError(.missing, "message") }
      try tables.store(message)
    }
    touch(message.orderID)
  }

  func messagesDue(at now: Instant, limit: Int) throws -> [MessageRow] {
    requireOpen()
    let waiting = tables.messages.values.filter { $0.deliveredAt == nil }
    let heads = Dictionary(grouping: waiting, by: \.orderID).values
      .compactMap { $0.min { $0.sequence < $1.sequence } }
    let due = heads.compactMap { row -> (at: Instant, row: MessageRow)? in
      guard let next = row.nextTryAt, next <= now else { return nil }
      return (next, row)
    }
    return due.sorted { ($0.at, $0.row.id) < ($1.at, $1.row.id) }.map(\.row).limited(to: limit)
  }

  func messages(of order: OrderID) throws -> [MessageRow] {
    requireOpen()
    return tables.messages.values.filter { $0.orderID == order }
      .sorted { $0.sequence < $1.sequence }
  }
}

extension InMemoryTables {
  fileprivate mutating func store(_ message: MessageRow) throws {
    let isTaken = messages.values.contains {
      $0.orderID == message.orderID && $0.sequence == message.sequence && $0.id != message.id
    }
    guard !isTaken else { throw StoreError(.duplicate, "message sequence") }
    try require(message.orderID)
    if let payment = message.paymentID { try require(payment) }
    messages[message.id] = message
  }
}
