public import PaymentModels

/// A strategy that a provider's document rules out: one row of the table ``all``.
///
/// A pair that stands neither here nor in ``PresentationRule/all`` is merely not supported.
public struct PresentationRefusal: Hashable, Sendable {
  /// At which provider.
  public let provider: ProviderName
  /// How the page must not be shown.
  public let strategy: PresentationStrategy
  /// Why, in the words of the provider's document.
  public let reason: String

  /// Every pair that is refused.
  public static let all: [PresentationRefusal] = [
    // Raïs, "Mobile and app integrations", *Open the checkout*.
    PresentationRefusal(
      provider: .rais, strategy: .webView,
      reason: "Use the secure browser of the platform, not a plain WebView."),
    // Tebex, "Embedding Tebex Checkout in an iOS App", *Two ways to present checkout*.
    PresentationRefusal(
      provider: ProviderName("tebex"), strategy: .safariView,
      reason: "It cannot observe the completion redirect that closes the page."),
  ]

  /// The row of a pair; nil if nothing rules it out.
  public static func refusal(
    provider: ProviderName, strategy: PresentationStrategy
  ) -> PresentationRefusal? {
    all.first { $0.provider == provider && $0.strategy == strategy }
  }
}
