import PaymentModels
import ProviderInterface
import StrictJSON

/// Builds the body of `POST /payments` and refuses terms that it cannot express.
///
/// The same terms give the same bytes: nothing is read but the terms and the configuration.
struct CheckoutRequest {
  let configuration: RaisConfiguration
  let terms: CheckoutTerms

  func bytes() throws(ProviderError) -> [UInt8] {
    let amount = try terms.wireTotal(configuration.amounts)
    let (success, cancel) = (terms.returnURLs.success, terms.returnURLs.cancel)
    for url in [success, cancel] { try check(returnURL: url) }
    var members = [
      JSONMember(name: "amount", value: .integer(amount)),
      // Names the attempt, so that a webhook that comes before the answer finds its payment.
      JSONMember(name: "reference", value: .string(terms.paymentID.rawValue)),
      // Raïs keeps them as they are written, so they are written as they are configured.
      JSONMember(name: "success_url", value: .string(success)),
      JSONMember(name: "cancel_url", value: .string(cancel)),
    ]
    if let language = configuration.settings.language {
      members.append(JSONMember(name: "language", value: .string(language)))
    }
    return JSONValue.object(members).serialized()
  }

  /// An https address or one of the app's own scheme; http, for a server on a desk, only with a
  /// test key.
  private func check(returnURL url: String) throws(ProviderError) {
    let scheme = asciiLowercased(String(url.prefix { $0 != ":" }))
    guard isVisible(url), url.utf8.count <= returnURLBytesMax, url.contains(":"), isScheme(scheme)
    else {
      throw terms.refusal("a return URL has no scheme, is too long or not printable ASCII")
    }
    guard scheme != "http" || configuration.mode == .test else {
      throw terms.refusal("a return URL is http, which a live payment does not take")
    }
  }

  /// RFC 3986, section 3.1.
  private func isScheme(_ text: String) -> Bool {
    text.utf8.first.map { (97...122).contains($0) } == true
      && text.utf8.allSatisfy {
        (97...122).contains($0) || (48...57).contains($0) || [43, 45, 46].contains($0)
      }
  }
}

// Browsers and systems cut addresses not far above.
private let returnURLBytesMax = 2_048
