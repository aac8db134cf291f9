public import PaymentModels
import PaymentStore

/// Which way the first proof of an outcome reached us, and how late.
public struct LearnedOutcome: Hashable, Sendable {
  /// At which provider.
  public var provider: ProviderName
  /// Through which account.
  public var account: ProviderAccount
  /// `authorized`, `captured`, `rejected`, `expired`, `cancelled`, `refund` or `chargeback`.
  public var outcome: String
  /// Which way.
  public var channel: Channel
  /// How long after the time that the provider names; nil where it names none.
  public var late: Duration?
}

extension LearnedOutcome {
  /// What was learned about a payment since a moment, in the order of learning.
  ///
  /// - Parameters:
  ///   - journal: all lines about the payment, oldest first.
  ///   - items: its movements, which bear the provider's times.
  static func all(
    of payment: PaymentRow, _ journal: [JournalEntry], _ items: [PaymentItem], since: Instant
  ) -> [LearnedOutcome] {
    var found: [LearnedOutcome] = []
    var seen: Set<String> = []
    func add(_ outcome: String, _ entry: JournalEntry, _ happened: Instant?) {
      guard entry.at >= since else { return }
      found.append(
        LearnedOutcome(
          provider: payment.provider, account: payment.account, outcome: outcome,
          channel: entry.channel, late: happened.map { max(.zero, entry.at.since($0)) }))
    }
    let proofs = journal.filter { $0.paymentID == payment.id && $0.trust == .proof }
    let taken = items.filter { $0.kind == .capture }.compactMap(\.createdAt).min()
    for entry in proofs where entry.event != "order" {
      guard let state = entry.newState, seen.insert(state).inserted else { continue }
      add(state, entry, state == "captured" ? taken : nil)
    }
    for item in items where item.kind != .capture {
      // The provider's clock may be a little ahead of ours.
      guard let happened = item.createdAt,
        let entry = proofs.first(where: {
          $0.at >= happened - .seconds(5) && $0.bringsItems
        })
      else { continue }
      add(item.kind.rawValue, entry, happened)
    }
    return found
  }
}

extension JournalEntry {
  /// The state that a payment came to, of `created → captured, 42.50 AED captured in all`.
  fileprivate var newState: String? {
    guard let first = change?.split(separator: ",").first(where: { $0.contains("→") }),
      let word = first.split(separator: " ").last
    else { return nil }
    let outcomes = ["authorized", "captured", "rejected", "expired", "cancelled"]
    return outcomes.first { $0 == word }
  }

  fileprivate var bringsItems: Bool { change.map(PaymentItem.areTold) ?? false }
}
