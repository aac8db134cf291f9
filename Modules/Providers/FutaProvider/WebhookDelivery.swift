import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import StrictJSON

/// A delivery at the webhook endpoint. Its signature is checked over the raw bytes before anything
/// is parsed; then the body says which payment to read, and the read tells the rest.
struct WebhookDelivery {
  let request: HTTPRequest
  let settings: FutaWebhookSettings?
  let hashing: Hashing
  let now: Instant

  func inspection() -> WebhookInspection {
    guard let settings else {
      return .unauthentic(reason: "no webhook secret is configured")
    }
    switch verify(settings) {
    case .valid(let index): return payment(settings, matchedSecret: index)
    case .malformed(let reason): return .unauthentic(reason: reason)
    case .outsideWindow(let seconds):
      return .unauthentic(reason: "the stamp is \(seconds) s away from now")
    case .mismatch: return .unauthentic(reason: "the signature fits no secret")
    }
  }

  private func verify(_ settings: FutaWebhookSettings) -> TimestampedSignature.Verdict {
    let sent = request.headers.values(settings.header)
    guard !sent.isEmpty else { return .malformed("the signature header is missing") }
    switch settings.scheme {
    case .timestamped:
      return TimestampedSignature(secrets: settings.secrets, hashing: hashing)
        .verify(sent, body: request.body, now: now)
    case .body:
      return verifyBody(sent, settings.secrets)
    }
  }

  /// Every secret is compared, so that the time taken tells nothing about which one fits.
  private func verifyBody(
    _ sent: [String], _ secrets: [Secret]
  ) -> TimestampedSignature.Verdict {
    guard sent.count == 1, let signature = sent.first else {
      return .malformed("the signature header stands there more than once")
    }
    let given = Array(signature.utf8)
    let matches = secrets.indices.filter { index in
      let key = Array(secrets[index].reveal().utf8)
      return hashing.areEqual(
        given, Array(hexText(hashing.hmacSHA256(key, request.body)).utf8))
    }
    return matches.first.map { .valid(matchedSecret: $0) } ?? .mismatch
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
    let payment = settings.paymentPath.isEmpty ? json : json.find(settings.paymentPath)
    guard let payment, let id = payment["id"]?.text, isToken(id) else {
      return .malformed(reason: "the body names no payment")
    }
    let reference = payment["merchant_reference"]?.text
    return .payment(
      ProviderPaymentID(id),
      paymentReference: reference.flatMap { isCanonicalUUID($0) ? $0 : nil }, mode: nil,
      matchedSecret: matchedSecret)
  }
}

/// A payment has a dozen members; the bounds leave room for an envelope that is not documented.
let webhookLimits = JSONLimits(bytesMax: 256 << 10, depthMax: 16)
