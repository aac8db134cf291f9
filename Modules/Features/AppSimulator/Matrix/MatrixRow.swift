import CheckoutLifecycle
import PaymentModels

/// One supported way of showing one provider's page.
struct MatrixRow: Sendable {
  /// What holds for the pair.
  let rule: PresentationRule
  /// How the page is gone through.
  let payer: any HostedPayer

  var provider: ProviderName { rule.provider }
  var strategy: PresentationStrategy { rule.strategy }
  var traits: PresentationTraits { strategy.traits }
  /// Whether the app learns that the payer has closed the page.
  var tellsOfClosing: Bool { traits.gives.contains(.closed) }
  /// As in `tabby/web_view`.
  var name: String { "\(provider)/\(strategy.rawValue)" }

  /// All of them, in the order of ``PresentationRule/all``. A test fails on a rule without payer.
  static let all: [MatrixRow] = PresentationRule.all.compactMap { rule in
    HostedPage.payers.first { $0.facts.provider == rule.provider }
      .map { MatrixRow(rule: rule, payer: $0) }
  }
}
