import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface

/// Unsigned deliveries that name an id of the provider's alone, which no row knows.
extension StatusSync {
  /// The delivery with our reference, asked of the provider where the delivery itself cannot tell
  /// which payment it is about. The id is not adopted here: the read of the payment does that.
  ///
  /// - Returns: nil if the provider could not be asked; the delivery is tried again later.
  func withReference(_ webhook: WebhookRow) async throws -> WebhookRow? {
    guard webhook.paymentReference == nil, let id = webhook.providerPaymentID,
      let account = providers.account(of: webhook.provider, webhook.account),
      account.capabilities.webhook == .unsigned,
      try await store.read({ try Self.payment(of: webhook, $0) }) == nil
    else { return webhook }
    guard unknownReadsTaken.remove(webhook.id) != nil || takeUnknownRead(webhook.provider) else {
      // Stored before a restart, tried again, or put back by a person: another minute has room.
      try await putOff(webhook)
      return nil
    }
    addReads(1, of: AccountKey(account.name, account.account))
    let reading: PaymentReading
    do throws(ProviderError) {
      reading = try await account.read(id)
    } catch {
      guard error.kind == .notFound || error.kind == .refused else {
        try await retry(webhook, "the provider could not be read")
        return nil
      }
      return webhook
    }
    guard let reference = reading.paymentReference, isCanonicalUUID(reference) else {
      return webhook
    }
    return try await store.write { transaction in
      guard var row = try transaction.webhook(webhook.id) else { return nil }
      row.paymentReference = PaymentID(reference)
      try transaction.updateWebhook(row)
      return row
    }
  }

  /// Has a delivery wait for the next minute. That is no try: it was not worked on.
  private func putOff(_ webhook: WebhookRow) async throws {
    let due = environment.clock.now() + Self.unknownReadWindow
    try await store.write { transaction in
      guard var row = try transaction.webhook(webhook.id) else { return }
      row.nextTryAt = due
      try transaction.updateWebhook(row)
    }
  }

  /// Whether one more such read is allowed, so that no minute has more than so many.
  func takeUnknownRead(_ provider: ProviderName) -> Bool {
    let uptime = environment.clock.uptime()
    let recent = (unknownReads[provider] ?? []).filter {
      uptime - $0 < Self.unknownReadWindow
    }
    guard recent.count < settings.unknownReadsMax else { return false }
    unknownReads[provider] = recent + [uptime]
    return true
  }

  private static let unknownReadWindow: Duration = .seconds(60)
}
