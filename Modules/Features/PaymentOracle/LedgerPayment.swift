import PaymentModels
import StrictJSON

/// A payment as a provider's ledger has it.
struct LedgerPayment: Sendable {
  /// Where a payment stands, in words that fit every provider.
  enum Standing: Sendable, Hashable {
    /// It may still be paid.
    case open
    /// The payer's money is held.
    case held
    /// The payer's money was taken, in part at least.
    case taken
    /// It ended unpaid.
    case over
  }

  let id: String
  let provider: String
  /// What the merchant called it: an order or a payment of ours, as the provider's document has it.
  let reference: String
  /// Minor units.
  let amount: Int64
  let captured: Int64
  /// What went back to the payer: refunds and charge-backs.
  let returned: Int64
  let standing: Standing
  /// Whether a part of the held money was taken, and the rest neither taken nor let go.
  let isPartlyHeld: Bool
  /// Whether the payer ever saw its page.
  let wasOpened: Bool
  /// When it came to stand where, oldest first.
  private let history: [(at: Instant, standing: Standing)]

  struct Malformed: Error {}

  static func all(in ledger: JSONValue) throws -> [LedgerPayment] {
    guard let payments = ledger["payments"]?.elements else { throw Malformed() }
    return try payments.map(LedgerPayment.init)
  }

  /// Where it stood at a time.
  func standing(at instant: Instant) -> Standing {
    history.last { $0.at <= instant }?.standing ?? .open
  }

  /// When money was first held or taken.
  var heldAt: Instant? {
    history.first { $0.standing == .held || $0.standing == .taken }?.at
  }

  /// When money was first taken.
  var takenAt: Instant? { history.first { $0.standing == .taken }?.at }

  /// Whether nobody ever saw its page: its create had no answer, and the page that was handed out,
  /// if any, is another one's.
  var reachedNobody: Bool { heldAt == nil && !wasOpened }

  /// Whether money came after it had ended unpaid. Where no webhook tells, the merchant learns it
  /// by the daily look at what has ended.
  var isLate: Bool {
    guard let end = history.firstIndex(where: { $0.standing == .over }) else { return false }
    return history[end...].contains { $0.standing == .held || $0.standing == .taken }
  }

  /// How old a proof may be where the provider sends no word of money that came late: the merchant
  /// looks once a day at what has ended, and an answer is on its way for a while.
  static let proofAgeMax: Duration = .seconds(25 * 3_600)

  /// Whether it had ended unpaid so short a time before that this is what the merchant has to know.
  func wasOver(shortlyBefore instant: Instant) -> Bool {
    guard let end = history.lastIndex(where: { $0.standing == .over && $0.at <= instant }) else {
      return false
    }
    let change = history[(end + 1)...].first
    return change.map { instant.since($0.at) <= Self.proofAgeMax } ?? true
  }

  /// What the provider still has of the payer's money.
  var kept: Int64 { captured - returned }

  private init(_ json: JSONValue) throws {
    guard let id = json["id"]?.text, let provider = json["provider"]?.text,
      let status = json["status"]?.text, let events = json["events"]?.elements,
      let currency = json["currency"]?.text.flatMap(Currency.init(iso4217:)),
      let amount = json["amount"]?.text, let captured = json["captured"]?.text,
      let refunded = json["refunded"]?.text
    else { throw Malformed() }
    func minorUnits(_ text: String) throws -> Int64 {
      try Money(decimal: text, currency: currency).minorUnits
    }
    self.id = id
    self.provider = provider
    reference = json["reference_id"]?.text ?? ""
    self.amount = try minorUnits(amount)
    self.captured = try minorUnits(captured)
    returned =
      try minorUnits(refunded) + minorUnits(json["charged_back"]?.text ?? "0")
    isPartlyHeld = status == "AUTHORIZED" && self.captured > 0 && self.captured < self.amount
    let isRefused = json["rejection_reason"]?.text != nil
    var history: [(at: Instant, standing: Standing)] = []
    if isRefused, let at = json["created_at"]?.text.flatMap(Instant.init(iso8601:)) {
      history.append((at, .over))
    }
    for event in events {
      guard let at = event["at"]?.text.flatMap(Instant.init(iso8601:)),
        let word = event["event"]?.text
      else { throw Malformed() }
      let hasMoney = history.contains { $0.standing == .taken }
      guard let standing = Self.standing(word, hasMoney: hasMoney) else { continue }
      // Refused before its page: the provider may still call it created or expired.
      if isRefused, standing == .open { continue }
      history.append((at, standing))
    }
    self.history = history
    wasOpened = events.contains { $0["event"]?.text == "page_opened" }
    let now = Self.standing(status, hasMoney: self.captured > 0) ?? .open
    standing = isRefused && now == .open ? .over : now
  }

  /// What a provider's word says; nil for words about something else.
  private static func standing(_ word: String, hasMoney: Bool) -> Standing? {
    switch word {
    case "CREATED", "created", "pending", "processing", "open", "INITIALIZED",
      "SENT_FOR_PROCESSING":
      .open
    case "AUTHORIZED": hasMoney ? .taken : .held
    case "captured", "paid", "complete", "CAPTURED", "refunded", "REFUNDED", "refund_pending",
      "dispute_opened", "dispute_won", "dispute_lost", "dispute_closed":
      .taken
    // Closed by its merchant: with what was captured, or with nothing.
    case "CLOSED": hasMoney ? .taken : .over
    case "REJECTED", "EXPIRED", "failed", "expired", "cancelled", "FAILED", "CANCELLED": .over
    default: nil
    }
  }
}
