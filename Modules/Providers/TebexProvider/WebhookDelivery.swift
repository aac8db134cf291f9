import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import StrictJSON

/// A delivery at the webhook endpoint. Its signature is checked over the raw bytes before anything
/// is parsed: the sender escapes more than it must, so a body that was written anew does not fit.
struct WebhookDelivery {
  let request: HTTPRequest
  let configuration: TebexConfiguration
  let hashing: Hashing

  static let signatureHeader = "X-Signature"

  func inspection() -> WebhookInspection {
    switch matchedSecret() {
    case .success(let index): return content(matchedSecret: index)
    case .failure(let refusal): return .unauthentic(reason: refusal.reason)
    }
  }

  private struct Refusal: Error {
    let reason: String
  }

  /// HMAC-SHA256 over the lower-case hexadecimal SHA-256 of the body. Every secret is compared, so
  /// that the time taken tells nothing about which one fits.
  private func matchedSecret() -> Result<Int, Refusal> {
    let secrets = configuration.settings.webhookSecrets
    guard !secrets.isEmpty else {
      return .failure(Refusal(reason: "no webhook secret is configured"))
    }
    let sent = request.headers.values(Self.signatureHeader)
    guard sent.count == 1, let signature = sent.first else {
      return .failure(Refusal(reason: "X-Signature is missing, or stands there more than once"))
    }
    let message = Array(hexText(hashing.sha256(request.body)).utf8)
    let given = Array(signature.utf8)
    let matches = secrets.indices.filter { index in
      let key = Array(secrets[index].reveal().utf8)
      return hashing.areEqual(given, Array(hexText(hashing.hmacSHA256(key, message)).utf8))
    }
    return matches.first.map { .success($0) }
      ?? .failure(Refusal(reason: "the signature fits no secret"))
  }

  private func content(matchedSecret: Int) -> WebhookInspection {
    let event: WebhookEvent
    do {
      event = try WebhookEvent(request.body)
    } catch {
      return .malformed(reason: error.description)
    }
    if event.topic == .validation {
      return .handshake(answer: JSONValue.object(["id": .string(event.id)]).serialized())
    }
    // A store also sells elsewhere: what does not carry our reference is not about us.
    let reference = event.topic.concernsPayment ? Custom(event.subject["custom"])?.paymentID : nil
    return .notice(
      WebhookNotice(
        providerPaymentID: nil, paymentReference: reference, matchedSecret: matchedSecret,
        eventID: event.id, topic: event.word, isProof: reference != nil && event.topic.isProof,
        isIgnored: reference == nil))
  }
}

/// The envelope of every delivery.
struct WebhookEvent {
  /// Tebex' id of the event.
  let id: String
  /// Its type as it came.
  let word: String
  /// What that means here.
  let topic: WebhookTopic
  /// A payment; an empty one may come as an array.
  let subject: JSONValue
  /// When it happened, if it can be read.
  let occurredAt: Instant?

  init(_ body: [UInt8]) throws(JSONPathError) {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: body, limits: webhookLimits)
    } catch {
      throw JSONPathError(path: "the body", "is not JSON: \(error)")
    }
    id = try json.text(at: "id")
    word = try json.text(at: "type")
    guard isVisible(id), id.utf8.count <= 100, isVisible(word), word.utf8.count <= 100 else {
      throw JSONPathError(path: "id", "or type is no word")
    }
    topic = WebhookTopic(word)
    subject = json["subject"] ?? .null
    occurredAt = json["date"]?.text.flatMap(Instant.init(iso8601:))
  }
}

/// What an event's type means to the kit.
enum WebhookTopic: Hashable {
  /// Asks whether our endpoint is there.
  case validation
  /// The basket was paid.
  case completed
  /// A try was refused; the basket may still be paid.
  case declined
  /// The payment was given back.
  case refunded
  /// A dispute came to this point.
  case dispute(DisputeStanding)
  /// Of recurring payments, of baskets, or not known.
  case other

  init(_ word: String) {
    let disputes = DisputeStanding.allCases.first { word == "payment.dispute.\($0.rawValue)" }
    switch word {
    case "validation.webhook": self = .validation
    case "payment.completed": self = .completed
    case "payment.declined": self = .declined
    case "payment.refunded": self = .refunded
    default: self = disputes.map { .dispute($0) } ?? .other
    }
  }

  var concernsPayment: Bool {
    switch self {
    case .completed, .declined, .refunded, .dispute: true
    case .validation, .other: false
    }
  }

  /// Whether it says of money what it alone can say. A declined try says nothing of the basket,
  /// which another try may have paid meanwhile.
  var isProof: Bool { concernsPayment && self != .declined }
}

/// A payment with a long cart has a few kilobytes.
private let webhookLimits = JSONLimits(bytesMax: 256 << 10, depthMax: 16)
