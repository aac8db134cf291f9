public import HTTPExchange
import KitEnvironment
public import PaymentModels
import PaymentStore
import ProviderInterface

/// What becomes of a webhook delivery, and so what is answered.
public enum WebhookReceipt: Hashable, Sendable {
  /// On disk; answer 200 with an empty body.
  case stored
  /// A question about the endpoint alone; answer 200 with this JSON.
  case handshake(answer: [UInt8])
  /// Longer than a delivery that nobody signs may be; answer 413.
  case tooLarge
  /// Nobody signs it, it names nothing that we know, and there is no more room for such; answer
  /// 503, so that it comes again.
  case full
  /// Not from the provider; answer 401.
  case unauthentic
  /// Cannot be read; answer 400.
  case malformed
  /// No such provider is configured; answer 404.
  case unknownProvider
}

extension StatusSync {
  /// Checks a delivery and stores it; it is worked on after the answer.
  ///
  /// The same bytes as a delivery that waits are merged with it. It causes a read in any case; its
  /// body may count as proof beside that.
  ///
  /// - Throws: ``StoreError`` if it could not be stored; answer 503, so that it comes again.
  public func receive(
    _ request: HTTPRequest, at provider: ProviderName
  ) async throws -> WebhookReceipt {
    let accounts = providers.filter { $0.name == provider }
    guard !accounts.isEmpty else { return .unknownProvider }
    var receipt = WebhookReceipt.unauthentic
    for account in accounts {
      if let refusal = refusal(of: request, at: account) {
        receipt = refusal
        continue
      }
      switch account.inspectWebhook(request) {
      case .unauthentic(let reason):
        environment.log(
          .warning, "a webhook was refused", ("provider", provider.rawValue), ("reason", reason))
      case .malformed(let reason):
        environment.log(
          .warning, "a webhook could not be read", ("provider", provider.rawValue),
          ("reason", reason))
        receipt = .malformed
      case .handshake(let answer):
        environment.log(
          .info, "a webhook endpoint was validated", ("provider", provider.rawValue),
          ("account", account.account.rawValue))
        return .handshake(answer: answer)
      case .notice(let notice):
        let row = row(of: request, at: account, notice)
        environment.log(
          .info, "webhook stored", ("provider", provider.rawValue),
          ("account", account.account.rawValue), ("payment_id", row.paymentText),
          ("matched_secret", notice.matchedSecret.map { "\($0)" } ?? "none"))
        return try await keep(row) == nil ? .full : .stored
      }
    }
    return receipt
  }

  /// A delivery as it is stored.
  func row(
    of request: HTTPRequest, at account: any PaymentProvider, _ notice: WebhookNotice,
    receivedAt: Instant? = nil
  ) -> WebhookRow {
    var row = WebhookRow(
      id: WebhookID(environment.newUUID()), provider: account.name, account: account.account,
      receivedAt: receivedAt ?? environment.clock.now(), body: request.body,
      bodyHash: hexText(environment.hashing.sha256(request.body)), providerPaymentID: nil,
      paymentReference: nil)
    let names = account.webhookHeaders
    let lines = names.flatMap { name in request.headers.values(name).map { "\(name): \($0)" } }
    row.checkedHeaders = names.isEmpty ? nil : lines.joined(separator: "\n")
    row.note(notice, of: account)
    return row
  }

  /// Stores a delivery, or counts it on the one that it repeats.
  ///
  /// - Returns: its id; nil if there is no room for it.
  func keep(_ new: WebhookRow) async throws -> WebhookID? {
    let isUnknown = new.isUnsigned ? try await isUnknown(new) : false
    let needsRead = isUnknown && new.paymentReference == nil
    guard !needsRead || takeUnknownRead(new.provider) else {
      logFull(new, "as many ids as may be asked for in a minute")
      return nil
    }
    let (environment, unknownMax) = (environment, settings.unknownMax)
    let kept = try await store.write { transaction in
      try Self.keep(
        new, unknownMax: isUnknown ? unknownMax : nil, now: environment.clock.now(), transaction)
    }
    guard let kept else {
      logFull(new, "as many rows as may be kept of those")
      return nil
    }
    if needsRead { unknownReadsTaken.insert(kept.id) }
    if kept.isAlert {
      environment.log(
        .error, "deliveries come that are not for this account",
        ("provider", new.provider.rawValue), ("account", new.account.rawValue),
        ("webhook_id", kept.id.rawValue), ("reason", new.detail ?? ""))
    }
    inboxBell.continuation.yield()
    return kept.id
  }

  private func isUnknown(_ new: WebhookRow) async throws -> Bool {
    try await store.read { try Self.payment(of: new, $0) == nil }
  }

  private func logFull(_ new: WebhookRow, _ reason: String) {
    environment.log(
      .warning, "a webhook that names nothing known was put off",
      ("provider", new.provider.rawValue), ("reason", reason))
  }

  /// - Parameter unknownMax: rows that may wait of those that nobody signs and that name nothing
  ///   known; nil if it is none of them.
  private static func keep(
    _ new: WebhookRow, unknownMax: Int?, now: Instant, _ transaction: any PaymentTransaction
  ) throws -> (id: WebhookID, isAlert: Bool)? {
    if var twin = try twin(of: new, transaction) {
      twin.deliveries += 1
      twin.repeated(by: new, at: now)
      try transaction.updateWebhook(twin)
      return (twin.id, false)
    }
    if let unknownMax {
      // Those that wait for their first look are as many rows on the disk.
      let kept = try [WebhookRow.State.unmatched, .received].reduce(0) {
        try $0 + transaction.webhookCount(in: $1, at: new.provider)
      }
      guard kept < unknownMax else { return nil }
    }
    let isAlert = try new.state == .rejected && isFirstRejection(new, now, transaction)
    // One that names nothing we know is told by its own row, of which only so many are kept.
    if new.state == .received, let payment = try payment(of: new, transaction) {
      try transaction.appendJournal(
        JournalEntry(
          at: now, orderID: payment.orderID, paymentID: payment.id, channel: .webhook,
          trust: .notification, event: "webhook", note: new.topic, webhookID: new.id))
    }
    // Last, where a store writes it at the least cost.
    try transaction.insertWebhook(new)
    return (new.id, isAlert)
  }

  /// The row of the same event, or of the same bytes if that one waits.
  private static func twin(
    of new: WebhookRow, _ transaction: any PaymentTransaction
  ) throws -> WebhookRow? {
    #if FaultInjection
      if SeededFault.active == .skipsDedupe { return nil }
    #endif
    let known = try new.eventID.flatMap {
      try transaction.webhook(new.provider, new.account, eventID: $0)
    }
    return try known ?? transaction.openWebhook(new.provider, bodyHash: new.bodyHash)
  }

  /// Whether nobody was told today that the account gets what is not for it.
  private static func isFirstRejection(
    _ new: WebhookRow, _ now: Instant, _ transaction: any PaymentTransaction
  ) throws -> Bool {
    try transaction.webhooks(in: .rejected, at: new.provider, before: nil, limit: rejectedLook)
      .allSatisfy { $0.account != new.account || now.since($0.receivedAt) >= ReadPlan.day }
  }

  /// Enough to find one of each of a provider's accounts.
  private static let rejectedLook = 100

  static func payment(
    of webhook: WebhookRow, _ transaction: any PaymentTransaction
  ) throws -> PaymentRow? {
    let payment =
      try webhook.providerPaymentID.flatMap { try transaction.payment(webhook.provider, $0) }
      ?? webhook.paymentReference.flatMap { try transaction.payment($0) }
    return payment?.provider == webhook.provider ? payment : nil
  }
}
