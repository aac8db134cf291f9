import HTTPExchange
import KitEnvironment
import MerchantCommands
import PaymentModels
import PaymentStore
import ProviderInterface
import SQLitePaymentStore

extension Doctor {
  /// Payments that are looked through for one of an account.
  private static let newestMax = 200

  /// Each account: whether its keys are taken, its webhook is registered and its clock is ours.
  func providerChecks(readsStore: Bool) async -> [DoctorCheck] {
    let dates = DateKeeper(transport, clock: environment.clock)
    let accounts = configuration.providers(transport: dates, environment: environment)
    let shared = accountChecks(accounts)
    guard asksProviders else {
      return shared
        + accounts.map {
          DoctorCheck(Self.name($0), .skipped, "not asked, as --offline says")
        }
    }
    let newest = readsStore ? newestPayments() : [:]
    var checks = shared
    for account in accounts {
      let key = AccountKey(account.name, account.account)
      if let registering = account as? any WebhookRegistering {
        checks.append(await webhookCheck(registering))
      } else if let id = newest[key] {
        checks.append(await readCheck(account, id))
      } else {
        checks.append(
          DoctorCheck(
            Self.name(account), .skipped, "it has no payment yet that could be read harmlessly"))
      }
    }
    return checks + [skewCheck(dates.skews)]
  }

  private static func name(_ account: any PaymentProvider) -> String {
    "\(account.name) \(account.account)"
  }

  /// The newest payment of each account that has one among the newest of all.
  private func newestPayments() -> [AccountKey: ProviderPaymentID] {
    let rows = try? StoreExamination.read(configuration.database) {
      try $0.payments(before: nil, limit: Self.newestMax)
    }
    var newest: [AccountKey: ProviderPaymentID] = [:]
    for row in rows ?? [] {
      let key = AccountKey(row.provider, row.account)
      if newest[key] == nil { newest[key] = row.providerPaymentID }
    }
    return newest
  }

  private func webhookCheck(_ account: any WebhookRegistering) async -> DoctorCheck {
    let name = Self.name(account)
    do {
      let path = "/webhooks/\(account.name)"
      let ours = try await account.webhooks().filter { $0.url.contains(path) }
      let register = "till endpoint register URL --config FILE --account \(account.account)"
      guard let webhook = ours.first(where: \.isCurrent) ?? ours.first else {
        return DoctorCheck(
          name, .fail, "the keys are taken; no webhook leads to \(path)", advice: register)
      }
      guard webhook.isCurrent else {
        return DoctorCheck(
          name, .fail, "the webhook does not carry the first secret of the settings",
          advice: register)
      }
      return DoctorCheck(name, .ok, "the keys are taken; webhooks go to \(webhook.url)")
    } catch {
      return failed(name, error)
    }
  }

  private func readCheck(
    _ account: any PaymentProvider, _ id: ProviderPaymentID
  ) async -> DoctorCheck {
    let name = Self.name(account)
    do {
      _ = try await account.read(id)
      return DoctorCheck(name, .ok, "the keys are taken; it answers")
    } catch {
      if error.kind == .notFound { return DoctorCheck(name, .ok, "the keys are taken") }
      return failed(name, error)
    }
  }

  private func failed(_ name: String, _ error: ProviderError) -> DoctorCheck {
    if error.kind == .unauthorized {
      return DoctorCheck(
        name, .fail, "\(error)", advice: "compare the account's keys with the provider's panel")
    }
    return DoctorCheck(
      name, .warn, "\(error)", advice: "try again; if it stays, look at the provider's status page")
  }

  private func skewCheck(_ skews: [(host: String, skew: Duration)]) -> DoctorCheck {
    guard let worst = skews.max(by: { $0.skew.magnitude < $1.skew.magnitude }) else {
      return DoctorCheck("clock", .skipped, "no provider told its time")
    }
    let fact = "\(worst.skew.components.seconds) s from that of \(worst.host)"
    guard worst.skew.magnitude > Self.skewWarn else { return DoctorCheck("clock", .ok, fact) }
    return DoctorCheck(
      "clock", worst.skew.magnitude > Self.skewFail ? .fail : .warn, fact,
      advice: "set this machine's clock by NTP; signatures bear times")
  }
}

extension Duration {
  fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
