public import PaymentModels
public import StrictJSON

/// The choices for webhooks that carry a payment and are signed in a way that the provider's
/// document leaves open.
public struct PaymentDeliverySettings: Hashable, Sendable {
  /// Header that carries the signature.
  public var header: String
  /// How it is made.
  public var scheme = WebhookSignature.Scheme.timestamped
  /// Secrets that are accepted: the new one and, while a secret is being changed, the old one.
  public var secrets: [Secret]
  /// Where the payment stands in the body; empty if the body is the payment.
  public var paymentPath: String
  /// Whether somebody has seen that the header and the scheme are the provider's own. Until then
  /// a delivery with live keys proves nothing and causes a read; ``mayProve(in:)`` tells.
  public var isSchemeConfirmed = false

  /// At most so many secrets at once: a rotation needs two.
  public static let secretsMax = 4
  /// A live secret is at least so many bytes long, so that it cannot be guessed.
  public static let liveSecretBytesMin = 16

  /// The choices that a provider's document makes likely, for these secrets.
  public init(secrets: [Secret], header: String, paymentPath: String) {
    self.secrets = secrets
    self.header = header
    self.paymentPath = paymentPath
  }

  /// What is wrong with the header; nil if nothing is.
  public var headerFault: String? { isToken(header) ? nil : "must be the name of a header" }

  /// What is wrong with the secrets; nil if nothing is.
  public func secretsFault(_ mode: PaymentMode) -> String? { Self.fault(of: secrets, mode) }

  /// What is wrong with the secrets of webhooks; nil if nothing is.
  public static func fault(of secrets: [Secret], _ mode: PaymentMode) -> String? {
    guard (1...secretsMax).contains(secrets.count) else {
      return "must be 1 to \(secretsMax) secrets"
    }
    let least = mode == .live ? liveSecretBytesMin : 1
    guard secrets.allSatisfy({ !$0.isBlank && $0.reveal().utf8.count >= least }) else {
      return "must not be blank, and at least \(liveSecretBytesMin) bytes if live"
    }
    return nil
  }

  /// Whether what an authentic delivery says of the payment is proof: with live keys once the
  /// scheme is confirmed, with test keys always.
  public func mayProve(in mode: PaymentMode) -> Bool { isSchemeConfirmed || mode == .test }

  /// The payment in the body of a delivery.
  ///
  /// - Throws: ``StrictJSON/JSONError`` if the body is no JSON.
  /// - Returns: nil if there is none.
  public func payment(in body: [UInt8]) throws(JSONError) -> JSONValue? {
    let json = try JSONValue(parsing: body, limits: webhookLimits)
    return paymentPath.isEmpty ? json : json.find(paymentPath)
  }
}

/// A payment has a dozen members; the bounds leave room for an envelope that is not documented.
private let webhookLimits = JSONLimits(bytesMax: 64 << 10, depthMax: 16)
