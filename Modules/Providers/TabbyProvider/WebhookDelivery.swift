import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import StrictJSON

/// A delivery at the webhook endpoint. Tabby signs nothing: the header tells that it comes from
/// Tabby, the body tells which payment to read, and the read tells the rest.
struct WebhookDelivery {
  let request: HTTPRequest
  let header: TabbyWebhookHeader?
  let hashing: Hashing

  func inspection() -> WebhookInspection {
    var matchedSecret: Int?
    if let header {
      let sent = request.headers.values(header.title)
      guard let value = sent.first else {
        return .unauthentic(reason: "the webhook header is missing")
      }
      // Two of them mean that something in between has added one; which is whose is a guess.
      guard sent.count == 1 else {
        return .unauthentic(reason: "the webhook header stands there more than once")
      }
      guard let index = match(value, header.values) else {
        return .unauthentic(reason: "the webhook header has another value")
      }
      matchedSecret = index
    }
    return payment(matchedSecret: matchedSecret)
  }

  /// Index of the configured value that was sent. All are compared, each in constant time, so
  /// that the time tells neither how much was right nor which one it was.
  private func match(_ value: String, _ values: [Secret]) -> Int? {
    let sent = Array(value.utf8)
    let matches = values.indices.filter { index in
      hashing.areEqual(sent, Array(values[index].reveal().utf8))
    }
    return matches.first
  }

  private func payment(matchedSecret: Int?) -> WebhookInspection {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: request.body, limits: webhookLimits)
    } catch {
      return .malformed(reason: "the body is not JSON: \(error)")
    }
    guard let id = json["id"]?.text, isCanonicalUUID(id) else {
      return .malformed(reason: "id is not a UUID")
    }
    let reference = json["meta"]?["payment_id"]?.text
    return .notice(
      WebhookNotice(
        providerPaymentID: ProviderPaymentID(id),
        paymentReference: reference.flatMap { isCanonicalUUID($0) ? $0 : nil },
        matchedSecret: matchedSecret, mode: paymentMode(json["is_test"])))
  }
}

/// A real delivery has a few kilobytes; captures and refunds add some more. Its objects nest
/// four levels deep, and a merchant's own `meta` is flat.
let webhookLimits = JSONLimits(bytesMax: 64 << 10, depthMax: 16)
