public import HTTPExchange
import KitEnvironment
public import PaymentModels
public import PaymentStore
import ProviderInterface

/// Why a delivery was not put back or replayed; nothing was changed.
public struct ReplayRefusal: Error, Hashable, Sendable {
  /// What the caller may do next.
  public enum Kind: String, Hashable, Sendable {
    /// There is no such delivery, or no such provider.
    case missing
    /// It is in no state for that, or is being worked on now.
    case conflict
    /// It does not fit what the settings say now.
    case unauthentic
  }

  /// What the caller may do next.
  public let kind: Kind
  /// What stands against it, for a person.
  public let detail: String

  init(_ kind: Kind, _ detail: String) {
    self.kind = kind
    self.detail = detail
  }
}

/// What came of a replay.
public struct WebhookReplay: Hashable, Sendable {
  /// The delivery as it stands now.
  public let webhook: WebhookRow
  /// What was checked, as a sentence.
  public let check: String
  /// The payment that it is about, if one is known.
  public let paymentID: PaymentID?
  /// What it changed, in order; empty if nothing, as of what was known before.
  public let changes: [JournalEntry]
}

extension StatusSync {
  /// Puts a delivery that waits for a person back into the queue, with all its tries.
  ///
  /// - Throws: ``ReplayRefusal``, ``StoreError``.
  public func requeue(
    _ id: WebhookID, by name: OperatorName, reason: String
  ) async throws -> WebhookRow {
    let now = environment.clock.now()
    let row = try await store.write { transaction in
      guard var row = try transaction.webhook(id) else { throw ReplayRefusal.noDelivery }
      guard row.state == .parked || row.state == .unmatched else {
        throw ReplayRefusal(
          .conflict, "It is \(row.state.rawValue); what is parked or unmatched can be put back.")
      }
      let change = "\(row.state.rawValue) → received"
      row.rearm(at: now)
      try transaction.updateWebhook(row)
      try Self.tell(
        of: row, "requeue", change: change, (name, reason), now, transaction)
      return row
    }
    inboxBell.continuation.yield()
    return row
  }

  /// Checks a stored delivery once more, by the settings as they are now, and works on it; whatever
  /// it has done already is not done again.
  ///
  /// - Throws: ``ReplayRefusal``, ``StoreError``.
  public func replay(
    _ id: WebhookID, by name: OperatorName, reason: String
  ) async throws -> WebhookReplay {
    guard let row = try await store.read({ try $0.webhook(id) }) else {
      throw ReplayRefusal.noDelivery
    }
    guard row.bodyErasedAt == nil else {
      throw ReplayRefusal(.conflict, "Its bytes were erased; read the payment instead.")
    }
    let checked = try checked(row)
    try hold(checked)
    return try await workOnHeld(checked, (name, reason))
  }

  /// Takes a delivery that was saved elsewhere as if it came now, wherever from, and works on it.
  ///
  /// - Parameter receivedAt: when it came, for a scheme with a time window; now if nil.
  /// - Throws: ``ReplayRefusal``, ``StoreError``.
  public func replay(
    _ request: HTTPRequest, at provider: ProviderName, receivedAt: Instant?,
    by name: OperatorName, reason: String
  ) async throws -> WebhookReplay {
    let accounts = providers.filter { $0.name == provider }
    guard !accounts.isEmpty else {
      throw ReplayRefusal(.missing, "This provider is not configured here.")
    }
    var why = ""
    for account in accounts {
      switch account.inspectWebhook(request, receivedAt: receivedAt ?? environment.clock.now()) {
      case .unauthentic(let fault), .malformed(let fault): why = fault
      case .handshake: throw ReplayRefusal.handshake
      case .notice(let notice):
        return try await workOnSaved(
          row(of: request, at: account, notice, receivedAt: receivedAt), (name, reason))
      }
    }
    throw ReplayRefusal(.unauthentic, "It is not taken: \(why).")
  }

  /// Who wants it, and why.
  private typealias Wish = (name: OperatorName, reason: String)

  private func workOnSaved(
    _ new: WebhookRow, _ wish: Wish
  ) async throws -> WebhookReplay {
    // Before it is stored, so that nobody else takes it up.
    try hold(new)
    do {
      guard let id = try await keep(new) else {
        throw ReplayRefusal(.conflict, "There is no room for what names nothing known.")
      }
      if id != new.id {
        busyWebhooks[new.id] = nil
        var twin = new
        twin.id = id
        try hold(twin)
        return try await workOnHeld(twin, wish)
      }
    } catch {
      busyWebhooks[new.id] = nil
      throw error
    }
    return try await workOnHeld(new, wish)
  }

