import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import StrictJSON

/// A delivery at the webhook endpoint. Its signature is checked over the raw bytes before anything
/// is parsed; then the body says which payment to read. What else it says may be proof where the
/// scheme of the signature is known.
struct WebhookDelivery {
  let request: HTTPRequest
  let settings: FutaWebhookSettings?
  let mode: PaymentMode
  let hashing: Hashing
  let now: Instant

  func inspection() -> WebhookInspection {
    guard let settings else {
      return .unauthentic(reason: "no webhook secret is configured")
    }
    let signature = WebhookSignature(
      scheme: settings.scheme, header: settings.header, secrets: settings.secrets,
      hashing: hashing)
    switch signature.verify(request, now: now) {
    case .valid(let index): return payment(settings, matchedSecret: index)
    case .refused(let reason): return .unauthentic(reason: reason)
    }
  }

  private func payment(
    _ settings: FutaWebhookSettings, matchedSecret: Int
  ) -> WebhookInspection {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: request.body, limits: webhookLimits)
    } catch {
      return .malformed(reason: "the body is not JSON: \(error)")
    }
    guard let payment = settings.payment(in: json), let id = payment["id"]?.text, isToken(id) else {
      return .malformed(reason: "the body names no payment")
    }
    let reference = payment["merchant_reference"]?.text
    return .notice(
      WebhookNotice(
        providerPaymentID: ProviderPaymentID(id),
        paymentReference: reference.flatMap { isCanonicalUUID($0) ? $0 : nil },
        matchedSecret: matchedSecret, isProof: settings.isSchemeConfirmed || mode == .test))
  }
}

extension FutaWebhookSettings {
  /// The payment in the body of a delivery; nil if there is none.
  func payment(in json: JSONValue) -> JSONValue? {
    paymentPath.isEmpty ? json : json.find(paymentPath)
  }
}

/// A payment has a dozen members; the bounds leave room for an envelope that is not documented.
let webhookLimits = JSONLimits(bytesMax: 64 << 10, depthMax: 16)
