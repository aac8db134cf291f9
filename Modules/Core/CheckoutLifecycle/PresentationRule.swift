public import PaymentModels

/// How the hosted page is put before the payer. Raw values stand in the device store.
public enum PresentationStrategy: String, Hashable, Sendable, CaseIterable {
  /// The system's browser or browser session with return links into the app.
  case systemBrowser = "system_browser"
  /// A web view that the app embeds, whose navigation it sees.
  case webView = "web_view"
}

/// What holds for one strategy at one provider: one row of the table ``all``.
public struct PresentationRule: Hashable, Sendable {
  /// When the page goes after a return URL was seen.
  public enum Teardown: Hashable, Sendable {
    /// With the return; the server is asked all the same.
    case atOnce
    /// After the first answer of the server, or after `cap` if none has come.
    case afterFirstAnswer(cap: Duration)
  }

  /// At which provider.
  public let provider: ProviderName
  /// How the page is shown.
  public let strategy: PresentationStrategy
  /// Whether the kit takes it for this provider unless told otherwise.
  public let isRecommended: Bool
  /// When the page goes after a return.
  public let teardown: Teardown
  /// Whether the page lives on when the app's screen is built anew.
  public let outlivesView: Bool
  /// The parameter by which the provider's page adds its payment id to return URLs, if it does.
  public let paymentIDParameter: String?
  /// Why, in the words of the provider's document.
  public let reason: String
  /// What the page may load where the app sees its navigation.
  public var pageScope = PageScope.anyWebPage

  /// What a page may load in the app's web view.
  public enum PageScope: Hashable, Sendable {
    /// The provider's page and where it leads, banks included.
    case anyWebPage
    /// The checkout's origin and nothing else; see ``OriginOnlyPolicy``.
    case checkoutOrigin
  }

  /// Every supported pair. A pair that is not here is not started.
  public static let all: [PresentationRule] = [
    // Tabby, "Integration without SDK": "Most robust pattern: browser + deep links".
    PresentationRule(
      provider: .tabby, strategy: .systemBrowser, isRecommended: true, teardown: .atOnce,
      outlivesView: true, paymentIDParameter: "payment_id",
      reason: "The browser keeps the page while the system reclaims the app."),
    // Same page: "Don't tear down the WebView the instant a merchant_url loads", and a web view
    // that is built anew starts at its first URL.
    PresentationRule(
      provider: .tabby, strategy: .webView, isRecommended: false,
      teardown: .afterFirstAnswer(cap: .seconds(5)), outlivesView: false,
      paymentIDParameter: "payment_id",
      reason: "The app owns permissions and the recovery of the page."),
    // Raïs, "Mobile and app integrations": "Use the secure browser of the platform". Its sessions
    // end by themselves with the return.
    PresentationRule(
      provider: .rais, strategy: .systemBrowser, isRecommended: true, teardown: .atOnce,
      outlivesView: true, paymentIDParameter: "payment_id",
      reason: "It shows the address to the payer and handles 3-D Secure pages as banks expect."),
    // Futa, "Mobile SDKs": the return address ends the session by itself, and the session ends
    // with the activity that it was opened over.
    PresentationRule(
      provider: .futa, strategy: .webView, isRecommended: true, teardown: .atOnce,
      outlivesView: false, paymentIDParameter: nil,
      reason: "Bank credentials are never typed inside the app.", pageScope: .checkoutOrigin),
  ]

  /// The row of a pair; nil if the kit does not support it.
  public static func rule(
    provider: ProviderName, strategy: PresentationStrategy
  ) -> PresentationRule? {
    all.first { $0.provider == provider && $0.strategy == strategy }
  }

  /// The strategy that the kit recommends at a provider; nil if it supports none there.
  public static func recommended(for provider: ProviderName) -> PresentationStrategy? {
    all.first { $0.provider == provider && $0.isRecommended }?.strategy
  }
}
