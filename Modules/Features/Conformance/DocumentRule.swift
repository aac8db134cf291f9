/// The line of a provider's public document that a check comes from, or the suite's own advice.
public struct DocumentRule: Hashable, Sendable {
  /// Whose document it is.
  public let provider: ConformanceProvider
  /// Title of the document.
  public let document: String
  /// Section, list or sentence in it.
  public let place: String

  init(_ provider: ConformanceProvider, _ document: String, _ place: String) {
    self.provider = provider
    self.document = document
    self.place = place
  }

  /// Title and place.
  public var text: String { "\(document): \(place)" }

  /// What no document of the provider's says, and why it is wise all the same.
  static func advice(_ provider: ConformanceProvider, _ reason: String) -> DocumentRule {
    DocumentRule(provider, "The suite's own advice", reason)
  }

  /// The same advice for several providers.
  static func advice(
    _ providers: [ConformanceProvider], _ reason: String
  ) -> [DocumentRule] {
    providers.map { .advice($0, reason) }
  }

  static func tabby(_ place: String) -> DocumentRule {
    DocumentRule(.tabby, "Integration without SDK (WebView)", place)
  }

  static func futa(_ place: String) -> DocumentRule { DocumentRule(.futa, "Mobile SDKs", place) }

  static func rais(_ place: String) -> DocumentRule {
    DocumentRule(.rais, "Mobile and app integrations", place)
  }

  static func tebex(_ place: String) -> DocumentRule {
    DocumentRule(.tebex, "Embedding Tebex Checkout in an iOS App", place)
  }

  static func tebexWebhooks(_ place: String) -> DocumentRule {
    DocumentRule(.tebex, "Webhooks", place)
  }

  static func seb(_ place: String) -> DocumentRule { DocumentRule(.seb, "Hosted checkout", place) }

  static func sebCallbacks(_ place: String) -> DocumentRule {
    DocumentRule(.seb, "Callback notifications", place)
  }
}
