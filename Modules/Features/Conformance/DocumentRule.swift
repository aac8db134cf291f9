/// The line of a provider's public document that a check comes from.
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
