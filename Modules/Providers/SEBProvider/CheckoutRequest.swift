import PaymentModels
import ProviderInterface
import StrictJSON

/// Builds the body of `POST …/payments/cit` and refuses terms that it cannot express.
///
/// The same terms give the same bytes: nothing is read but the terms and the configuration.
struct CheckoutRequest {
  let configuration: SEBConfiguration
  let terms: CheckoutTerms

  func bytes() throws(ProviderError) -> [UInt8] {
    try check()
    let credentials = configuration.credentials
    var members = [
      JSONMember(name: "channel", value: "BROWSER"),
      // Names the attempt, so that a callback that comes before the answer finds its payment once
      // it was read.
      JSONMember(name: "orderNumber", value: .string(terms.paymentID.rawValue)),
      JSONMember(name: "merchantReference", value: .string(terms.orderID.rawValue)),
      JSONMember(name: "participantId", value: .string(credentials.participantID)),
      JSONMember(name: "shopAgreementId", value: .string(credentials.shopAgreementID)),
      // The one address that the app waits for. SEB keeps it as it is written and adds nothing.
      JSONMember(name: "shopRedirectUrl", value: .string(terms.returnURLs.success)),
      JSONMember(name: "instructedAmount", value: wireAmount(terms.total)),
    ]
    if pageLocales.contains(terms.language) {
      members.append(JSONMember(name: "preferredLocale", value: .string(terms.language)))
    }
    if configuration.settings.sendsCustomer, let customer {
      members.append(JSONMember(name: "customer", value: customer))
    }
    return JSONValue.object(members).serialized()
  }

  private func check() throws(ProviderError) {
    try checkPayable(terms.total, configuration)
    if let fault = terms.linesFault { throw terms.refusal(fault) }
    guard isOrderNumber(terms.paymentID.rawValue), isOrderNumber(terms.orderID.rawValue) else {
      throw terms.refusal("an id has characters that an orderNumber cannot have")
    }
    let url = terms.returnURLs.success
    let scheme = url.prefix { $0 != ":" }.utf8
    guard isVisible(url), url.utf8.count <= returnURLBytesMax, scheme.count < url.utf8.count,
      scheme.first.map({ isLetter($0) }) == true,
      scheme.allSatisfy({ isLetter($0) || (48...57).contains($0) || [43, 45, 46].contains($0) })
    else {
      throw terms.refusal("the return URL has no scheme, is too long or not printable ASCII")
    }
  }

  /// Nil where nothing is known of the buyer. Every member is optional; one that cannot be said
  /// rightly is left out.
  private var customer: JSONValue? {
    var members: [JSONMember] = []
    for (name, text) in [("name", terms.buyer.name), ("email", terms.buyer.email)]
    where !text.allSatisfy(\.isWhitespace) {
      members.append(JSONMember(name: name, value: .string(text)))
    }
    if let phone = InternationalPhone(terms.buyer.phone, country: terms.buyer.country) {
      let value = JSONValue.object([
        "cc": .string(phone.callingCode), "subscriber": .string(phone.subscriber),
      ])
      members.append(JSONMember(name: "phone", value: value))
    }
    return members.isEmpty ? nil : .object(members)
  }
}

/// An amount as SEB takes it: decimal text of major units, with the currency beside it.
func wireAmount(_ amount: Money) -> JSONValue {
  .object(["amount": .string(amount.decimal), "currency": .string(amount.currency.code)])
}

/// Refuses an amount that is not positive, too long for the wire, or of a currency that the account
/// does not take or counts with other decimals.
func checkPayable(_ amount: Money, _ configuration: SEBConfiguration) throws(ProviderError) {
  guard configuration.currencies.contains(amount.currency) else {
    throw ProviderError(
      .refused,
      detail: "\(amount.currency.code) is not paid through this account, which takes "
        + configuration.currencies.map { "\($0.code) with \($0.exponent) decimals" }
        .joined(separator: ", ") + "; nothing was sent")
  }
  guard amount.minorUnits > 0 else {
    throw ProviderError(.refused, detail: "\(amount) is not a positive amount; nothing was sent")
  }
  guard String(amount.minorUnits).utf8.count <= significantDigitsMax else {
    throw ProviderError(
      .refused,
      detail: "\(amount) has more than \(significantDigitsMax) digits; nothing was sent")
  }
}

/// EGW, *Payments*: up to 14 significant figures.
private let significantDigitsMax = 14
// Browsers and systems cut addresses not far above.
private let returnURLBytesMax = 2_048

/// EGW, *Payments*: languages of the page. A language that is not here is left to the page.
private let pageLocales: Set<String> = [
  "cz", "da", "nl", "en", "et", "fi", "fr", "de", "hu", "it", "lv", "lt", "no", "pl", "pt", "ru",
  "sk", "es", "sv", "ua",
]

/// EGW, *Payments*: at most 255 letters, digits and `/-?:().,'+`.
private func isOrderNumber(_ text: String) -> Bool {
  (1...255).contains(text.utf8.count)
    && text.utf8.allSatisfy {
      isLetter($0) || (48...57).contains($0) || "/-?:().,'+".utf8.contains($0)
    }
}

private func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }
