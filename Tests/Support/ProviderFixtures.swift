public import HTTPExchange
public import PaymentModels
public import ProviderInterface

/// A fixture that cannot be built: the test is wrong, not what it looks at.
public struct FixtureError: Error {
  /// The one there is.
  public init() {}
}

/// An exact amount, by a code of ISO 4217.
public func isoMoney(_ decimal: String, _ code: String) throws -> Money {
  guard let currency = Currency(iso4217: code) else { throw FixtureError() }
  return try Money(decimal: decimal, currency: currency)
}

/// A transport that gives the same answer to every request.
public func answering(
  _ body: String, status: Int = 200, headers: HTTPHeaders = ["Content-Type": "application/json"]
) -> ClosureTransport {
  ClosureTransport { _ in
    HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
  }
}

/// Runs a call that must fail and gives its error; nil if it succeeds or throws another one.
public func failure(_ call: () async throws -> some Sendable) async -> ProviderError? {
  do {
    _ = try await call()
    return nil
  } catch {
    return error as? ProviderError
  }
}

extension CheckoutTerms {
  /// Terms of one line; `change` makes what a test is about.
  public static func sample(
    _ total: Money, lines: [OrderLine]? = nil, _ change: (inout CheckoutTerms) -> Void = { _ in }
  ) -> CheckoutTerms {
    var terms = CheckoutTerms(
      orderID: OrderID("01936f5e-8a00-7000-8000-0000000000a1"),
      paymentID: PaymentID("01936f5e-8a00-7000-8000-0000000000b1"),
      lines: lines ?? [
        OrderLine(
          productID: "lamp", title: "Solar lamp", category: "home", quantity: 1, unitPrice: total)
      ],
      total: total,
      buyer: Buyer(name: "Test Buyer", email: "buyer@shop.example", phone: "+971500000001"),
      returnURLs: ReturnURLs(
        success: "https://shop.example/thanks", cancel: "https://shop.example/cancel",
        failure: "https://shop.example/failure"),
      language: "en", placedAt: Instant(milliseconds: 1_790_000_000_000))
    change(&terms)
    return terms
  }
}
