import MerchantCommands
import PaymentModels
import ProviderInterface
import TabbyProvider

extension Doctor {
  /// Accounts at Tabby that share a secret key: with the same merchant code they are one account
  /// there, and with several they share what Tabby grants the key.
  func tabbyKeyChecks(_ accounts: [any PaymentProvider]) -> [DoctorCheck] {
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
