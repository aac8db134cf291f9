public import PaymentModels
import PaymentStore

/// Which part of the books one page compares.
public struct ReconcileRequest: Hashable, Sendable {
  /// What happened since then is compared, beside all that is open or may still go back.
  public var since: Instant
  /// Whether a payment that differs is read as any other read does, so that what a read may
  /// settle is settled. Else nothing is changed.
  public var applies: Bool
  /// Where the page begins; nil for the first.
  public var cursor: ReconcileCursor?

  /// Asks for a page.
  public init(since: Instant, applies: Bool, cursor: ReconcileCursor? = nil) {
    self.since = since
    self.applies = applies
    self.cursor = cursor
  }
}

/// Where a page of a comparison begins.
public enum ReconcileCursor: Hashable, Sendable {
  /// In the book, with payments older than this one.
  case book(before: PaymentID)
  /// In the list of the account at this place among the server's, at the provider's own cursor.
  case list(account: Int, cursor: String?)

  /// Reads back what ``description`` wrote; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(
      separator: ":", maxSplits: 2, omittingEmptySubsequences: false
    ).map(String.init)
    switch parts.first {
    case "book" where parts.count == 2 && isCanonicalUUID(parts[1]):
      self = .book(before: PaymentID(parts[1]))
    case "list" where parts.count == 3:
      guard let account = Int(parts[1]), account >= 0 else { return nil }
      self = .list(account: account, cursor: parts[2].isEmpty ? nil : parts[2])
    default: return nil
    }
  }
}

extension ReconcileCursor: CustomStringConvertible {
  /// The text that a caller hands back.
  public var description: String {
    switch self {
    case .book(let before): "book:\(before)"
    case .list(let account, let cursor): "list:\(account):\(cursor ?? "")"
    }
  }
}

/// A part of the comparison of the providers' books with ours.
public struct ReconcilePage: Hashable, Sendable {
  /// A difference, and whether this page settled it.
  public struct Finding: Hashable, Sendable {
    /// What it is.
    public var difference: Difference
    /// Whether an applied read brought the books together.
    public var isSettled: Bool
  }

  /// A payment, or a list, that the provider gave no answer about. It says nothing about where
  /// the payment stands.
  public struct NotRead: Hashable, Sendable {
    /// At which provider.
    public var provider: ProviderName
    /// Through which account.
    public var account: ProviderAccount
    /// Which payment; nil if the account's list could not be read.
    public var paymentID: PaymentID?
    /// Why, without secrets and buyer data.
    public var reason: String
  }

  /// Sums of the payments that were compared, of one account and currency.
  public struct Total: Hashable, Sendable {
    /// At which provider.
    public var provider: ProviderName
    /// Through which account.
    public var account: ProviderAccount
    /// In which currency.
    public var currency: Currency
    /// How many payments.
    public var compared = 0
    /// Captured, as the book and as the provider has it, minor units.
    public var captured = Sides()
    /// Refunded or charged back, minor units.
    public var goneBack = Sides()
  }

  /// One sum on both sides, minor units.
  public struct Sides: Hashable, Sendable {
    /// In the book.
    public var booked: Int64 = 0
    /// At the provider.
    public var told: Int64 = 0
  }

  /// All payments of the book, however many of them are compared.
  public var paymentCount = 0
  /// Payments of the book that were looked at, most of them without a read.
  public var examined = 0
  /// In the order of finding.
  public var findings: [Finding] = []
  /// What could not be read.
  public var notRead: [NotRead] = []
  /// By account and currency, in the order of the server's accounts.
  public var totals: [Total] = []
  /// Which way outcomes were learned.
  public var learned: [LearnedOutcome] = []
  /// Where the next page begins; nil after the last.
  public var next: ReconcileCursor?

  mutating func add(_ comparison: PaymentComparison) {
    let book = comparison.book
    let (payment, currency) = (book.payment, book.payment.amount.currency)
    var index = totals.firstIndex {
      $0.provider == payment.provider && $0.account == payment.account && $0.currency == currency
    }
    if index == nil {
      totals.append(
        Total(provider: payment.provider, account: payment.account, currency: currency))
      index = totals.count - 1
    }
    guard let index else { return }
    totals[index].compared += 1
    totals[index].captured.booked += book.items.sum(.capture)
    totals[index].goneBack.booked += book.items.sum(.refund) + book.items.sum(.chargeback)
    totals[index].captured.told += comparison.toldSums.captured
    totals[index].goneBack.told += comparison.toldSums.goneBack
  }
}