  /// The row as the settings of now have it.
  private func checked(_ row: WebhookRow) throws(ReplayRefusal) -> WebhookRow {
    guard let account = providers.account(of: row.provider, row.account) else {
      throw ReplayRefusal(.missing, "Its account \(row.account) is not configured.")
    }
    guard let request = row.savedRequest else {
      if row.state != .rejected { return row.rearmed(at: environment.clock.now()) }
      throw ReplayRefusal(.conflict, "It is rejected, and what proved it is kept nowhere.")
    }
    switch account.inspectWebhook(request, receivedAt: row.receivedAt) {
    case .unauthentic(let reason), .malformed(let reason):
      throw ReplayRefusal(.unauthentic, "It fits no setting any more: \(reason).")
    case .handshake: throw ReplayRefusal.handshake
    case .notice(let notice):
      var row = row
      row.note(notice, of: account)
      return row.rearmed(at: environment.clock.now())
    }
  }

  private func hold(_ row: WebhookRow) throws(ReplayRefusal) {
    guard busyWebhooks[row.id] == nil else {
      throw ReplayRefusal(.conflict, "It is being worked on now.")
    }
    busyWebhooks[row.id] = AccountKey(row.provider, row.account)
  }

  /// Works on a delivery that the caller holds, and lets it go.
  private func workOnHeld(
    _ checked: WebhookRow, _ wish: Wish
  ) async throws -> WebhookReplay {
    defer { busyWebhooks[checked.id] = nil }
    let now = environment.clock.now()
    let (row, seen) = try await store.write { transaction -> (WebhookRow, Int) in
      guard let stored = try transaction.webhook(checked.id) else {
        throw ReplayRefusal.noDelivery
      }
      var row = checked
      row.deliveries = stored.deliveries
      try transaction.updateWebhook(row)
      try Self.tell(of: row, "replay", wish, now, transaction)
      return (row, try Self.journal(behind: row, transaction).count)
    }
    if row.state == .received { await process(row) }
    return try await store.read { transaction in
      guard let after = try transaction.webhook(row.id) else { throw ReplayRefusal.noDelivery }
      return WebhookReplay(
        webhook: after, check: after.check,
        paymentID: try Self.payment(of: after, transaction)?.id,
        changes: try Self.journal(behind: after, transaction).dropFirst(seen)
          .filter { $0.change != nil })
    }
  }

  /// All that happened to the order that it is about.
  private static func journal(
    behind row: WebhookRow, _ transaction: any PaymentTransaction
  ) throws -> [JournalEntry] {
    guard let order = try payment(of: row, transaction)?.orderID else { return [] }
    return try transaction.journal(of: order, limit: journalMax)
  }

  /// More than the journal of any order holds.
  private static let journalMax = 100_000

  private static func tell(
    of row: WebhookRow, _ event: String, change: String? = nil, _ wish: Wish, _ now: Instant,
    _ transaction: any PaymentTransaction
  ) throws {
    let payment = try payment(of: row, transaction)
    try transaction.appendJournal(
      JournalEntry(
        at: now, orderID: payment?.orderID, paymentID: payment?.id, channel: .operator,
        operatorName: wish.name, trust: .proof, event: event, change: change, note: wish.reason,
        webhookID: row.id))
  }
}

extension ReplayRefusal {
  fileprivate static let noDelivery = ReplayRefusal(.missing, "There is no such delivery.")
  fileprivate static let handshake = ReplayRefusal(
    .conflict, "It only asks whether the endpoint is there.")
}

extension WebhookRow {
  fileprivate mutating func rearm(at now: Instant) {
    state = .received
    detail = nil
    tries = 0
    nextTryAt = now
  }

  /// Due again with all its tries, unless its check says that nothing follows of it.
  fileprivate func rearmed(at now: Instant) -> WebhookRow {
    var row = self
    if row.savedRequest == nil || row.state == .received { row.rearm(at: now) }
    return row
  }

  /// The delivery as its check needs it; nil if a secret would be needed, which is stored nowhere.
  fileprivate var savedRequest: HTTPRequest? {
    guard isUnsigned || checkedHeaders != nil else { return nil }
    var headers = HTTPHeaders()
    for line in (checkedHeaders ?? "").split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers.add(String(line[..<colon]), String(line[line.index(colon, offsetBy: 2)...]))
    }
    return HTTPRequest(
      method: "POST", target: "/webhooks/\(provider)", headers: headers, body: body)
  }

  /// What was checked, as a sentence.
  fileprivate var check: String {
    if isUnsigned { return "Nobody signs it: it only says what to read." }
    guard savedRequest != nil else {
      return "The secret that it came with is not kept: the check at its arrival stands."
    }
    return "Its signature fits" + (matchedSecret.map { " secret \($0)." } ?? ".")
  }
}
