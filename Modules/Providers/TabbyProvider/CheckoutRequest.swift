import PaymentModels
import ProviderInterface
import StrictJSON

/// Builds the body of `POST /api/v2/checkout` and refuses terms that it cannot express.
///
/// The same terms give the same bytes: nothing is read but the terms and the configuration.
struct CheckoutRequest {
  let configuration: TabbyConfiguration
  let terms: CheckoutTerms

  func bytes() throws(ProviderError) -> [UInt8] {
    try check()
    guard
      let phone = tabbyPhone(
        terms.buyer.phone, home: terms.buyer.country, currency: terms.total.currency.code)
    else {
      throw terms.refusal("the buyer's phone is no number of this country or in international form")
    }
    return body(phone: phone).serialized()
  }

  private func check() throws(ProviderError) {
    try checkPayable(terms.total, currencies: configuration.region.currencies)
    guard ["en", "ar"].contains(terms.language) else {
      throw terms.refusal("the hosted page speaks en and ar alone")
    }
    // The eligibility check works on these; an empty one is a rejection that nobody understands.
    let required = [
      ("name", terms.buyer.name), ("email", terms.buyer.email), ("phone", terms.buyer.phone),
    ]
    if let missing = required.first(where: { $0.1.allSatisfy(\.isWhitespace) }) {
      throw terms.refusal("the buyer's \(missing.0) is missing")
    }
    if let fault = terms.linesFault { throw terms.refusal(fault) }
    let urls = [terms.returnURLs.success, terms.returnURLs.cancel, terms.returnURLs.failure]
    guard urls.allSatisfy({ $0.utf8.count <= tabbyTextBytesMax }) else {
      throw terms.refusal("a return URL is longer than \(tabbyTextBytesMax) bytes")
    }
  }

  private func body(phone: String) -> JSONValue {
    .object([
      "payment": payment(phone: phone),
      "lang": .string(terms.language),
      "merchant_code": .string(configuration.merchantCode),
      "merchant_urls": .object([
        "success": .string(terms.returnURLs.success),
        "cancel": .string(terms.returnURLs.cancel),
        "failure": .string(terms.returnURLs.failure),
      ]),
    ])
  }

  private func payment(phone: String) -> JSONValue {
    .object([
      "amount": .string(terms.total.decimal),
      "currency": .string(terms.total.currency.code),
      "buyer": .object([
        "name": .string(terms.buyer.name),
        "email": .string(terms.buyer.email),
        "phone": .string(phone),
      ]),
      "shipping_address": shippingAddress,
      "order": .object([
        "reference_id": .string(terms.orderID.rawValue),
        "updated_at": .string(terms.placedAt.description),
        "items": .array(terms.lines.map(item)),
      ]),
      // The model wants a date. Who has no account is as new as the order.
      "buyer_history": .object([
        "registered_since": .string(
          (terms.buyer.registeredSince ?? terms.placedAt).description),
        "loyalty_level": .integer(terms.buyer.successfulOrders),
      ]),
      "order_history": .array([]),
      "meta": .object([
        "order_id": .string(terms.orderID.rawValue),
        "payment_id": .string(terms.paymentID.rawValue),
      ]),
    ])
  }

  // The model wants an address also where nothing is shipped: its members are then empty.
  private var shippingAddress: JSONValue {
    let address = terms.buyer.shippingAddress
    return .object([
      "city": .string(address?.city ?? ""),
      "address": .string(address?.address ?? ""),
      "zip": .string(address?.zip ?? ""),
    ])
  }

  private func item(_ line: OrderLine) -> JSONValue {
    .object([
      "reference_id": .string(line.productID),
      "title": .string(line.title),
      "category": .string(line.category),
      "quantity": .integer(line.quantity),
      "unit_price": .string(line.unitPrice.decimal),
    ])
  }
}

/// Refuses an amount that is not positive, or whose currency Tabby does not take or counts with
/// other decimals.
func checkPayable(_ amount: Money, currencies: Set<String>) throws(ProviderError) {
  let code = amount.currency.code
  guard currencies.contains(code) else {
    throw ProviderError(
      .refused,
      detail: "\(code) is not paid through this account, which takes "
        + "\(currencies.sorted().joined(separator: ", ")); nothing was sent")
  }
  guard amount.currency == tabbyCurrency(code) else {
    throw ProviderError(
      .refused,
      detail: "\(code) has other decimals here than at Tabby; nothing was sent")
  }
  guard amount.minorUnits > 0 else {
    throw ProviderError(.refused, detail: "\(amount) is not a positive amount; nothing was sent")
  }
}
