public import CheckoutLifecycle

extension CheckoutSession {
  /// Performs what the page's policy decided to open outside the page, through the host's
  /// ``CheckoutPage/openOutside``, and tells the checkout that the payer is away.
  ///
  /// If nothing takes the address, its fallback is tried, a web address by which a payer without
  /// the app can go on. A decision that ends the page's session is reported by whoever holds the
  /// page, as its end.
  /// - Returns: whether something was opened; false also for a decision that opens nothing. Tell
  ///   the payer then that the app is missing.
  @discardableResult
  public func openOutside(_ decision: NavigationDecision, of key: CheckoutKey) async -> Bool {
    switch decision {
    case .openReceipt(let opening): return await carry(opening, key)
    case .openOutside(let opening, let end):
      let isOpened = await carry(opening, key)
      if isOpened, end == nil { apply(.wentOutside, to: key) }
      return isOpened
    case .load, .loadInPlace, .block, .interceptReturn, .openChild: return false
    }
  }

  private func carry(_ opening: OutsideOpening, _ key: CheckoutKey) async -> Bool {
    if await page.openOutside(key, opening) { return true }
    guard let fallback = opening.fallback else { return false }
    return await page.openOutside(
      key, OutsideOpening(url: fallback, carrier: opening.fallbackCarrier))
  }
}
