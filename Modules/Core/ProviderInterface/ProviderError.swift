/// A call to a provider that brought no usable answer, grouped by what the caller may do next.
public struct ProviderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the caller may do next.
  public enum Kind: String, Hashable, Sendable {
    /// The provider cannot have seen the request: repeat at will.
    case notSent = "not_sent"
    /// The provider may have acted: read first. Never means failed.
    case unknown
    /// A readable 4xx: the provider did nothing and says why. Final only if every earlier send
    /// of the same operation was `notSent`.
    case refused
    /// The provider knows no such payment (404). On a read it changes nothing by itself.
    case notFound = "not_found"
    /// Keys are wrong, or the region is (401, 403): nobody's payment is to blame.
    case unauthorized
    /// Too many calls (429): slow down.
    case throttled
  }

  /// What the caller may do next.
  public let kind: Kind
  /// HTTP status, if an answer came.
  public let status: Int?
  /// The provider's own short code (`bad_data`), if it could be read.
  public let code: String?
  /// What went wrong, without secrets or buyer data, at most 300 characters.
  public let detail: String
  /// How long the provider asks us to wait.
  public let retryAfter: Duration?

  /// Builds an error.
  public init(
    _ kind: Kind, status: Int? = nil, code: String? = nil, detail: String,
    retryAfter: Duration? = nil
  ) {
    self.kind = kind
    self.status = status
    self.code = code
    self.detail = String(detail.prefix(300))
    self.retryAfter = retryAfter
  }

  /// Whether the call certainly did nothing: never seen, or turned away unlooked at, as with an
  /// access token that ran out on the way (401) or too many calls (429).
  public var provesNothingDone: Bool { kind == .notSent || status == 401 || status == 429 }

  /// An operation that the provider's document does not know: refused before anything is sent.
  public static func notDocumented(_ operation: String, at provider: String) -> ProviderError {
    ProviderError(
      .refused, code: "not_documented",
      detail: "\(provider) documents no \(operation); nothing was sent")
  }

  /// Kind, status, code and detail on one line.
  public var description: String {
    let facts = [status.map { "HTTP \($0)" }, code].compactMap { $0 }.joined(separator: " ")
    return "\(kind.rawValue)\(facts.isEmpty ? "" : " (\(facts))"): \(detail)"
  }
}
