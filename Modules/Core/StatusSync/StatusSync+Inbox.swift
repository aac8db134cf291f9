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
        environment.log(
          .info, "webhook stored", ("provider", provider.rawValue),
          ("account", account.account.rawValue),
          ("matched_secret", notice.matchedSecret.map { "\($0)" } ?? "none"))
        try await keep(request, of: account, notice)
        return .stored
      }
    }
    return receipt
  }

  private func keep(
    _ request: HTTPRequest, of account: any PaymentProvider, _ notice: WebhookNotice
  ) async throws {
    let environment = environment
    let hash = hexText(environment.hashing.sha256(request.body))
    let provider = account.name
    var row = WebhookRow(
      id: WebhookID(environment.newUUID()), provider: provider, account: account.account,
      receivedAt: environment.clock.now(), body: request.body, bodyHash: hash,
      providerPaymentID: notice.providerPaymentID,
      paymentReference: notice.paymentReference.flatMap {
        isCanonicalUUID($0) ? PaymentID($0) : nil
      })
    // Anybody may write what they like into a delivery that is not signed, so all that it is known
    // by is the payment that it names: else each would be a row of its own, for ever.
    let isSigned = notice.matchedSecret != nil
    row.eventID = isSigned ? notice.eventID : notice.providerPaymentID?.rawValue
    row.topic = notice.topic
    row.isProof = notice.isProof
    if notice.isIgnored {
      row.state = .processed
      row.detail = "of a kind that concerns no payment"
      row.nextTryAt = nil
    }
    let new = row
    try await store.write { transaction in
      let now = environment.clock.now()
      let known = try new.eventID.flatMap {
        try transaction.webhook(provider, new.account, eventID: $0)
      }
      if var twin = try known ?? transaction.openWebhook(provider, bodyHash: hash) {
        twin.deliveries += 1
        // Said again: worth another look, also if nothing matched before; but an event that the
        // provider itself calls the same, and that is done, is no news.
        if twin.state != .processed || !isSigned {
          twin.tries = [.parked, .processed].contains(twin.state) ? 0 : twin.tries
          twin.state = .received
          twin.nextTryAt = now
        }
        try transaction.updateWebhook(twin)
        return
      }
      try transaction.insertWebhook(new)
      guard new.state == .received else { return }
      let named = try new.providerPaymentID.flatMap { try transaction.payment(provider, $0) }
      let payment = try named ?? new.paymentReference.flatMap { try transaction.payment($0) }
      // One that names nothing we know is told by its own row, of which only so many are kept.
      guard let payment else { return }
      try transaction.appendJournal(
        JournalEntry(
          at: now, orderID: payment.orderID, paymentID: payment.id, channel: .webhook,
          trust: .notification, event: "webhook", note: new.topic))
    }
    inboxBell.continuation.yield()
  }

  /// Works on stored deliveries: at once when one arrived, and every tick for those whose turn
  /// has come again or that another process stored.
  func runInbox() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        while (try? await self.environment.clock.sleep(for: self.settings.tick)) != nil {
          self.inboxBell.continuation.yield()
        }
      }
      var active = 0
      for await _ in inboxBell.stream {
        for webhook in await dueWebhooks() {
          if active == settings.webhooksMax {
            await group.next()
            active -= 1
          }
          active += 1
          busyWebhooks.insert(webhook.id)
          group.addTask { await self.process(webhook) }
        }
      }
      group.cancelAll()
    }
  }

  /// Due deliveries that nobody works on.
  private func dueWebhooks() async -> [WebhookRow] {
    let now = environment.clock.now()
    let limit = settings.batchMax + busyWebhooks.count
    do {
      let due = try await store.read { try $0.webhooksDue(at: now, limit: limit) }
      return due.filter { !busyWebhooks.contains($0.id) }
    } catch {
      environment.log(.warning, "webhooks could not be listed", ("error", "\(error)"))
      return []
    }
  }

  private func process(_ webhook: WebhookRow) async {
    environment.reached(.eventCommitted)
    let unmatchedMax = settings.unmatchedMax
    defer { busyWebhooks.remove(webhook.id) }
    do {
      guard let webhook = try await withReference(webhook) else { return }
      // Looked up and noted in one step, so that no row appears in between.
      let payment = try await store.write { transaction -> PaymentRow? in
        if let payment = try Self.payment(of: webhook, transaction) { return payment }
        guard var row = try transaction.webhook(webhook.id) else { return nil }
        row.state = .unmatched
        row.nextTryAt = nil
        try transaction.updateWebhook(row)
        try transaction.removeUnmatchedWebhooks(keeping: unmatchedMax)
        return nil
      }
      guard let payment else { return }
      let isFresh = await refresh(payment, candidate: webhook.providerPaymentID) == .fresh
      switch try await applyBody(of: webhook, to: payment.id, isFresh: isFresh) {
      case .applied:
        try await finish(webhook, as: .processed, detail: isFresh ? nil : "proven by its body")
      case .notProof where isFresh: try await finish(webhook, as: .processed, detail: nil)
      case .notProof: try await retry(webhook, "the provider could not be read")
      case .tooEarly: try await retry(webhook, "no read showed the payment as paid")
      }
    } catch {
      environment.log(
        .warning, "a webhook could not be worked on", ("webhook_id", webhook.id.rawValue),
        ("error", "\(error)"))
    }
  }

  static func payment(
    of webhook: WebhookRow, _ transaction: any PaymentTransaction
  ) throws -> PaymentRow? {
    let payment =
      try webhook.providerPaymentID.flatMap { try transaction.payment(webhook.provider, $0) }
      ?? webhook.paymentReference.flatMap { try transaction.payment($0) }
    return payment?.provider == webhook.provider ? payment : nil
  }

  private func finish(
    _ webhook: WebhookRow, as state: WebhookRow.State, detail: String?
  ) async throws {
    let now = environment.clock.now()
    try await store.write { transaction in
      guard var row = try transaction.webhook(webhook.id) else { return }
      row.detail = detail
      // Said again meanwhile: the read may have begun before what that one tells of.
      let isOver = row.deliveries == webhook.deliveries
      row.state = isOver ? state : .received
      row.tries = isOver ? row.tries : 0
      row.nextTryAt = isOver ? nil : now
      try transaction.updateWebhook(row)
    }
  }

  func retry(_ webhook: WebhookRow, _ reason: String) async throws {
    let tries = webhook.tries + 1
    guard tries < (webhook.isProof ? settings.proofTriesMax : settings.webhookTriesMax) else {
      environment.log(
        .error, "a webhook was parked after its last try", ("webhook_id", webhook.id.rawValue))
      try await finish(webhook, as: .parked, detail: reason)
      return
    }
    let wait = settings.backoff.delay(afterAttempt: tries, random: environment.random)
    let due = environment.clock.now() + wait
    try await store.write { transaction in
      guard var row = try transaction.webhook(webhook.id) else { return }
      row.tries = tries
      row.nextTryAt = due
      try transaction.updateWebhook(row)
    }
  }
}
