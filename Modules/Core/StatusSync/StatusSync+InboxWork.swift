import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface

extension StatusSync {
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
        environment.beat(.inbox)
        for webhook in await takeWebhooks() {
          if active == settings.webhooksMax {
            await group.next()
            active -= 1
          }
          active += 1
          busyWebhooks[webhook.id] = AccountKey(webhook.provider, webhook.account)
          group.addTask { await self.process(webhook) }
        }
      }
      group.cancelAll()
    }
  }

  /// Takes due deliveries that nobody works on, of each account its share: one whose provider does
  /// not answer keeps no other waiting.
  private func takeWebhooks() async -> [WebhookRow] {
    guard environment.clock.uptime() >= inboxPause else { return [] }
    let share = max(1, settings.webhooksMax / max(1, providers.count))
    let rooms = providers.compactMap { provider -> InboxRoom? in
      let account = AccountKey(provider.name, provider.account)
      let busy = Set(busyWebhooks.filter { $0.value == account }.keys)
      let room = min(settings.batchMax, share - busy.count)
      return room > 0 ? InboxRoom(account: account, limit: room, busy: busy) : nil
    }
    do {
      let found = try await take(rooms)
      _ = inboxPace.wait(isRefused: false, random: environment.random)
      return found
    } catch {
      environment.log(.warning, "webhooks could not be taken", ("error", "\(error)"))
      inboxPause =
        environment.clock.uptime() + inboxPace.wait(isRefused: true, random: environment.random)
      return []
    }
  }

  /// How many more deliveries of an account may be worked on, beside those that are.
  private struct InboxRoom {
    let account: AccountKey
    let limit: Int
    let busy: Set<WebhookID>

    func due(at now: Instant, _ transaction: any PaymentTransaction) throws -> [WebhookRow] {
      try transaction.webhooksDue(of: account, at: now, limit: limit + busy.count)
        .filter { !busy.contains($0.id) }.prefix(limit).map(\.self)
    }
  }

  /// Takes due deliveries: each is put off by a lease in the same step, so that no other process
  /// works on it meanwhile; after a kill it comes again when that time is over.
  private func take(_ rooms: [InboxRoom]) async throws -> [WebhookRow] {
    let (clock, lease) = (environment.clock, settings.lease)
    // Most looks find nothing: no write for those.
    let wanted = try await store.read { transaction in
      try rooms.filter { try !$0.due(at: clock.now(), transaction).isEmpty }
    }
    guard !wanted.isEmpty else { return [] }
    return try await store.write { transaction in
      try wanted.flatMap { try $0.due(at: clock.now(), transaction) }.map { found in
        var webhook = found
        webhook.nextTryAt = clock.now() + lease
        try transaction.updateWebhook(webhook)
        return webhook
      }
    }
  }

  func process(_ webhook: WebhookRow) async {
    environment.reached(.eventCommitted)
    defer { busyWebhooks[webhook.id] = nil }
    do {
      try await work(on: webhook)
    } catch {
      environment.log(
        .warning, "a webhook could not be worked on", ("webhook_id", webhook.id.rawValue),
        ("payment_id", webhook.paymentText), ("error", "\(error)"))
      await countFault(of: webhook, error)
    }
  }

  /// Counts a try that a rule of the store ended: the same will happen again. Troubles of the file
  /// pass, and say nothing of the delivery.
  private func countFault(of webhook: WebhookRow, _ error: any Error) async {
    switch (error as? StoreError)?.kind {
    case .busy, .full, .readOnly, .unusable: return
    case .duplicate, .stale, .missing, .constraint, nil: break
    }
    do {
      try await retry(webhook, "it cannot be applied: \(error)")
    } catch {
      environment.log(
        .warning, "a webhook's try could not be counted", ("webhook_id", webhook.id.rawValue),
        ("payment_id", webhook.paymentText))
    }
  }

  private func work(on webhook: WebhookRow) async throws {
    guard let webhook = try await withReference(webhook) else { return }
    let keeping = webhook.isUnsigned ? settings.unknownMax : settings.unmatchedMax
    // Looked up and noted in one step, so that no row appears in between.
    let payment = try await store.write { transaction -> PaymentRow? in
      if let payment = try Self.payment(of: webhook, transaction) { return payment }
      guard var row = try transaction.webhook(webhook.id) else { return nil }
      row.state = .unmatched
      row.nextTryAt = nil
      try transaction.updateWebhook(row)
      try transaction.removeWebhooks(
        row.provider, in: .unmatched, keeping: keeping, limit: Self.removalsMax)
      return nil
    }
    guard let payment else { return }
    let isFresh = await refresh(payment, candidate: webhook.providerPaymentID) == .fresh
    switch try await applyBody(of: webhook, to: payment.id, isFresh: isFresh) {
    case .applied:
      try await finish(webhook, as: .processed, detail: isFresh ? nil : "proven by its body")
    case .notNeeded where isFresh: try await finish(webhook, as: .processed, detail: nil)
    case .noProof(let reason) where isFresh:
      try await finish(
        webhook, as: .processed, detail: "its body proves nothing: \(reason)", isConcluded: false)
    case .notNeeded, .noProof: try await retry(webhook, "the provider could not be read")
    case .tooEarly: try await retry(webhook, "no read showed the payment as paid")
    }
  }

  /// Rows removed in one step, so that no transaction takes long.
  static let removalsMax = 1_000

  private func finish(
    _ webhook: WebhookRow, as state: WebhookRow.State, detail: String?, isConcluded: Bool = true
  ) async throws {
    let now = environment.clock.now()
    try await store.write { transaction in
      guard var row = try transaction.webhook(webhook.id) else { return }
      guard state != .parked || row.isHeld(as: webhook) else { return }
      row.detail = detail
      row.isConcluded = isConcluded
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
        .error, "a webhook was parked after its last try", ("webhook_id", webhook.id.rawValue),
        ("payment_id", webhook.paymentText))
      try await finish(webhook, as: .parked, detail: reason)
      return
    }
    let wait = settings.backoff.delay(afterAttempt: tries, random: environment.random)
    let due = environment.clock.now() + wait
    try await store.write { transaction in
      guard var row = try transaction.webhook(webhook.id), row.isHeld(as: webhook) else { return }
      row.tries = tries
      row.nextTryAt = due
      try transaction.updateWebhook(row)
    }
  }
}

extension WebhookRow {
  /// Whether nobody has taken it up since it was read so. What failed says nothing once another
  /// process works on it, or it came again.
  fileprivate func isHeld(as taken: WebhookRow) -> Bool {
    state == taken.state && nextTryAt == taken.nextTryAt
  }
}
