import HTTPExchange
import PaymentModels
import ProviderInterface
import StrictJSON

/// A callback. Nothing signs it, so it says which payment to read and nothing more: neither its
/// status nor its sender's address counts.
struct WebhookDelivery {
  let request: HTTPRequest

  func inspection() -> WebhookInspection {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: request.body, limits: callbackLimits)
    } catch {
      return .malformed(reason: "the body is not JSON: \(error)")
    }
    guard let id = json["paymentId"]?.text, isSEBPaymentID(id) else {
      return .malformed(reason: "the body names no payment")
    }
    return .notice(
      WebhookNotice(
        providerPaymentID: ProviderPaymentID(id), paymentReference: nil, matchedSecret: nil,
        topic: json["type"]?.text.map(unknownWord)))
  }
}

/// Three short members; the bounds leave room for a few more.
private let callbackLimits = JSONLimits(bytesMax: 16 << 10, depthMax: 8)
