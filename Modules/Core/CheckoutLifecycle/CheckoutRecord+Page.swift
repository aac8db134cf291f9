extension CheckoutRecord {
  /// The rules of this checkout's page inside the app; nil if it is not shown in a web view, or
  /// may load only an origin and the app trusts none.
  ///
  /// - Parameter origin: the checkout that the app trusts, where the provider asks for one.
  public func navigationPolicy(
    on platform: PresentationStrategy.Platform, trusting origin: CheckoutOrigin?
  ) -> NavigationPolicy? {
    guard strategy == .webView, let rule, let payment else { return nil }
    let returns = ReturnURLMatcher(payment.returnURLs, mode: rule.returnMode)
    switch rule.pageScope {
    case .anyWebPage:
      return NavigationPolicy(scope: .anyWebPage, returns: returns, platform: platform)
    case .checkoutOrigin:
      return origin.map {
        NavigationPolicy(scope: .checkoutOrigin($0), returns: returns, platform: platform)
      }
    }
  }

  /// What the page of this checkout may ask of the device inside the app; nil if there is none.
  public var permissionPolicy: PermissionPolicy? {
    guard let rule, strategy.traits.permissions == .app, let url = payment?.checkoutURL else {
      return nil
    }
    return PermissionPolicy(checkoutURL: url, allowed: rule.permissions)
  }

  /// Its row in the table of presentations; nil for a pair that the kit no longer supports.
  var rule: PresentationRule? {
    PresentationRule.rule(provider: request.provider, strategy: strategy)
  }
}
