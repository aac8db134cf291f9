public import PaymentModels

/// Everything that a provider may need to open a checkout.
public struct CheckoutTerms: Hashable, Sendable {
  /// Our order.
  public var orderID: OrderID
  /// Our payment, sent along where the provider carries a reference of ours.
  public var paymentID: PaymentID
  /// The priced lines.
  public var lines: [OrderLine]
  /// What is to be paid; the sum of the lines.
  public var total: Money
  /// Who buys.
  public var buyer: Buyer
  /// Where the hosted page sends the payer afterwards.
  public var returnURLs: ReturnURLs
  /// Language of the hosted page, `en` or `ar`.
  public var language: String
  /// When the order was placed.
  public var placedAt: Instant

  /// Collects the terms.
  public init(
    orderID: OrderID, paymentID: PaymentID, lines: [OrderLine], total: Money, buyer: Buyer,
    returnURLs: ReturnURLs, language: String, placedAt: Instant
  ) {
    self.orderID = orderID
    self.paymentID = paymentID
    self.lines = lines
    self.total = total
    self.buyer = buyer
    self.returnURLs = returnURLs
    self.language = language
    self.placedAt = placedAt
  }
}

extension CheckoutTerms {
  /// Why the lines cannot be the total's; nil if they add up to it.
  public var linesFault: String? {
    var sum = Money.zero(total.currency)
    for (index, line) in lines.enumerated() {
      guard line.quantity >= 1, line.unitPrice.minorUnits >= 0 else {
        return "line \(index) needs a quantity of 1 or more and a price of 0 or more"
      }
      guard let added = line.unitPrice.multiplied(by: line.quantity).flatMap(sum.adding) else {
        return "line \(index) is in another currency than the total, or too large"
      }
      sum = added
    }
    return sum == total ? nil : "the lines add up to \(sum), the total is \(total)"
  }

  /// The error of terms that a provider cannot be asked for.
  public func refusal(_ reason: String) -> ProviderError {
    ProviderError(.refused, detail: "order \(orderID): \(reason); nothing was sent")
  }

  /// The total as a provider's integer.
  ///
  /// - Throws: ``ProviderError`` of kind `refused` for another currency than the account's, a total
  ///   that is not positive, not the sum of the lines or no whole number on the wire.
  public func wireTotal(_ amounts: IntegerAmounts) throws(ProviderError) -> Int64 {
    guard total.currency == amounts.currency else {
      throw refusal(
        "\(total.currency.code) is not paid through this account, which takes "
          + "\(amounts.currency.code) with \(amounts.currency.exponent) decimals")
    }
    guard total.minorUnits > 0 else { throw refusal("the total is not positive") }
    if let fault = linesFault { throw refusal(fault) }
    guard let wire = amounts.wire(total) else {
      throw refusal("\(total) is no whole amount with \(amounts.exponent) decimals")
    }
    return wire
  }
}

/// Who buys: personal data, which goes into the provider's request and never into a log.
public struct Buyer: Hashable, Sendable, CustomStringConvertible {
  /// Full name.
  public var name: String
  /// Email address.
  public var email: String
  /// Phone number: in international form, `+971500000001`, or as it is dialled at home in
  /// ``country``.
  public var phone: String
  /// The buyer's country, two capital letters of ISO 3166-1, where it is known.
  public var country: String?
  /// Where goods go, if anywhere.
  public var shippingAddress: ShippingAddress?
  /// When the buyer's account at the shop was made.
  public var registeredSince: Instant?
  /// How many earlier orders of the buyer succeeded.
  public var successfulOrders: Int
  /// The name that the buyer plays under, where goods go to a game's account.
  public var username: String?
  /// Address that the buyer comes from, where a provider takes our server for the buyer without.
  public var ipAddress: String?

  /// Collects what is known of a buyer.
  public init(
    name: String, email: String, phone: String, country: String? = nil,
    shippingAddress: ShippingAddress? = nil, registeredSince: Instant? = nil,
    successfulOrders: Int = 0, username: String? = nil,
    ipAddress: String? = nil
  ) {
    self.name = name
    self.email = email
    self.phone = phone
    self.country = country
    self.shippingAddress = shippingAddress
    self.registeredSince = registeredSince
    self.successfulOrders = successfulOrders
    self.username = username
    self.ipAddress = ipAddress
  }

  /// Always `‹buyer›`, so that no log or error shows personal data.
  public var description: String { "‹buyer›" }
}

/// Where goods go.
public struct ShippingAddress: Hashable, Sendable {
  /// City.
  public var city: String
  /// Street and house.
  public var address: String
  /// Postal code; empty where there is none.
  public var zip: String

  /// Builds an address.
  public init(city: String, address: String, zip: String) {
    self.city = city
    self.address = address
    self.zip = zip
  }
}
