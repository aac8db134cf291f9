import PaymentModels
import StrictJSON

/// Where a payment at the fake Futa stands. The words are the field's usual ones; none is
/// documented.
enum FutaState: String, Sendable, CaseIterable {
  case created, processing, paid, failed, expired, cancelled, refunded

  /// Whether the page calls it final.
  var isFinal: Bool {
    switch self {
    case .created, .processing: false
    case .paid, .failed, .expired, .cancelled, .refunded: true
    }
  }
}

/// One payment of the fake Futa.
struct FutaPayment: SandboxPayment {
  let id: String
  let terms: FutaTerms
  let createdAt: Instant
  /// Scheme, host and port of the hosted page, and the path in front of it.
  let base: String
  var state = FutaState.created
  /// The payer is away at the bank's page and has not decided.
  var waitsForBank = false
  /// The last try on the page failed; the payment is still open.
  var lastTryFailed = false
  /// What happens at the end of a delay.
  var pendingOutcome: (change: FutaState, at: Instant)?
  var trail = PaymentTrail<FutaFaults>()

  /// Whether the payer can still do something on the checkout page.
  func isOpen(at now: Instant) -> Bool { state == .created && now < terms.expiresAt }
}

/// The terms of a create, checked.
struct FutaTerms: Sendable, Hashable {
  let amount: Int64
  let currency: String
  let reference: String
  let description: String
  let returnURL: String
  let expiresAt: Instant
  /// `embedding.mode`; nil for a payment that is not embedded.
  let embedding: String?
  /// The phone of direct mode.
  let msisdn: String?

  init(
    _ body: JSONValue, settings: FutaSandboxSettings, now: Instant
  ) throws(CodedError) {
    guard body.members != nil else { throw .invalid("body") }
    guard let amount = body["amount"]?.int64, amount > 0, amount <= Money.minorUnitsMax else {
      throw .invalid("amount")
    }
    self.amount = amount
    currency = try Self.text(body, "currency", max: 3)
    guard currency == settings.currency else { throw .invalid("currency") }
    reference = try Self.text(body, "merchant_reference", max: SandboxLimits.textMax)
    description = try Self.text(body, "description", max: SandboxLimits.textMax)
    returnURL = try Self.returnURL(body, allowsApps: settings.allowsAppReturnURL)
    expiresAt = try Self.expiry(body, now: now)
    embedding = try Self.embedding(body)
    msisdn = try Self.msisdn(body)
    if msisdn != nil, embedding != nil { throw .embeddingRefused }
  }

  private static func text(
    _ body: JSONValue, _ name: String, max: Int
  ) throws(CodedError) -> String {
    guard let text = body[name]?.text, !text.isEmpty, text.count <= max else {
      throw .invalid(name)
    }
    return text
  }

  private static func returnURL(
    _ body: JSONValue, allowsApps: Bool
  ) throws(CodedError) -> String {
    let url = try text(body, "return_url", max: SandboxLimits.returnURLBytesMax)
    let scheme = url.prefix { $0 != ":" }.lowercased()
    let isApp = allowsApps && scheme != "http" && url.contains("://") && !scheme.isEmpty
    guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), scheme == "https" || isApp,
      url.utf8.count > scheme.utf8.count + 3
    else { throw .invalid("return_url") }
    return url
  }

  /// An instant of the next 24 hours, in UTC.
  private static func expiry(_ body: JSONValue, now: Instant) throws(CodedError) -> Instant {
    let text = try text(body, "expires_at", max: 40)
    guard text.hasSuffix("Z"), text.contains("T"), let instant = Instant(iso8601: text),
      instant > now, instant <= now + .seconds(86_400)
    else { throw .invalid("expires_at") }
    return instant
  }

  private static func embedding(_ body: JSONValue) throws(CodedError) -> String? {
    guard let value = body["embedding"], !value.isNull else { return nil }
    guard value["mode"]?.text == "app" else { throw .invalid("embedding.mode") }
    return "app"
  }

  private static func msisdn(_ body: JSONValue) throws(CodedError) -> String? {
    guard body["method"] != nil || body["msisdn"] != nil else { return nil }
    _ = try text(body, "method", max: 40)
    return try text(body, "msisdn", max: 24)
  }

  /// What the key binds: the same terms in another order are the same terms.
  static func sorted(_ json: JSONValue) -> JSONValue {
    guard let members = json.members else { return json }
    return .object(
      members.map { JSONMember(name: $0.name, value: sorted($0.value)) }
        .sorted { $0.name < $1.name })
  }
}
