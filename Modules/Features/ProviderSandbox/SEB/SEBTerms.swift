import PaymentModels
import StrictJSON

/// The terms of a create, checked.
struct SEBTerms: Sendable, Hashable {
  let orderNumber: String
  let merchantReference: String?
  let participantID: String
  let shopAgreementID: String
  let shopRedirectURL: String
  let amount: Money
  /// Language of the page; nil leaves it to the page.
  let locale: String?

  init(_ body: JSONValue) throws(SEBError) {
    guard body.members != nil else { throw .invalid("body") }
    guard body["channel"]?.text == "BROWSER" else { throw .invalid("channel") }
    orderNumber = try Self.text(body, "orderNumber", SandboxLimits.textMax)
    guard orderNumber.utf8.allSatisfy(Self.isOrderNumberByte) else {
      throw .invalid("orderNumber")
    }
    participantID = try Self.text(body, "participantId", 64)
    shopAgreementID = try Self.text(body, "shopAgreementId", 64)
    shopRedirectURL = try Self.text(body, "shopRedirectUrl", SandboxLimits.returnURLBytesMax)
    guard shopRedirectURL.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .invalid("shopRedirectUrl")
    }
    amount = try Self.amount(body)
    merchantReference = try Self.optionalText(body, "merchantReference")
    _ = try Self.optionalText(body, "description")
    let locale = try Self.optionalText(body, "preferredLocale")
    guard locale.map(Self.locales.contains) ?? true else { throw .invalid("preferredLocale") }
    self.locale = locale
    try Self.checkCustomer(body["customer"] ?? .null)
  }

  /// `instructedAmount` of a create, a capture or a refund: text, or a number as older examples
  /// have it.
  static func amount(_ body: JSONValue) throws(SEBError) -> Money {
    guard let amount = body["instructedAmount"],
      let currency = amount["currency"]?.text.flatMap({ Currency(iso4217: $0) })
    else { throw .invalid("instructedAmount.currency") }
    guard let decimal = amount["amount"]?.text ?? amount["amount"]?.numberText,
      let money = try? Money(decimal: decimal, currency: currency),
      decimal.utf8.count(where: { (48...57).contains($0) }) <= digitsMax
        || String(money.minorUnits).utf8.count <= digitsMax
    else { throw .invalid("instructedAmount.amount") }
    // Nothing is verified here, so nothing is paid by nothing.
    guard money.minorUnits > 0 else { throw .invalid("instructedAmount.amount") }
    return money
  }

  private static func text(
    _ body: JSONValue, _ name: String, _ limit: Int
  ) throws(SEBError) -> String {
    guard let text = body[name]?.text, (1...limit).contains(text.count) else {
      throw .invalid(name)
    }
    return text
  }

  private static func optionalText(
    _ body: JSONValue, _ name: String
  ) throws(SEBError) -> String? {
    guard let value = body[name], !value.isNull else { return nil }
    guard let text = value.text, text.count <= SandboxLimits.textMax else { throw .invalid(name) }
    return text
  }

  private static func checkCustomer(_ customer: JSONValue) throws(SEBError) {
    guard !customer.isNull else { return }
    guard customer.members != nil else { throw .invalid("customer") }
    for name in ["name", "email"] { _ = try optionalText(customer, name) }
    guard let phone = customer["phone"], !phone.isNull else { return }
    guard let code = phone["cc"]?.text, let subscriber = phone["subscriber"]?.text,
      isDigits(code, 1...3), code.first != "0", isDigits(subscriber, 1...14)
    else { throw .invalid("customer.phone") }
  }

  private static func isDigits(_ text: String, _ count: ClosedRange<Int>) -> Bool {
    count.contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) }
  }

  private static func isOrderNumberByte(_ byte: UInt8) -> Bool {
    (97...122).contains(byte | 0x20) || (48...57).contains(byte)
      || "/-?:().,'+".utf8.contains(byte)
  }

  /// EGW, *Payments*: up to 14 significant figures.
  private static let digitsMax = 14

  /// EGW, *Payments*: the list of `preferredLocale`.
  private static let locales: Set<String> = [
    "cz", "da", "nl", "en", "et", "fi", "fr", "de", "hu", "it", "lv", "lt", "no", "pl", "pt",
    "ru", "sk", "es", "sv", "ua",
  ]
}
