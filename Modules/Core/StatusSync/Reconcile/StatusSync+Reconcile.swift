import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface

extension StatusSync {
  /// Compares one page of the local book with what the providers say.
  ///
  /// It reads one payment after the other, with the lease and the gap of every read, and asks an
  /// account that turns calls away no further on this page. Nothing is changed unless the request
  /// applies; then a payment that differs gets a read as any other.
  ///
  /// - Throws: ``PaymentStore/StoreError``; ``ReconcileError`` for a cursor that is not of this
  ///   server.
  public func reconcile(_ request: ReconcileRequest) async throws -> ReconcilePage {
    switch request.cursor {
    case nil:
      var page = try await compareBook(request, before: nil)
      page.paymentCount = try await store.read { try $0.paymentCount() }
      return page
    case .book(let before): return try await compareBook(request, before: before)
    case .list(let account, let cursor):
      guard providers.indices.contains(account) else { throw ReconcileError.cursor }
      return try await compareList(request, of: account, cursor)
    }
  }

  /// What the accounts' answers cannot show, so that no comparison finds it.
  public nonisolated func reconcileLimits() -> [ReconcileLimit] {
    providers.map { ReconcileLimit($0) }
  }

  private func compareBook(
    _ request: ReconcileRequest, before: PaymentID?
  ) async throws -> ReconcilePage {
    let settings = settings.reconcile
    let (now, start) = (environment.clock.now(), environment.clock.uptime())
    let rows = try await store.read { transaction in
      try transaction.payments(before: before, limit: settings.rowsMax).map {
        try BookEntry($0, transaction)
      }
    }
    var page = ReconcilePage()
    var shut: Set<AccountKey> = []
    var reads = 0
    for entry in rows {
      if entry.isWorthReading(since: request.since, now: now) {
        let isLate = environment.clock.uptime() - start > settings.pageTime
        // One at least, so that every page gets on.
        if reads > 0, reads == settings.readsMax || isLate { break }
        reads += 1
        try await compare(entry.payment, request, &shut, &page)
      }
      page.examined += 1
      page.next = .book(before: entry.payment.id)
    }
    if page.examined == rows.count, rows.count < settings.rowsMax { page.next = nextList(from: 0) }
    return page
  }

  private func compare(
    _ payment: PaymentRow, _ request: ReconcileRequest, _ shut: inout Set<AccountKey>,
    _ page: inout ReconcilePage
  ) async throws {
    let key = AccountKey(payment.provider, payment.account)
    func notRead(_ reason: String) {
      page.notRead.append(
        ReconcilePage.NotRead(
          provider: payment.provider, account: payment.account, paymentID: payment.id,
          reason: reason))
    }
    guard !shut.contains(key) else {
      return notRead("its account turned the call before away")
    }
    switch try await look(at: payment) {
    case .notRead(let reason, let isShut):
      notRead(reason)
      if isShut { shut.insert(key) }
    case .compared(let comparison):
      page.add(comparison)
      let found = comparison.differences
      var left = found
      if request.applies, found.contains(where: { $0.settledBy == .read }) {
        if await refresh(payment.id, because: .reconcile) == .notRead {
          notRead("the read that was to settle it brought nothing")
        }
        left = try await differencesLeft(of: comparison)
      }
      page.findings += found.map {
        ReconcilePage.Finding(difference: $0, isSettled: !left.contains($0))
      }
      page.learned += try await learned(payment, since: request.since)
    }
  }

  /// The differences between what was read and the book as it is now. What moved on since names
  /// other values, so kinds are compared.
  private func differencesLeft(of comparison: PaymentComparison) async throws -> [Difference] {
    let entry = try await store.read { transaction -> BookEntry? in
      guard let row = try transaction.payment(comparison.payment.id) else { return nil }
      return try BookEntry(row, transaction)
    }
    guard let entry else { return comparison.differences }
    let left = PaymentComparison(
      book: entry, readings: comparison.readings, capabilities: comparison.capabilities,
      now: comparison.now, settings: comparison.settings, lapseAfter: comparison.lapseAfter
    ).differences
    return comparison.differences.filter { old in
      left.contains { $0.kind == old.kind }
    }
  }

  private func learned(_ payment: PaymentRow, since: Instant) async throws -> [LearnedOutcome] {
    try await store.read { transaction in
      let journal = try transaction.journal(of: payment.orderID, limit: Self.journalMax)
      return LearnedOutcome.all(
        of: payment, journal, try transaction.items(of: payment.id), since: since)
    }
  }

  /// Journal lines that are looked through for when an outcome was learned; a device's stop at half
  /// of that.
  private static let journalMax = 1_000
}

/// Why a comparison was not begun.
public enum ReconcileError: Error, Hashable, Sendable {
  /// The cursor is not of this server.
  case cursor
}
