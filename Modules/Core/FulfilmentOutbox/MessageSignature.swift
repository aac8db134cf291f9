public import HTTPExchange
public import KitEnvironment
public import PaymentModels

/// The signature of an outgoing message, by the Standard Webhooks scheme: HMAC-SHA256 over
/// `id.timestamp.body`, base64, after `v1,`.
///
/// Useful alone: a receiver in Swift checks with ``isValid(_:body:now:)`` what a sender made
/// with ``headers(id:at:body:)``.
public struct MessageSignature: Sendable {
  /// A message older or newer than this is refused.
  public static let tolerance: Duration = .seconds(300)

  /// More signatures than a sender has secrets, while they rotate; beyond, all are refused.
  public static let signaturesMax = 16

  private let key: [UInt8]
  private let hashing: Hashing

  /// Signs and checks with one secret, whose UTF-8 bytes are the key.
  public init(secret: Secret, hashing: Hashing) {
    key = Array(secret.reveal().utf8)
    self.hashing = hashing
  }

  /// The three headers of a message.
  public func headers(id: String, at now: Instant, body: [UInt8]) -> HTTPHeaders {
    let seconds = String(now.milliseconds / 1_000)
    return [
      "webhook-id": id, "webhook-timestamp": seconds,
      "webhook-signature": "v1," + base64Text(mac(id, seconds, body)),
    ]
  }

  /// Whether headers and body were made with the same secret, at most ``tolerance`` from `now`.
  public func isValid(_ headers: HTTPHeaders, body: [UInt8], now: Instant) -> Bool {
    let signatures = headers.values("webhook-signature").flatMap { $0.split(separator: " ") }
    guard let id = headers["webhook-id"], let text = headers["webhook-timestamp"],
      let seconds = Self.seconds(text), signatures.count <= Self.signaturesMax,
      abs((now.milliseconds / 1_000) - seconds) <= Self.tolerance.components.seconds
    else { return false }
    let wanted = Array(("v1," + base64Text(mac(id, text, body))).utf8)
    return signatures.contains { hashing.areEqual(Array($0.utf8), wanted) }
  }

  /// Seconds of 1 to 11 digits and nothing else: no number that could overflow a difference.
  private static func seconds(_ text: String) -> Int64? {
    guard (1...11).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int64(text)
  }

  private func mac(_ id: String, _ seconds: String, _ body: [UInt8]) -> [UInt8] {
    hashing.hmacSHA256(key, Array("\(id).\(seconds).".utf8) + body)
  }
}
