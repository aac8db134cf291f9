public import PaymentModels

/// Tells whether a URL that was opened in the app, or that a web view goes to, is one of the
/// return URLs of a payment.
///
/// Scheme, host and port must be the same; query and fragment do not count; how the path is
/// compared is the ``Mode``. The longest registered path wins, and of equal ones success before
/// cancel before failure. A match means "ask the server".
public struct ReturnURLMatcher: Hashable, Sendable {
  /// How much of a registered URL must be seen again.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// The registered path, or what lies under it by whole segments (SEB, "How the return URL is
    /// matched").
    case segments
    /// Origin and path, neither more nor less (Futa: "its origin and path").
    case originAndPath = "origin_and_path"
    /// The scheme alone, as a browser session matches its callback. Only for what the session
    /// hands over: a link of the system may have the app's scheme for other reasons. The URL that
    /// has most in common tells which return it is.
    case scheme
  }

  private struct Registered: Hashable {
    let kind: CheckoutReturn.Kind
    let url: ReturnURL
  }

  /// How paths are compared.
  public let mode: Mode
  private let registered: [Registered]

  /// Takes the URLs that were registered with the payment; one that cannot be read matches
  /// nothing.
  public init(_ urls: ReturnURLs, mode: Mode = .segments) {
    self.mode = mode
    registered = CheckoutReturn.Kind.allCases.compactMap { kind in
      let text =
        switch kind {
        case .success: urls.success
        case .cancel: urls.cancel
        case .failure: urls.failure
        }
      return ReturnURL(text).map { Registered(kind: kind, url: $0) }
    }
  }

  /// The return that `url` is; nil if it is none of ours.
  public func match(_ url: String) -> CheckoutReturn? {
    guard let seen = ReturnURL(url) else { return nil }
    var best: (kind: CheckoutReturn.Kind, score: Int)?
    for candidate in registered {
      guard let score = score(candidate.url, seen), score > best?.score ?? -1 else { continue }
      best = (candidate.kind, score)
    }
    return best.map { CheckoutReturn(kind: $0.kind, parameters: seen.parameters) }
  }

  /// The scheme that a browser session waits for (`callbackURLScheme`): the one of the return
  /// URLs; nil if they have several, or one of the web, which a session cannot wait for.
  public var callbackScheme: String? {
    guard let scheme = registered.first?.url.scheme, scheme != "http", scheme != "https",
      registered.allSatisfy({ $0.url.scheme == scheme })
    else { return nil }
    return scheme
  }

  /// How well it fits; nil if it does not.
  private func score(_ registered: ReturnURL, _ seen: ReturnURL) -> Int? {
    switch mode {
    case .segments: registered.covers(seen) ? registered.segments.count : nil
    case .originAndPath: registered.isSamePage(as: seen) ? registered.segments.count : nil
    case .scheme: registered.scheme == callbackScheme ? registered.likeness(to: seen) : nil
    }
  }
}
