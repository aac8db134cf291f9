/// Something of the device that a page in an app's web view may ask for.
public enum PagePermission: String, Hashable, Sendable, CaseIterable {
  /// A photo or video taken now.
  case camera
  /// A recording made now.
  case microphone
  /// Pictures that the payer picks; nothing else is offered.
  case gallery
}

/// What the app does with such a wish.
public enum PermissionDecision: Hashable, Sendable {
  /// The page is told no.
  case deny
  /// The payer is asked, by the system's own question or picker; a picker offers `mediaTypes`
  /// and nothing else.
  case ask([PagePermission], mediaTypes: [String])
}

/// Which wishes of a page are put to the payer: those that the provider's document names, and
/// only if they come from the main frame of the provider's own origin.
public struct PermissionPolicy: Hashable, Sendable {
  private let origin: WebOrigin?
  private let allowed: [PagePermission]

  /// Rules for the page of one payment.
  ///
  /// - Parameter checkoutURL: the hosted page, whose origin is the provider's.
  public init(checkoutURL: String, allowed: [PagePermission]) {
    origin = WebOrigin(of: checkoutURL)
    self.allowed = allowed
  }

  /// What becomes of a wish. What is granted is the part of it that the document names.
  ///
  /// - Parameter url: the address, or the origin, of the frame that asks.
  public func decide(
    _ wishes: [PagePermission], from url: String, isMainFrame: Bool
  ) -> PermissionDecision {
    let granted = wishes.filter(allowed.contains)
    guard let origin, isMainFrame, WebOrigin(of: url) == origin, !granted.isEmpty else {
      return .deny
    }
    return .ask(granted, mediaTypes: granted.contains(.gallery) ? ["image/*"] : [])
  }
}
