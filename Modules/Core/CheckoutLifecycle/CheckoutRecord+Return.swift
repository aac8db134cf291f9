import PaymentModels

extension CheckoutRecord {
  /// The return that `url` is for this checkout; nil if it is none of its return URLs.
  public func match(_ url: String) -> CheckoutReturn? {
    payment.flatMap { ReturnURLMatcher($0.returnURLs).match(url) }
  }

  /// Whether a parameter of the return names this checkout's payment, by the kit's id or the
  /// provider's.
  public func isNamed(by link: CheckoutReturn) -> Bool {
    guard let payment else { return false }
    return link.parameters.contains {
      $0.value == payment.paymentID.rawValue || $0.value == payment.providerPaymentID?.rawValue
    }
  }
}
