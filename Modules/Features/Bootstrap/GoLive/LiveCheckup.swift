import HTTPExchange
import KitEnvironment
import MerchantCommands
import PaymentModels
import PaymentStore
import ProviderInterface
import SQLitePaymentStore

/// Goes through what must be so before real money moves. It changes nothing: each call is a read.
///
/// What a call cannot show is asked of the person, with the words of the provider's own checklist;
/// Docs/GoLive has the same lines with their sources.
struct LiveCheckup: Sendable {
  let configuration: ServerConfiguration
  let transport: any HTTPTransport
  let environment: KitEnvironment
  /// Where providers and payers reach the server; nil if nobody said.
  let publicURL: String?

  func checks() async -> [LiveCheck] {
    let accounts = configuration.providers(transport: transport, environment: environment)
    let evidence = LiveEvidence(database: configuration.database)
    let path = PublicPath(base: publicURL, transport: transport)
    var checks = await serverChecks(accounts, path)
    for account in accounts {
      let checkup = AccountCheckup(
        account: account, evidence: evidence.of(account), path: path,
        catalogue: configuration.catalogue, madeUpID: environment.newUUID())
      checks += await (account as? any LiveChecked)?.liveChecks(checkup) ?? []
    }
    return checks
  }
}

/// A provider with a list of its own of what must be so before it takes real money.
protocol LiveChecked: PaymentProvider {
  /// The lines of its list, as Docs/GoLive has them.
  func liveChecks(_ checkup: AccountCheckup) async -> [LiveCheck]
}

/// What the store has seen of an account: the only proof of the ways that no call of ours takes.
struct LiveEvidence: Sendable {
  /// Rows that are looked through for those of one account.
  private static let newestMax = 200

  struct OfAccount: Sendable {
    /// A payment that can be read harmlessly.
    var payment: ProviderPaymentID?
    /// When the newest payment was paid with exactly the amount of its order.
    var paidAt: Instant?
    /// Whether one was paid with another amount, or in another currency.
    var paidOtherwise = false
    /// Whether money went back, and was seen to.
    var wentBack = false
    /// When the newest delivery came that is the provider's.
    var deliveredAt: Instant?
  }

  let database: String

  /// Looks through the newest rows of the account's provider. A store that cannot be read has seen
  /// nothing.
  func of(_ account: any PaymentProvider) -> OfAccount {
    let read = try? StoreExamination.read(database) { transaction in
      var found = OfAccount()
      let rows = try transaction.payments(
        matching: PaymentFilter(provider: account.name), before: nil, limit: Self.newestMax)
      for row in rows where row.account == account.account && row.mode == account.mode {
        if found.payment == nil { found.payment = row.providerPaymentID }
        guard row.status == .captured else { continue }
        let items = try transaction.items(of: row.id)
        let captured = items.filter { $0.kind == .capture }
        let sum = captured.reduce(Money?.some(.zero(row.amount.currency))) { sum, item in
          sum.flatMap { $0.adding(item.amount) }
        }
        if sum == row.amount {
          found.paidAt = found.paidAt ?? row.schedule.lastProofAt
        } else if !captured.isEmpty {
          found.paidOtherwise = true
        }
        if items.contains(where: { $0.kind == .refund }) { found.wentBack = true }
      }
      let deliveries = try transaction.webhooks(
        in: nil, at: account.name, before: nil, limit: Self.newestMax)
      found.deliveredAt =
        deliveries.first {
          // Anybody can write one that is not signed; that it names a payment of ours tells.
          $0.account == account.account && $0.state != .rejected
            && (!$0.isUnsigned || $0.state == .processed)
        }?.receivedAt
      return found
    }
    return read ?? OfAccount()
  }
}
