public import HTTPExchange
public import KitEnvironment
public import PaymentModels

/// Checks the signature header of a webhook delivery over the raw bytes, by a scheme that is a
/// setting: for providers that sign what they send and whose document does not say how.
public struct WebhookSignature: Sendable {
  /// How a signature is made.
  public enum Scheme: String, Hashable, Sendable, CaseIterable {
    /// `t=SECONDS,v1=HEX`, HMAC-SHA256 over `SECONDS.body`; see ``TimestampedSignature``.
    case timestamped
    /// HMAC-SHA256 over the raw body, hexadecimal in lower case. It tells nothing of the time.
    case body
  }

  /// What a check found.
  public enum Verdict: Hashable, Sendable {
    /// Made with the secret at this position.
    case valid(matchedSecret: Int)
    /// Not from the provider, as far as can be told; the reason holds no secret.
    case refused(reason: String)
  }

  private let scheme: Scheme
  private let header: String
  private let secrets: [Secret]
  private let hashing: Hashing

  /// Checks the header of that name with these secrets.
  public init(scheme: Scheme, header: String, secrets: [Secret], hashing: Hashing) {
    precondition(!secrets.isEmpty && !secrets.contains(where: \.isBlank), "a blank secret fits all")
    self.scheme = scheme
    self.header = header
    self.secrets = secrets
    self.hashing = hashing
  }

  /// Checks a delivery as it came.
  public func verify(_ request: HTTPRequest, now: Instant) -> Verdict {
    let sent = request.headers.values(header)
    guard !sent.isEmpty else { return .refused(reason: "the signature header is missing") }
    switch scheme {
    case .timestamped: return verifyStamped(sent, request.body, now)
    case .body: return verifyBody(sent, request.body)
    }
  }

  private func verifyStamped(_ sent: [String], _ body: [UInt8], _ now: Instant) -> Verdict {
    let check = TimestampedSignature(secrets: secrets, hashing: hashing)
    switch check.verify(sent, body: body, now: now) {
    case .valid(let index): return .valid(matchedSecret: index)
    case .malformed(let reason): return .refused(reason: reason)
    case .outsideWindow(let seconds):
      return .refused(reason: "the stamp is \(seconds) s away from now")
    case .mismatch: return .refused(reason: "the signature fits no secret")
    }
  }

  /// Every secret is compared, so that the time taken tells nothing about which one fits.
  private func verifyBody(_ sent: [String], _ body: [UInt8]) -> Verdict {
    guard sent.count == 1, let signature = sent.first else {
      return .refused(reason: "the signature header stands there more than once")
    }
    let given = Array(signature.utf8)
    let matches = secrets.indices.filter { index in
      let key = Array(secrets[index].reveal().utf8)
      return hashing.areEqual(given, Array(hexText(hashing.hmacSHA256(key, body)).utf8))
    }
    return matches.first.map { .valid(matchedSecret: $0) }
      ?? .refused(reason: "the signature fits no secret")
  }
}
