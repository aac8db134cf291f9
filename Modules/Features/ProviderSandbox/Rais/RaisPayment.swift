import HTTPExchange
import PaymentModels
import StrictJSON

/// Where a payment at the fake Raïs stands. `pending` and `paid` are documented, the other words
/// are settings.
enum RaisStatus: String, Sendable, CaseIterable {
  case pending, paid, failed, expired, cancelled
}

/// One payment of the fake Raïs.
struct RaisPayment: SandboxPayment {
  let id: String
  /// Raïs' own number, `RS` and eight characters.
  let orderNumber: String
  let terms: RaisTerms
  let createdAt: Instant
  let expiresAt: Instant
  /// Scheme, host and port of the hosted page, and the path in front of it.
  let base: String
  var status = RaisStatus.pending
  /// The card that waits for 3-D Secure; nil if none does.
  var challenge: RaisCard?
  /// The last card on the page was declined; the payment is still open.
  var lastCardDeclined = false
  /// When a payment that the page calls paid becomes so for everybody.
  var paidAt: Instant?
  var trail = PaymentTrail<RaisFaults>()

  /// Whether the payer can still do something on the page.
  func isOpen(at now: Instant) -> Bool { status == .pending && paidAt == nil && now < expiresAt }
}

/// A test card of the sandbox, told by its last four digits. Raïs has test cards; their numbers
/// are not documented.
enum RaisCard: Sendable, Hashable {
  /// Pays once the bank's page has the code.
  case challenged
  /// The bank says no at once.
  case declined
  /// Asks for a code, and the bank says no after it.
  case refusedByBank

  /// Nil if `number` is no card number: 12 to 19 digits, blanks and hyphens left out.
  init?(number: String) {
    let digits = number.filter { $0 != " " && $0 != "-" }
    guard (12...19).contains(digits.count), digits.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    switch digits.suffix(4) {
    case "0002": self = .declined
    case "0003": self = .refusedByBank
    default: self = .challenged
    }
  }
}

/// The terms of a create, checked.
struct RaisTerms: Sendable, Hashable {
  let amount: Int64
  let reference: String
  let successURL: String
  let cancelURL: String
  /// `fr` unless the request names another.
  let language: String

  init(_ body: JSONValue) throws(CodedError) {
    guard body.members != nil else { throw .invalid("body") }
    guard let amount = body["amount"]?.int64, amount > 0, amount <= Money.minorUnitsMax else {
      throw .invalid("amount")
    }
    self.amount = amount
    guard let reference = body["reference"]?.text, !reference.isEmpty,
      reference.count <= SandboxLimits.textMax
    else { throw .invalid("reference") }
    self.reference = reference
    successURL = try Self.returnURL(body, "success_url")
    cancelURL = try Self.returnURL(body, "cancel_url")
    let language = body["language"] ?? .string("fr")
    guard let word = language.text, (2...16).contains(word.utf8.count) else {
      throw .invalid("language")
    }
    self.language = word
  }

  /// Any scheme of an app's own, `https`, and `http` because every key here is a test key. It is
  /// kept exactly as it was written.
  private static func returnURL(_ body: JSONValue, _ name: String) throws(CodedError) -> String {
    guard let url = body[name]?.text, url.utf8.count <= SandboxLimits.returnURLBytesMax,
      url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let colon = url.firstIndex(of: ":"),
      let first = url.utf8.first, (97...122).contains(first | 0x20),
      url[..<colon].utf8.allSatisfy({
        (97...122).contains($0 | 0x20) || (48...57).contains($0) || [43, 45, 46].contains($0)
      })
    else { throw .invalid(name) }
    return url
  }
}
