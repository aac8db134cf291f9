import MerchantCommands
import PaymentModels
import PaymentStore
import ProviderInterface
import SQLitePaymentStore
import TabbyProvider

extension Doctor {
  /// Accounts that payments were made through and that the settings do not name any more: nobody
  /// reads those payments, and webhooks about them are parked.
  func removedAccountChecks() -> [DoctorCheck] {
    let configured = configuration.accountKeys
    let farthest = Instant(milliseconds: .max)
    let removed = try? StoreExamination.read(configuration.database) { transaction in
      try transaction.paymentAccounts().filter { !configured.contains($0) }.map { account in
        (
          account: account,
          open: try transaction.paymentsDue(of: account, isLive: true, at: farthest, limit: 1),
          looked: try transaction.paymentsDue(of: account, isLive: false, at: farthest, limit: 1)
        )
      }
    }
    return (removed ?? []).map { found in
      let name = "\(found.account.provider) \(found.account.account)"
      let gone = "payments were made through it, and the settings do not name it"
      let advice =
        "put it back with its keys, also if it is to take no new checkouts: "
        + "till provider pause"
      if !found.open.isEmpty {
        return DoctorCheck(
          name, .fail, "\(gone); the end of some is open, and nobody reads them", advice: advice)
      }
      guard found.looked.isEmpty else {
        return DoctorCheck(
          name, .warn, "\(gone); a refund or dispute of them would not be seen", advice: advice)
      }
      return DoctorCheck(name, .ok, "\(gone); all of them have long come to their end")
    }
  }

  /// Accounts at Tabby that share a secret key: with the same merchant code they are one account
  /// there, and with several they share what Tabby grants the key.
  func sharedKeyChecks(_ accounts: [any PaymentProvider]) -> [DoctorCheck] {
    let all = configuration.tabby
    return all.indices.flatMap { second in
      all[..<second].filter { $0.secretKey == all[second].secretKey }.map { first in
        shared(first, all[second], accounts)
      }
    }
  }

  private func shared(
    _ first: TabbyConfiguration, _ second: TabbyConfiguration, _ accounts: [any PaymentProvider]
  ) -> DoctorCheck {
    let name = "tabby \(first.account), \(second.account)"
    guard first.merchantCode != second.merchantCode else {
      return DoctorCheck(
        name, .fail, "one key and one merchant code: they are one account at Tabby",
        advice: "remove one of them, or give it the merchant code that is its own")
    }
    let keys = [first, second].map { AccountKey(.tabby, $0.account) }
    let granted = keys.compactMap {
      accounts.account(of: $0.provider, $0.account)?.capabilities.readsPerMinute
    }.min()
    let taken = keys.reduce(0) { $0 + (configuration.readsPerMinute[$1] ?? granted ?? 0) }
    guard let granted, taken > granted else {
      return DoctorCheck(name, .ok, "one key with two merchant codes")
    }
    return DoctorCheck(
      name, .warn,
      "one key, and what Tabby grants a key: together they may read \(taken) times a "
        + "minute, and \(granted) are granted",
      advice: "share it out by reads_per_minute in account_rules")
  }
}
