import HTTPExchange
import PaymentModels
import StrictJSON

/// A package of the fake store.
struct TebexPackage: Sendable, Hashable {
  let id: Int64
  let name: String
  /// Base price of one piece, in hundredths.
  let price: Int64
  /// Sold one at a time: a quantity in the request is refused.
  var isSingle = false

  /// What the store sells.
  static let all = [
    TebexPackage(id: 6_276_316, name: "100 Gold", price: 535),
    TebexPackage(id: 6_276_317, name: "500 Gold", price: 1_999),
    TebexPackage(id: 6_276_318, name: "Founder's Pack", price: 4_900, isSingle: true),
  ]

  var slug: String { name.lowercased().filter { $0 != "'" }.replacing(" ", with: "-") }
}

/// Where a basket at the fake Tebex stands, with what became of its payment.
enum TebexStatus: String, Sendable, CaseIterable {
  case open, complete, refunded
  case refundPending = "refund_pending"
  case disputeOpened = "dispute_opened"
  case disputeWon = "dispute_won"
  case disputeLost = "dispute_lost"
  case disputeClosed = "dispute_closed"

  /// The type of the event that tells of it; nil if none does.
  var eventType: String? {
    switch self {
    case .open, .refundPending: nil
    case .complete: "payment.completed"
    case .refunded: "payment.refunded"
    case .disputeOpened: "payment.dispute.opened"
    case .disputeWon: "payment.dispute.won"
    case .disputeLost: "payment.dispute.lost"
    case .disputeClosed: "payment.dispute.closed"
    }
  }
}

/// A number and word of a payment's status, as the Checkout API has them.
enum TebexPaymentStatus: Int64, Sendable {
  case complete = 1
  case refund = 2
  case chargeback = 3
  case declined = 18
  case pendingCheckout = 19
  case refundPending = 21

  var json: JSONValue {
    .object(["id": .integer(rawValue), "description": .string(word)])
  }

  private var word: String {
    switch self {
    case .complete: "Complete"
    case .refund: "Refund"
    case .chargeback: "Chargeback"
    case .declined: "Declined"
    case .pendingCheckout: "Pending Checkout"
    case .refundPending: "Refund Pending"
    }
  }
}

/// One try to pay a basket.
struct TebexTransaction: Sendable {
  let id: String
  let method: TebexMethod
  let createdAt: Instant
  var status: TebexPaymentStatus
}

/// What the payer can choose on the page.
enum TebexMethod: String, Sendable, CaseIterable {
  /// The method that a store's panel switches on for tests: it always succeeds.
  case test
  /// A method that moves real money elsewhere.
  case card
  /// A card that the bank declines. Tebex documents no such trigger.
  case declined

  var name: String {
    switch self {
    case .test: "Test Payments"
    case .card, .declined: "Credit/Debit Card"
    }
  }
}

/// One basket of the fake Tebex.
struct TebexBasket: SandboxPayment {
  /// The ident.
  let id: String
  let number: Int64
  let request: TebexBasketRequest
  let createdAt: Instant
  /// Scheme, host and port of the links, and the path in front of them.
  let base: String
  var lines: [Line] = []
  var status = TebexStatus.open
  /// Tries to pay, the last one last.
  var transactions: [TebexTransaction] = []
  /// When a basket that the page calls paid becomes complete for everybody.
  var completeAt: Instant?
  var trail = PaymentTrail<TebexFaults>()

  struct Line: Sendable, Hashable {
    let package: TebexPackage
    var quantity: Int64
  }

  /// Base price, in hundredths.
  var price: Int64 { lines.reduce(0) { $0 + $1.package.price * $1.quantity } }

  /// Whether the payer can still do something on the page, and packages can change.
  var isOpen: Bool { status == .open && completeAt == nil }

  /// The transaction that paid.
  var payment: TebexTransaction? {
    transactions.last { $0.status != .declined }
  }
}

/// The body of a new basket, checked.
struct TebexBasketRequest: Sendable {
  let completeURL: String?
  let cancelURL: String?
  let redirectsByItself: Bool
  let custom: JSONValue
  let username: String?
  let address: String?

  init(_ body: JSONValue) throws(TebexError) {
    guard body.members != nil else { throw .unprocessable("The body is no object.") }
    completeURL = try Self.url(body, "complete_url")
    cancelURL = try Self.url(body, "cancel_url")
    guard let redirects = (body["complete_auto_redirect"] ?? .bool(false)).boolean else {
      throw .unprocessable("complete_auto_redirect must be true or false.")
    }
    redirectsByItself = redirects
    let custom = body["custom"] ?? .null
    guard custom.isNull || custom.members != nil else {
      throw .unprocessable("custom must be an object.")
    }
    self.custom = custom
    username = try Self.text(body, "username")
    address = try Self.text(body, "ip_address")
    if let address {
      let parts = address.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 4, parts.allSatisfy({ UInt8($0) != nil }) else {
        throw .unprocessable("The ip address must be a valid IPv4 address.")
      }
    }
  }

  private static func text(_ body: JSONValue, _ name: String) throws(TebexError) -> String? {
    guard let value = body[name], !value.isNull else { return nil }
    guard let text = value.text, (1...SandboxLimits.textMax).contains(text.count) else {
      throw .unprocessable("\(name) must be a text.")
    }
    return text
  }

  /// Any scheme, an app's own too.
  private static func url(_ body: JSONValue, _ name: String) throws(TebexError) -> String? {
    guard let value = body[name], !value.isNull else { return nil }
    guard let url = value.text, url.utf8.count <= SandboxLimits.returnURLBytesMax,
      url.contains(":"), url.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw .unprocessable("\(name) must be a URL.") }
    return url
  }
}

/// An error answer of the fake Tebex: a problem document (RFC 7807).
struct TebexError: Error {
  let response: HTTPResponse

  private init(_ status: Int, _ title: String, _ detail: String) {
    response = .json(
      .object([
        "type": "about:blank", "title": .string(title), "status": .integer(status),
        "detail": .string(detail), "instance": "",
      ]), status: status)
  }

  static func badRequest(_ detail: String) -> TebexError { TebexError(400, "Bad Request", detail) }

  static func unprocessable(_ detail: String) -> TebexError {
    TebexError(422, "Unprocessable Entity", detail)
  }

  static let unauthorized = TebexError(401, "Unauthorized", "Basic credentials are not known.")
  static func notFound(_ what: String) -> TebexError { TebexError(404, "Not Found", what) }
}
