public import CheckoutLifecycle

/// The place where hosted pages appear: a browser session or a web view of the app, a driver in
/// the simulator.
public struct CheckoutPage: Sendable {
  /// Puts the page on the screen and returns as soon as it is there; throws if it cannot be, a
  /// `PresentationFailure` if it can say why.
  public var open: @Sendable (CheckoutKey, String, PresentationStrategy) async throws -> Void
  /// Takes the page off the screen; does nothing if it is gone.
  public var close: @Sendable (CheckoutKey) async -> Void
  /// Opens an address that a page in a web view may not load, byte for byte as it stands in the
  /// opening, and says whether anything took it. The carrier there is the kit's advice: a host
  /// with a way of its own opens it by that.
  public var openOutside: @Sendable (CheckoutKey, OutsideOpening) async -> Bool

  /// Collects them.
  ///
  /// - Parameter openOutside: needed only where pages are shown in a web view; unless given,
  ///   nothing takes what they hand out.
  public init(
    open: @escaping @Sendable (CheckoutKey, String, PresentationStrategy) async throws -> Void,
    close: @escaping @Sendable (CheckoutKey) async -> Void,
    openOutside: @escaping @Sendable (CheckoutKey, OutsideOpening) async -> Bool = { _, _ in false }
  ) {
    self.open = open
    self.close = close
    self.openOutside = openOutside
  }
}

/// Something that the payer should see.
public struct CheckoutUpdate: Hashable, Sendable {
  /// Of which checkout.
  public var key: CheckoutKey
  /// Its payment, once known.
  public var payment: CheckoutPayment?
  /// What to show.
  public var display: CheckoutDisplay

  /// Collects the values.
  public init(key: CheckoutKey, payment: CheckoutPayment?, display: CheckoutDisplay) {
    self.key = key
    self.payment = payment
    self.display = display
  }
}

/// Why no checkout is started.
public enum CheckoutRefusal: Error, Hashable, Sendable {
  /// The kit does not support this way of showing pages at this provider.
  case unsupportedPresentation
  /// The provider's document rules this way of showing its page out, in these words.
  case refusedPresentation(reason: String)
  /// Too many checkouts are open; none of them may be forgotten.
  case tooManyOpen
}
