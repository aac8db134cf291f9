public import PaymentModels

/// Tells whether a URL that was opened in the app, or that a web view goes to, is one of the
/// return URLs of a payment.
///
/// Scheme, host and port must be the same and the registered path must be the seen one or a
/// whole-segment prefix of it; query and fragment do not count. The longest registered path wins,
/// and of equal ones success before cancel before failure. A match means "ask the server".
public struct ReturnURLMatcher: Sendable {
  private let registered: [(kind: CheckoutReturn.Kind, url: ReturnURL)]

  /// Takes the URLs that were registered with the payment; one that cannot be read matches
  /// nothing.
  public init(_ urls: ReturnURLs) {
    registered = CheckoutReturn.Kind.allCases.compactMap { kind in
      let text =
        switch kind {
        case .success: urls.success
        case .cancel: urls.cancel
        case .failure: urls.failure
        }
      return ReturnURL(text).map { (kind, $0) }
    }
  }

  /// The return that `url` is; nil if it is none of ours.
  public func match(_ url: String) -> CheckoutReturn? {
    guard let seen = ReturnURL(url) else { return nil }
    var best: (kind: CheckoutReturn.Kind, url: ReturnURL)?
    for candidate in registered where candidate.url.covers(seen) {
      if candidate.url.segments.count > best?.url.segments.count ?? -1 { best = candidate }
    }
    return best.map { CheckoutReturn(kind: $0.kind, parameters: seen.parameters) }
  }
}
