import PaymentModels

extension InMemoryTransaction {
  func insertPayment(_ payment: PaymentRow) throws {
    try change { tables in
      guard tables.payments[payment.id] == nil else { throw StoreError(.duplicate, "payment id") }
      try tables.require(payment.orderID)
      try tables.store(payment)
    }
    touch(payment.id)
  }

  func payment(_ id: PaymentID) throws -> PaymentRow? {
    requireOpen()
    return tables.payments[id]
  }

  func payment(_ provider: ProviderName, _ id: ProviderPaymentID) throws -> PaymentRow? {
    requireOpen()
    return tables.owners[InMemoryTables.ProviderKey(provider: provider, id: id)]
      .flatMap { tables.payments[$0] }
  }

  func payments(of order: OrderID) throws -> [PaymentRow] {
    requireOpen()
    return tables.payments.values.filter { $0.orderID == order }.sorted { $0.attempt < $1.attempt }
  }

  func payments(before: PaymentID?, limit: Int) throws -> [PaymentRow] {
    requireOpen()
    return tables.payments.values
      .filter { row in before.map { row.id < $0 } ?? true }
      .sorted { $0.id > $1.id }
      .limited(to: limit)
  }

  func payments(
    matching filter: PaymentFilter, before: PaymentID?, limit: Int
  ) throws -> [PaymentRow] {
    try payments(before: before, limit: .max).filter { row in
      (filter.provider ?? row.provider) == row.provider
        && (filter.state ?? PaymentFilter.State(row.status)) == PaymentFilter.State(row.status)
    }.limited(to: limit)
  }

  func payments(idPrefix prefix: String, limit: Int) throws -> [PaymentRow] {
    try payments(before: nil, limit: .max).filter { $0.id.rawValue.hasPrefix(prefix) }
      .limited(to: limit)
  }

  func paymentProviders() throws -> [ProviderName] {
    requireOpen()
    return Set(tables.payments.values.map(\.provider)).sorted()
  }

  func paymentAccounts() throws -> [AccountKey] {
    requireOpen()
    return Set(tables.payments.values.map { AccountKey($0.provider, $0.account) }).sorted {
      ($0.provider, $0.account) < ($1.provider, $1.account)
    }
  }

  func paymentCount() throws -> Int {
    requireOpen()
    return tables.payments.count
  }

  func updatePayment(_ payment: PaymentRow) throws {
    try change { tables in
      guard let stored = tables.payments[payment.id] else { throw StoreError(.missing, "payment") }
      guard stored.version == payment.version else { throw StoreError(.stale, "payment") }
      try tables.require(payment.orderID)
      var updated = payment
      updated.version += 1
      try tables.store(updated)
    }
    touch(payment.id)
  }

  func link(_ provider: ProviderName, _ id: ProviderPaymentID, to payment: PaymentID) throws {
    try change { tables in
      try tables.require(payment)
      try tables.link(provider, id, to: payment)
    }
  }

  func providerPaymentIDs(of payment: PaymentID) throws -> [ProviderPaymentID] {
    requireOpen()
    return tables.providerIDs[payment] ?? []
  }

  func paymentsDue(
    of account: AccountKey, isLive: Bool, at now: Instant, limit: Int
  ) throws -> [PaymentRow] {
    try paymentsDue(of: account, at: now, limit: .max)
      .filter { ($0.status.isFinalForPayer || $0.lapsed) != isLive }.limited(to: limit)
  }

  func paymentsDue(of account: AccountKey?, at now: Instant, limit: Int) throws -> [PaymentRow] {
    requireOpen()
    return tables.payments.values
      .filter { account == nil || account == AccountKey($0.provider, $0.account) }
      .compactMap { row -> (due: Instant, row: PaymentRow)? in
        guard let due = row.schedule.nextReadAt, due <= now, row.schedule.leaseUntil ?? now <= now
        else {
          return nil
        }
        return (due, row)
      }
      .sorted { ($0.due, $0.row.id) < ($1.due, $1.row.id) }
      .map(\.row)
      .limited(to: limit)
  }

  func schedulePayment(_ id: PaymentID, _ schedule: ReadSchedule) throws {
    try change { tables in
      guard var stored = tables.payments[id] else { throw StoreError(.missing, "payment") }
      stored.schedule = schedule
      try tables.store(stored)
    }
  }

  // MARK: Items

  func putItem(_ item: PaymentItem, of payment: PaymentID, learnedAt: Instant) throws {
    try change { tables in
      try tables.require(payment)
      let key = InMemoryTables.ItemKey(kind: item.kind, providerItemID: item.providerItemID)
      let known = tables.items[payment]?[key]?.learnedAt
      tables.items[payment, default: [:]][key] = InMemoryTables.StoredItem(
        item: item, learnedAt: known ?? learnedAt)
    }
    touch(payment)
  }

  func items(of payment: PaymentID) throws -> [PaymentItem] {
    requireOpen()
    return (tables.items[payment] ?? [:]).sorted { $0.key < $1.key }.map(\.value.item)
  }
}

extension InMemoryTables {
  /// Puts the row in place if its attempt number and provider id are free for it.
  fileprivate mutating func store(_ payment: PaymentRow) throws {
    let isTaken = payments.values.contains {
      $0.orderID == payment.orderID && $0.attempt == payment.attempt && $0.id != payment.id
    }
    guard !isTaken else { throw StoreError(.duplicate, "attempt number") }
    if let id = payment.providerPaymentID { try link(payment.provider, id, to: payment.id) }
    payments[payment.id] = payment
  }

  fileprivate mutating func link(
    _ provider: ProviderName, _ id: ProviderPaymentID, to payment: PaymentID
  ) throws {
    let key = ProviderKey(provider: provider, id: id)
    if let owner = owners[key] {
      guard owner == payment else { throw StoreError(.duplicate, "provider payment id") }
      return
    }
    owners[key] = payment
    providerIDs[payment, default: []].append(id)
  }
}
