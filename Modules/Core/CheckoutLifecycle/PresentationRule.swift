public import PaymentModels

/// What holds for one strategy at one provider: one row of the table ``all``.
public struct PresentationRule: Hashable, Sendable {
  /// When the page goes after a return URL was seen. Only a return starts it: no timer ever
  /// closes a page on which the payer may still be.
  public enum Teardown: Hashable, Sendable {
    /// With the return; the server is asked all the same.
    case atOnce
    /// After the first answer of the server, or after `cap` if none has come.
    case afterFirstAnswer(cap: Duration)
    /// When there is something to report, and before it is reported.
    case beforeResult

    /// Whether the first answer of the server ends it.
    var isByFirstAnswer: Bool {
      if case .afterFirstAnswer = self { true } else { false }
    }
  }

  /// What a page may load in the app's web view.
  public enum PageScope: String, Hashable, Sendable {
    /// The provider's page and where it leads, banks included.
    case anyWebPage = "any_web_page"
    /// The checkout's origin and nothing else.
    case checkoutOrigin = "checkout_origin"
  }

  /// At which provider.
  public let provider: ProviderName
  /// How the page is shown.
  public let strategy: PresentationStrategy
  /// When the page goes after a return.
  public let teardown: Teardown
  /// The parameter by which the provider's page adds its payment id to return URLs, if it does.
  public var paymentIDParameter: String?
  /// What the page may load where the app sees its navigation.
  public var pageScope = PageScope.anyWebPage
  /// How its return URLs are recognised, as links and as navigations.
  public var returnMode = ReturnURLMatcher.Mode.segments
  /// What the page may ask of the device where the app answers for it.
  public var permissions: [PagePermission] = []
  /// Whether the document has the app hold a secret of the payment
  /// (``CheckoutPayment/verificationKey``); elsewhere none is kept.
  public var holdsVerificationKey = false
  /// Why it is as it is, after the provider's document.
  public let reason: String

  /// Every supported pair, a provider's best one first. A pair that is not here is not started.
  public static let all = tabby + tebex + futa + rais + seb

  /// The row of a pair; nil if the kit does not support it.
  public static func rule(
    provider: ProviderName, strategy: PresentationStrategy
  ) -> PresentationRule? {
    all.first { $0.provider == provider && $0.strategy == strategy }
  }

  /// The strategy that the kit recommends at a provider: the first of its rows that exists on
  /// the platform, any platform if none is named; nil if there is none.
  public static func recommended(
    for provider: ProviderName, on platform: PresentationStrategy.Platform? = nil
  ) -> PresentationStrategy? {
    all.first { row in
      row.provider == provider
        && (platform.map { row.strategy.traits.platforms.contains($0) } ?? true)
    }?.strategy
  }
}

extension PresentationRule {
  // "Integration without SDK": "Most robust pattern: browser + deep links", in a Custom Tab or
  // one of the two in-app browsers; a web view is supported, which "must not be torn down the
  // instant a merchant_url loads", starts at its first URL when it is built anew, and needs
  // "camera and gallery" for the payer's identity card.
  private static let tabby = [
    PresentationRule(
      provider: .tabby, strategy: .systemBrowser, teardown: .atOnce,
      paymentIDParameter: "payment_id",
      reason: "The browser keeps the page while the system reclaims the app."),
    PresentationRule(
      provider: .tabby, strategy: .customTab, teardown: .atOnce, paymentIDParameter: "payment_id",
      reason: "It keeps the app's process in the foreground meanwhile."),
    PresentationRule(
      provider: .tabby, strategy: .authSession, teardown: .atOnce,
      paymentIDParameter: "payment_id",
      reason: "It keeps the app in the foreground and hands the callback back to it."),
    PresentationRule(
      provider: .tabby, strategy: .safariView, teardown: .atOnce,
      paymentIDParameter: "payment_id",
      reason: "It keeps the app in the foreground; the return comes as a link."),
    PresentationRule(
      provider: .tabby, strategy: .webView, teardown: .afterFirstAnswer(cap: .seconds(5)),
      paymentIDParameter: "payment_id", permissions: [.camera, .microphone, .gallery],
      reason: "The app owns permissions and the recovery of the page."),
  ]

  // "Embedding Tebex Checkout in an iOS App": "When it closes, dismiss and confirm the outcome by
  // re-fetching the basket".
  private static let tebex = [
    PresentationRule(
      provider: ProviderName("tebex"), strategy: .authSession, teardown: .atOnce,
      reason: "It is the system's browser, so wallets and 3-D Secure work reliably."),
    PresentationRule(
      provider: ProviderName("tebex"), strategy: .webView, teardown: .atOnce,
      reason: "The app sees every navigation, and owns the chrome and the popups."),
  ]

  // "Mobile SDKs": the return address ends the session by itself.
  private static let futa = [
    PresentationRule(
      provider: .futa, strategy: .webView, teardown: .atOnce, pageScope: .checkoutOrigin,
      returnMode: .originAndPath, reason: "Bank credentials are never typed inside the app.")
  ]

  // "Mobile and app integrations": "Use the secure browser of the platform", which its example
  // opens as a session that ends by itself with the return.
  private static let rais = [
    PresentationRule(
      provider: .rais, strategy: .authSession, teardown: .atOnce,
      paymentIDParameter: "payment_id",
      reason: "It shows the address to the payer and handles 3-D Secure as banks expect."),
    PresentationRule(
      provider: .rais, strategy: .customTab, teardown: .atOnce, paymentIDParameter: "payment_id",
      reason: "The secure browser of Android, in a window of the app."),
    PresentationRule(
      provider: .rais, strategy: .systemBrowser, teardown: .atOnce,
      paymentIDParameter: "payment_id",
      reason: "The secure browser itself; its result page stays until the payer comes back."),
    PresentationRule(
      provider: .rais, strategy: .safariView, teardown: .atOnce,
      paymentIDParameter: "payment_id",
      reason: "The secure browser inside the app; the return comes as a link."),
  ]

  // "Hosted checkout": "The page runs in a WKWebView the SDK presents modally", which it
  // "dismisses before calling you back".
  private static let seb = [
    PresentationRule(
      provider: ProviderName("seb"), strategy: .webView, teardown: .beforeResult,
      holdsVerificationKey: true,
      reason: "All methods work in it, and the bank's app is opened from it.")
  ]
}
