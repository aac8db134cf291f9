import PaymentModels
import StrictJSON

/// How a payer goes through one provider's hosted page. Each provider has one, so that a story
/// can be played at all of them and names none.
protocol HostedPayer: Sendable {
  /// What is bought there and what the sandbox calls things.
  var facts: HostedPage { get }

  /// Pays; gives the last page, whose link leads back to the shop.
  func pay(on page: PayerBrowser.Page, _ cast: StoryCast) async throws -> PayerBrowser.Page

  /// Pays by a method that the provider may still be working on when the page is done.
  func payUnsettled(
    on page: PayerBrowser.Page, _ cast: StoryCast
  ) async throws -> PayerBrowser.Page

  /// Goes as far as where the payer confirms away from the page; gives that place.
  func goToBank(from page: PayerBrowser.Page, _ cast: StoryCast) async throws -> PayerBrowser.Page

  /// Confirms there.
  func confirm(at bank: PayerBrowser.Page, _ cast: StoryCast) async throws

  /// Tries in vain; the page stays open for another try.
  func failOnce(on page: PayerBrowser.Page, _ cast: StoryCast) async throws

  /// Is refused for good: by the page, or by the provider while the page is open.
  func beRefused(
    on page: PayerBrowser.Page, order: String, _ cast: StoryCast
  ) async throws
}

extension HostedPayer {
  func payUnsettled(
    on page: PayerBrowser.Page, _ cast: StoryCast
  ) async throws -> PayerBrowser.Page {
    try await pay(on: page, cast)
  }

  /// The provider ends the payment by itself.
  func beRefused(on page: PayerBrowser.Page, order: String, _ cast: StoryCast) async throws {
    guard let word = facts.rejected else {
      throw StoryFailure("\(facts.provider) refuses nobody for good")
    }
    try await cast.setStatus(of: order, word)
    await cast.say(.payer, "is refused by the provider")
  }
}

/// What is bought at a provider and what its sandbox calls things.
struct HostedPage: Sendable {
  let provider: ProviderName
  /// The product that is bought, and its price as the ledger writes it.
  let product: String
  let price: String
  /// How the ledger writes that nothing was taken.
  let nothing: String
  /// Words of the ledger: nothing has happened; paid.
  let open: String
  let paid: String
  /// Words for what ends a payment unpaid; nil if nothing does.
  var rejected: String?
  var expired: String?
  /// The payer who is refused on the page.
  var refusedPayer = StoryPayer.approved
  /// The fault by which the provider works on a payment that the payer has confirmed.
  let delayFault: String
  /// The fault by which webhooks come late, and whether it takes a list.
  var webhookDelay: (fault: String, isList: Bool) = ("webhook_delay_ms", false)
  /// The fault without which the cancel link ends the payment, if there is one.
  var cancelFault: String?
  /// Whether the page speaks Arabic.
  var speaksArabic = false
}

extension HostedPage {
  /// Everyone, in the order of the providers' rows.
  static let payers: [any HostedPayer] = [
    TabbyPayer(), TebexPayer(), FutaPayer(), RaisPayer(), SEBPayer(),
  ]

  /// Faults of a payment that the provider works on for `duration`.
  func works(for duration: Duration) -> JSONValue {
    .object([JSONMember(name: delayFault, value: .integer(duration.wholeMilliseconds))])
  }

  /// Faults of a payment whose webhooks come so much later.
  func webhooksLate(by duration: Duration) -> JSONValue {
    let wait: JSONValue = .integer(duration.wholeMilliseconds)
    return .object([
      JSONMember(
        name: webhookDelay.fault, value: webhookDelay.isList ? .array([wait]) : wait)
    ])
  }
}
