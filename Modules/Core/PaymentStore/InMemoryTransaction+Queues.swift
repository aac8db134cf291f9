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

  func message(_ id: MessageID) throws -> MessageRow? {
    requireOpen()
    return tables.messages[id]
  }

  func messages(
    in state: MessageRow.State?, before: MessageID?, limit: Int
  ) throws -> [MessageRow] {
    requireOpen()
    return tables.messages.values
      .filter { row in
        (state.map { row.state == $0 } ?? true) && (before.map { row.id < $0 } ?? true)
      }
      .sorted { $0.id > $1.id }
      .limited(to: limit)
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
