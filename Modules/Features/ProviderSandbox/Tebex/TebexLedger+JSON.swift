import PaymentModels
import StrictJSON

/// How the fake Tebex writes what it knows. Amounts are JSON numbers of major units and, as PHP
/// writes them, without zeros at their end.
extension TebexLedger {
  /// The currency's code, as everywhere in an answer.
  var currencyCode: String { settings.currency ?? "USD" }

  func number(_ hundredths: Int64) -> JSONValue {
    var text = decimalText(hundredths, currencyCode, exponent: 2)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return .number(text)
  }

  /// Tax on top, rounded to the nearest hundredth.
  func tax(on price: Int64) -> Int64 { (price * settings.taxBasisPoints + 5_000) / 10_000 }

  var storeJSON: JSONValue {
    .object([
      "id": .integer(1), "name": "Till & Co", "currency": .string(currencyCode), "lang": "en",
      "webstore_url": "https://till.tebex.io", "platform_type": "Universal",
      "disabled": .bool(false),
    ])
  }

  var packagesJSON: JSONValue {
    .array(
      TebexPackage.all.map { package in
        .object([
          "id": .integer(package.id), "name": .string(package.name), "description": "",
          "image": .null, "type": "single",
          "category": .object(["id": .integer(1), "name": "Packages"]),
          "base_price": number(package.price), "sales_tax": number(tax(on: package.price)),
          "total_price": number(package.price + tax(on: package.price)),
          "currency": .string(currencyCode), "discount": number(0),
          "disable_quantity": .bool(package.isSingle), "disable_gifting": .bool(false),
          "expiration_date": .null,
        ])
      })
  }

  /// A basket as a read shows it, spoilt where a fault says so.
  func readJSON(_ index: Int) -> JSONValue {
    basketJSON(payments[index])
      .replacing("base_price", with: faults(of: index).readPrice.map { .number($0) })
  }

  func basketJSON(_ basket: TebexBasket) -> JSONValue {
    let price = basket.price
    return .object([
      "id": .string("\(basket.number)"), "ident": .string(basket.id),
      "complete": .bool(basket.status != .open), "email": .null,
      "username": .optional(basket.request.username), "coupons": .array([]),
      "giftcards": .array([]), "creator_code": "",
      "cancel_url": .optional(basket.request.cancelURL),
      "complete_url": .optional(basket.request.completeURL),
      "complete_auto_redirect": .bool(basket.request.redirectsByItself), "country": "US",
      "ip": .string(basket.request.address ?? "127.0.0.1"), "username_id": .null,
      "base_price": number(price), "sales_tax": number(tax(on: price)),
      "total_price": number(price + tax(on: price)), "currency": .string(currencyCode),
      "packages": .array(basket.lines.map(lineJSON)), "custom": basket.request.custom,
      "links": linksJSON(basket),
    ])
  }

  private func lineJSON(_ line: TebexBasket.Line) -> JSONValue {
    .object([
      "id": .integer(line.package.id), "name": .string(line.package.name),
      "slug": .string(line.package.slug), "description": "", "image": .null, "type": "single",
      "in_basket": .object([
        "quantity": .integer(line.quantity), "price": number(line.package.price),
        "gift_username_id": .null, "gift_username": .null,
      ]), "revenue_share": .array([]),
    ])
  }

  /// An empty array as long as there is none, as PHP writes an empty map.
  private func linksJSON(_ basket: TebexBasket) -> JSONValue {
    if basket.status != .open, let payment = basket.payment {
      return .object(["payment": .string("\(basket.base)/checkout/api/payments/\(payment.id)")])
    }
    guard settings.hasCheckoutLink, !basket.lines.isEmpty else { return .array([]) }
    return .object(["checkout": .string(pageURL(basket))])
  }

  func pageURL(_ basket: TebexBasket) -> String { "\(basket.base)/pay/\(basket.id)" }

  /// A payment of the Checkout API, which is also the subject of its webhooks.
  func paymentJSON(_ basket: TebexBasket, _ id: String) -> JSONValue {
    guard let transaction = basket.transactions.first(where: { $0.id == id }) else { return .null }
    let (price, tax) = (basket.price, tax(on: basket.price))
    return .object([
      "transaction_id": .string(id), "status": transaction.status.json,
      "payment_sequence": "oneoff",
      "created_at": .string("\(stamp(transaction.createdAt)).000000Z"),
      "price": money(settings.taxesPrice ? price + tax : price),
      "price_paid": money(price + tax),
      "payment_method": .object([
        "name": .string(transaction.method.name), "refundable": .bool(true),
      ]),
      "fees": .object(["tax": money(tax), "gateway": money(0)]),
      "customer": .object([
        "first_name": "Test", "last_name": "Payer", "email": "payer@till.example",
        "ip": .string(basket.request.address ?? "127.0.0.1"),
        "username": .optional(basket.request.username), "marketing_consent": .bool(false),
        "country": "US", "postal_code": .null,
      ]),
      "products": .array(basket.lines.map(productJSON)), "coupons": .array([]),
      "gift_cards": .array([]), "recurring_payment_reference": .null,
      "custom": basket.request.custom, "revenue_share": .array([]),
      "decline_reason": transaction.status == .declined
        ? .object(["code": "declined", "message": "The bank declined the card."]) : .null,
    ])
  }

  private func productJSON(_ line: TebexBasket.Line) -> JSONValue {
    let all = line.package.price * line.quantity
    return .object([
      "id": .integer(line.package.id), "name": .string(line.package.name),
      "quantity": .integer(line.quantity),
      "base_price": money(settings.showsUnitPrice ? line.package.price : all),
      "paid_price": money(all + tax(on: all)), "variables": .array([]), "expires_at": .null,
      "custom": .null, "username": .null,
    ])
  }

  private func money(_ hundredths: Int64) -> JSONValue {
    .object(["amount": number(hundredths), "currency": .string(currencyCode)])
  }

  /// Date and time to the second, in UTC, without a zone.
  func stamp(_ instant: Instant) -> String { String(instant.description.prefix(19)) }
}

extension JSONValue {
  /// As PHP writes JSON: `/` and everything beyond ASCII escaped. A receiver that parses it and
  /// writes it again gets other bytes.
  func serializedAsPHP() -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    for unit in String(decoding: serialized(), as: UTF8.self).utf16 {
      switch unit {
      case UInt16(UInt8(ascii: "/")): bytes.append(contentsOf: #"\/"#.utf8)
      case 0..<0x80: bytes.append(UInt8(unit))
      default:
        bytes.append(contentsOf: #"\u"#.utf8)
        for shift in [12, 8, 4, 0] as [UInt16] { bytes.append(digits[Int(unit >> shift & 15)]) }
      }
    }
    return bytes
  }
}
