import PaymentModels

extension CheckoutRecord {
  /// Whose a return is, as far as its parameters tell.
  public enum ReturnAim: Hashable, Sendable {
    /// It names this checkout's payment.
    case named
    /// It names no payment.
    case open
    /// It names another payment.
    case another
  }

  /// The return that `url` is for this checkout; nil if it is none of its return URLs.
  public func match(_ url: String) -> CheckoutReturn? {
    payment.flatMap {
      ReturnURLMatcher($0.returnURLs, mode: rule?.returnMode ?? .segments).match(url)
    }
  }

  /// The return that a browser session of this checkout ended with; nil if the URL says nothing
  /// that the session may rely on, as when it names another payment.
  public func match(callback url: String) -> CheckoutReturn? {
    let link = payment.flatMap { ReturnURLMatcher($0.returnURLs, mode: .scheme).match(url) }
    return link.flatMap { aim(of: $0) == .another ? nil : $0 }
  }

  /// The scheme for which a browser session of this checkout waits (`callbackURLScheme`); nil if
  /// its return URLs have several, or one of the web, so that it cannot be shown in one.
  public var callbackScheme: String? {
    payment.flatMap { ReturnURLMatcher($0.returnURLs, mode: .scheme).callbackScheme }
  }

  /// Whether the return names this checkout's payment, by the kit's id or the provider's.
  ///
  /// An id is looked for under any name. That a link is about another payment is only said where
  /// ids are known to stand: in the provider's parameter, and where the registered URL has ours.
  public func aim(of link: CheckoutReturn) -> ReturnAim {
    guard let payment else { return .another }
    let isNamed = link.parameters.contains {
      $0.value == payment.paymentID.rawValue || $0.value == payment.providerPaymentID?.rawValue
    }
    if isNamed { return .named }
    let urls = payment.returnURLs
    let registered = [urls.success, urls.cancel, urls.failure].flatMap {
      ReturnURL($0)?.parameters ?? []
    }
    var names = registered.filter { $0.value == payment.paymentID.rawValue }.map(\.name)
    if let name = rule?.paymentIDParameter { names.append(name) }
    return link.parameters.contains { names.contains($0.name) } ? .another : .open
  }
}
