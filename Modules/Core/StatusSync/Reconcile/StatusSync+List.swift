import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface

/// Payments that the provider lists and the book does not know.
extension StatusSync {
  /// The first list from this account on; nil if none of them has one.
  func nextList(from index: Int) -> ReconcileCursor? {
    providers.indices.dropFirst(index).first { providers[$0].capabilities.listing != .none }
      .map { .list(account: $0, cursor: nil) }
  }

  func compareList(
    _ request: ReconcileRequest, of index: Int, _ cursor: String?
  ) async throws -> ReconcilePage {
    var page = ReconcilePage()
    page.next = nextList(from: index + 1)
    let account = providers[index]
    guard let lister = account as? any PaymentListing else { throw ReconcileError.cursor }
    let key = AccountKey(account.name, account.account)
    let list: PaymentPage
    do throws(ProviderError) {
      list = try await lister.payments(since: request.since, cursor: cursor)
    } catch {
      page.notRead.append(notRead(key, "its list: \(error)"))
      return page
    }
    if list.unreadableCount > 0 {
      page.notRead.append(notRead(key, "\(list.unreadableCount) payments of its list"))
    }
    if let next = list.next { page.next = .list(account: index, cursor: next) }
    for reading in list.readings {
      if let finding = try await orphan(reading, at: key, request) { page.findings.append(finding) }
    }
    return page
  }

  private func notRead(_ key: AccountKey, _ reason: String) -> ReconcilePage.NotRead {
    ReconcilePage.NotRead(
      provider: key.provider, account: key.account, paymentID: nil, reason: reason)
  }

  /// A listed payment that no row knows. One that bears our reference was made by a create whose
  /// answer was lost: a read of the payment adopts it. All others are a person's.
  private func orphan(
    _ reading: PaymentReading, at key: AccountKey, _ request: ReconcileRequest
  ) async throws -> ReconcilePage.Finding? {
    let reference = reading.paymentReference.flatMap {
      isCanonicalUUID($0) ? PaymentID($0) : nil
    }
    let (known, named) = try await store.read { transaction in
      (
        try transaction.payment(key.provider, reading.providerPaymentID),
        try reference.flatMap { try transaction.payment($0) }
      )
    }
    guard known == nil else { return nil }
    let own = named.flatMap {
      $0.provider == key.provider && $0.account == key.account ? $0 : nil
    }
    let difference = Difference(
      orphan: reading, of: key, by: own == nil ? .person : .read)
    guard request.applies, let own else {
      return ReconcilePage.Finding(difference: difference, isSettled: false)
    }
    _ = await refresh(own, candidate: reading.providerPaymentID, because: .reconcile)
    let isKnown = try await store.read {
      try $0.payment(key.provider, reading.providerPaymentID) != nil
    }
    return ReconcilePage.Finding(difference: difference, isSettled: isKnown)
  }
}
