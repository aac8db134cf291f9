import MerchantCommands
import PaymentModels
import PaymentStore
import ProviderInterface
import SQLitePaymentStore

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

  /// What each provider's accounts are looked at for among themselves.
  func accountChecks(_ accounts: [any PaymentProvider]) -> [DoctorCheck] {
    let all: [[DoctorCheck]] = [
      tabbyKeyChecks(accounts)
    ]
    return all.flatMap { $0 }
  }
}
