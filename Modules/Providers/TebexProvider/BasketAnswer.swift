import PaymentModels
import ProviderInterface
import StrictJSON

/// Maps a basket of the Headless API to the kit's reading. Members that it does not know are
/// ignored, and so are `sales_tax`, `total_price`, coupons and gift cards: tax is Tebex' own
/// business with the payer, and what the shop asked for is the `base_price`. Its errors name the
/// place and never what stood there.
struct BasketAnswer {
  private let json: JSONValue
  private let configuration: TebexConfiguration

  /// - Parameter answer: the basket, or an object that has it under `data`: Tebex does both.
  init(_ answer: JSONValue, _ configuration: TebexConfiguration) {
    json = unwrapped(answer)
    self.configuration = configuration
  }

  func ident() throws(JSONPathError) -> ProviderPaymentID {
    guard let ident = json["ident"]?.text, isToken(ident) else {
      throw JSONPathError(path: "ident", "is no ident")
    }
    return ProviderPaymentID(ident)
  }

  /// Whether the basket was paid: `complete` and nothing else.
  func isComplete() throws(JSONPathError) -> Bool {
    guard let complete = json["complete"]?.boolean else {
      throw JSONPathError(path: "complete", "is neither true nor false")
    }
    return complete
  }

  /// Nil if absent, so that nobody takes it for zero.
  func basePrice() throws(JSONPathError) -> Money? {
    guard let value = json["base_price"], !value.isNull else { return nil }
    guard let currency = try json.text(at: "currency").knownCurrency else {
      throw JSONPathError(path: "currency", "is no known currency")
    }
    return try money(value, currency, path: "base_price")
  }

  func goods() throws(JSONPathError) -> Goods? {
    var lines: [Goods.Line] = []
    for (index, package) in try json.elements(at: "packages").enumerated() {
      guard let id = Goods.id(package["id"]),
        let quantity = wholeNumber(package.find("in_basket.quantity"))
      else {
        throw JSONPathError(path: "packages.\(index)", "is no package with a quantity")
      }
      lines.append(Goods.Line(id: id, quantity: quantity))
    }
    return Goods(lines)
  }

  var custom: Custom? { Custom(json["custom"]) }

  /// What the basket proves.
  ///
  /// Until it is paid, whoever has its ident may change what lies in it: nothing of that counts.
  func reading() throws(JSONPathError) -> PaymentReading {
    let ident = try ident()
    let isComplete = try isComplete()
    let amount = isComplete ? try basePrice() : nil
    let custom = custom
    return PaymentReading(
      providerPaymentID: ident, status: isComplete ? .captured : .created, amount: amount,
      orderReference: custom?.orderID, paymentReference: custom?.paymentID,
      items: amount.map { [captureItem(of: ident, $0)] } ?? [],
      transactionID: transactionID, modeWait: configuration.modeWait,
      isForOtherGoods: isComplete ? try isForOtherGoods() : false)
  }

  private func isForOtherGoods() throws(JSONPathError) -> Bool {
    guard let asked = custom?.goods, let goods = try goods() else { return true }
    return goods != asked
  }

  /// The page to pay on: the link if there is one, byte for byte, else the page of the ident.
  func checkoutURL() throws(JSONPathError) -> String {
    guard let link = json.find("links.checkout") else {
      return "\(configuration.settings.pageOrigin)/\(try ident())"
    }
    guard let url = link.text, let origin = webOrigin(of: url),
      origin.hasPrefix("https:") || configuration.mode == .test
    else {
      throw JSONPathError(path: "links.checkout", "is no address of a page")
    }
    return url
  }

  /// The transaction at the end of the link to the payment, which a paid basket has.
  private var transactionID: String? {
    guard let link = json.find("links.payment")?.text,
      let slash = link.lastIndex(of: "/"), link[..<slash].hasSuffix("/payments")
    else { return nil }
    let id = link[link.index(after: slash)...].prefix { $0 != "?" && $0 != "#" }
    return isToken(id) ? String(id) : nil
  }
}

/// What Tebex took for a basket. Its id is the ident, for baskets, transactions and webhooks alike,
/// and it carries no time, so that the one capture is the same from whichever of them it is known.
func captureItem(of ident: ProviderPaymentID, _ amount: Money) -> PaymentItem {
  PaymentItem(
    kind: .capture, providerItemID: ident.rawValue, reference: nil, amount: amount, createdAt: nil)
}

/// The object under `data`, or the answer itself.
func unwrapped(_ answer: JSONValue) -> JSONValue {
  guard let data = answer["data"], data.members != nil else { return answer }
  return data
}

extension String {
  /// The currency of that code.
  var knownCurrency: Currency? { Currency(iso4217: self) }
}
