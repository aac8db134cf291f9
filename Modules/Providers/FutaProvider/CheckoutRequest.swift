import PaymentModels
import ProviderInterface
import StrictJSON

/// Builds the body of a create for an app's embedded checkout, and refuses terms that it cannot
/// express.
struct CheckoutRequest {
  let configuration: FutaConfiguration
  let terms: CheckoutTerms
  /// When the attempt is made. `expires_at` counts from here, once: a repeat sends these bytes
  /// again, because Futa's key binds every term.
  let now: Instant

  func bytes() throws(ProviderError) -> [UInt8] {
    let amount = try terms.wireTotal(configuration.amounts)
    try checkReturnURL()
    let life = Duration.seconds(configuration.settings.paymentLifeMinutes * 60)
    // Whole seconds, as in Futa's own example.
    let end = (now + life).milliseconds / 1_000 * 1_000
    return JSONValue.object([
      "amount": .integer(amount),
      "currency": .string(terms.total.currency.code),
      "merchant_reference": .string(terms.paymentID.rawValue),
      "description": .string("Order \(terms.orderID)"),
      "return_url": .string(terms.returnURLs.success),
      "expires_at": .string(Instant(milliseconds: end).description),
      "embedding": .object(["mode": "app"]),
    ]).serialized()
  }

  /// Futa's page shows an https address and compares its origin and path.
  private func checkReturnURL() throws(ProviderError) {
    let url = terms.returnURLs.success
    guard isVisible(url), url.utf8.count <= returnURLBytesMax else {
      throw terms.refusal("the return URL is empty, too long or not printable ASCII")
    }
    if url.hasPrefix("https://"), webOrigin(of: url) != nil { return }
    let scheme = url.prefix { $0 != ":" }
    let isOwnScheme = !["http", "https"].contains(asciiLowercased(String(scheme)))
    guard configuration.settings.allowsAppReturnURL, isOwnScheme, url.contains(":") else {
      throw terms.refusal("the return URL must be https")
    }
  }
}

// Browsers and systems cut addresses not far above.
private let returnURLBytesMax = 2_048
