public import KitEnvironment
public import PaymentModels

/// Checks webhooks that are signed with `t=SECONDS,v1=HEX` where HEX is HMAC-SHA256 over
/// `SECONDS.body`: the scheme of providers that sign and date what they send.
///
/// The bytes are verified as they came; nothing is parsed before. Several secrets may be valid at
/// once, and a sender may put several signatures into the header, so that a secret is changed
/// without a gap. For outgoing messages see `MessageSignature` of FulfilmentOutbox.
public struct TimestampedSignature: Sendable {
  /// Signatures in one header at the most: a rotation needs two, and each costs a comparison.
  public static let itemsMax = 16

  private let keys: [[UInt8]]
  private let tolerance: Duration
  private let hashing: Hashing

  /// Checks with these secrets, in their order.
  ///
  /// - Parameter tolerance: how far a stamp may lie from now, to both sides.
  public init(secrets: [Secret], tolerance: Duration = .seconds(300), hashing: Hashing) {
    precondition(!secrets.isEmpty && !secrets.contains(where: \.isBlank), "a blank secret fits all")
    keys = secrets.map { Array($0.reveal().utf8) }
    self.tolerance = tolerance
    self.hashing = hashing
  }

  /// What a check found.
  public enum Verdict: Hashable, Sendable {
    /// Made with the secret at this position, so the log can tell when an old one is unused.
    case valid(matchedSecret: Int)
    /// The header cannot be read: no stamp, a bad one, no usable signature, too many.
    case malformed(String)
    /// The stamp lies too far from now: by so many seconds, negative if it is old.
    case outsideWindow(seconds: Int64)
    /// No signature fits any secret.
    case mismatch
  }

  /// Checks the raw bytes of a delivery.
  ///
  /// - Parameter headers: every value of the signature header, in their order.
  public func verify(_ headers: [String], body: [UInt8], now: Instant) -> Verdict {
    let items = headers.flatMap { $0.split(separator: ",") }.map(trimmed)
    let stamps = items.filter { $0.hasPrefix("t=") }.map { String($0.dropFirst(2)) }
    let signatures = items.filter { $0.hasPrefix("v1=") }.map { Array($0.dropFirst(3).utf8) }
    guard let stamp = stamps.first, stamps.allSatisfy({ $0 == stamp }) else {
      return .malformed("one stamp is needed")
    }
    guard signatures.count <= Self.itemsMax else { return .malformed("too many signatures") }
    let usable = signatures.filter { $0.count == 64 }
    guard !usable.isEmpty else { return .malformed("no usable signature") }
    guard let seconds = wholeSeconds(stamp) else { return .malformed("the stamp is no time") }
    let distance = seconds - now.milliseconds / 1_000
    guard abs(distance) <= tolerance.components.seconds else {
      return .outsideWindow(seconds: distance)
    }
    let message = Array("\(stamp).".utf8) + body
    // Every pair is compared, so that the time taken tells nothing about which one fits.
    var matched: Int?
    for (index, key) in keys.enumerated() {
      let wanted = Array(hexText(hashing.hmacSHA256(key, message)).utf8)
      for signature in usable where hashing.areEqual(signature, wanted) {
        matched = matched ?? index
      }
    }
    return matched.map { .valid(matchedSecret: $0) } ?? .mismatch
  }

  /// Whole seconds of this era: milliseconds and other units are refused, not guessed.
  private func wholeSeconds(_ text: String) -> Int64? {
    guard (1...11).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int64(text)
  }

  private func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" }
    let end = start.reversed().drop { $0 == " " || $0 == "\t" }
    return String(end.reversed())
  }
}
