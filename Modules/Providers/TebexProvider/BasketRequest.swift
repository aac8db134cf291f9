import PaymentModels
import ProviderInterface
import StrictJSON

/// Builds the stored bytes of a create, which describe all of it: the basket and the packages to
/// add, and refuses terms that they cannot express.
///
/// The same terms give the same bytes: nothing is read but the terms and the configuration.
struct BasketRequest {
  let configuration: TebexConfiguration
  let terms: CheckoutTerms

  func bytes() throws(ProviderError) -> [UInt8] {
    try check()
    let custom = Custom(
      orderID: terms.orderID.rawValue, paymentID: terms.paymentID.rawValue, goods: try goods(),
      price: terms.total)
    var basket = [
      JSONMember(name: "complete_url", value: .string(terms.returnURLs.success)),
      JSONMember(name: "cancel_url", value: .string(terms.returnURLs.cancel)),
      JSONMember(
        name: "complete_auto_redirect", value: .bool(configuration.settings.redirectsByItself)),
      JSONMember(name: "custom", value: custom.json),
    ]
    if let username = try username() {
      basket.append(JSONMember(name: "username", value: .string(username)))
    }
    // Without the private key Tebex refuses the basket; without the address it takes our server
    // for the buyer.
    if configuration.settings.privateKey != nil, let address = terms.buyer.ipAddress,
      isIPv4(address)
    {
      basket.append(JSONMember(name: "ip_address", value: .string(address)))
    }
    return JSONValue.object(["basket": .object(basket)]).serialized()
  }

  private func check() throws(ProviderError) {
    let currency = configuration.currency
    guard terms.total.currency == currency else {
      throw terms.refusal(
        "\(terms.total.currency.code) is not paid through this store, which takes "
          + "\(currency.code) with \(currency.exponent) decimals")
    }
    guard terms.total.minorUnits > 0 else { throw terms.refusal("the total is not positive") }
    if let fault = terms.linesFault { throw terms.refusal(fault) }
    for url in [terms.returnURLs.success, terms.returnURLs.cancel] {
      guard isVisible(url), url.contains(":"), url.utf8.count <= returnURLBytesMax else {
        throw terms.refusal("a return URL has no scheme, is too long or not printable ASCII")
      }
    }
  }

  private func goods() throws(ProviderError) -> Goods {
    for line in terms.lines where !Goods.isID(line.productID) {
      throw terms.refusal(
        "product \(unknownWord(line.productID)) is no package of Tebex', whose ids are numbers")
    }
    let lines = terms.lines.map { Goods.Line(id: $0.productID, quantity: $0.quantity) }
    guard let goods = Goods(lines) else { throw terms.refusal("a quantity is too large") }
    guard goods.lines.count <= packagesMax else {
      throw terms.refusal("it has more than \(packagesMax) packages")
    }
    return goods
  }

  private func username() throws(ProviderError) -> String? {
    guard configuration.settings.sendsUsername else { return nil }
    guard let name = terms.buyer.username, !name.allSatisfy(\.isWhitespace) else {
      throw terms.refusal("the buyer's username is missing, which this store requires")
    }
    return name
  }
}

/// A create as it was stored.
struct StoredCreate {
  /// The body of the basket.
  let basket: JSONValue
  /// What goes into it, and for how much.
  let custom: Custom

  /// - Throws: ``ProviderError`` of kind `refused` if the bytes are none of ours.
  init(_ bytes: [UInt8]) throws(ProviderError) {
    guard let basket = (try? JSONValue(parsing: bytes))?["basket"],
      let custom = Custom(basket["custom"])
    else {
      throw ProviderError(
        .refused, code: "unreadable_request", detail: "the stored request is none; nothing was sent"
      )
    }
    self.basket = basket
    self.custom = custom
  }

  /// Whether Tebex wants the private key with it.
  var needsPrivateKey: Bool { basket["ip_address"] != nil }
}

/// Each package costs one call while a payer waits.
let packagesMax = 20

// Browsers and systems cut addresses not far above.
private let returnURLBytesMax = 2_048

/// Four decimal numbers without needless zeros. Tebex takes no IPv6 address.
private func isIPv4(_ text: String) -> Bool {
  let parts = text.split(separator: ".", omittingEmptySubsequences: false)
  return parts.count == 4
    && parts.allSatisfy { part in UInt8(part).map { String($0) == part } ?? false }
}
