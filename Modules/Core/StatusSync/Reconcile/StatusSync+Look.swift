import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface

/// Reads that change nothing.
extension StatusSync {
  enum Look {
    /// The provider answered.
    case compared(PaymentComparison)
    /// It did not, or not usably; `isShut` if the account takes no calls now.
    case notRead(reason: String, isShut: Bool)
  }

  /// Asks the provider about a payment, alone in that as every read is, and compares its answer
  /// with the row that was there before and after.
  func look(at payment: PaymentRow) async throws -> Look {
    let id = payment.id
    let account = AccountKey(payment.provider, payment.account)
    guard try await awaitRead(.slow, of: account) else {
      return .notRead(reason: "its account's reads of this minute are used up", isShut: true)
    }
    for _ in 0..<Self.overtakenMax {
      guard let claim = try await claimPatiently(id) else {
        return .notRead(reason: "another read of it is under way", isShut: false)
      }
      guard let provider = provider(of: claim.payment) else {
        await giveBack(id)
        return .notRead(reason: "its account is not configured here", isShut: false)
      }
      let answers = await answers(claim, [], at: provider)
      await giveBack(id)
      let entry = try await store.read { transaction -> BookEntry? in
        guard let row = try transaction.payment(id) else { return nil }
        return try BookEntry(row, transaction)
      }
      guard let entry, entry.payment.version == claim.payment.version else { continue }
      if let failure = answers.failure, failure.kind != .notFound || !answers.readings.isEmpty {
        return .notRead(
          reason: failure.description,
          isShut: failure.kind == .throttled || failure.kind == .unauthorized)
      }
      return compared(entry, answers.readings, at: provider)
    }
    return .notRead(reason: "it changed at every try", isShut: false)
  }

  private func compared(
    _ entry: BookEntry, _ readings: [PaymentReading], at provider: any PaymentProvider
  ) -> Look {
    let readings = readings.map { settings.policy.completed($0, of: entry.payment) }
    if readings.contains(where: { $0.status.holdsMoney && $0.amount == nil }) {
      return .notRead(reason: "no amount in the answer", isShut: false)
    }
    guard readings.flatMap(\.items).isCountable else {
      return .notRead(
        reason: "its movements are too many or too large to be added up", isShut: false)
    }
    return .compared(
      PaymentComparison(
        book: entry, readings: readings, capabilities: provider.capabilities,
        now: environment.clock.now(), settings: settings.reconcile,
        lapseAfter: settings.lapseAfter))
  }

  /// Takes the payment's lease once it is free; nil if it is not within some seconds.
  private func claimPatiently(_ id: PaymentID) async throws -> Claim? {
    for attempt in 1...settings.reconcile.leaseTriesMax {
      try await awaitGap(id)
      if let claim = try await claim(id) { return claim }
      if attempt < settings.reconcile.leaseTriesMax {
        try await environment.clock.sleep(for: .seconds(1))
      }
    }
    return nil
  }
}
