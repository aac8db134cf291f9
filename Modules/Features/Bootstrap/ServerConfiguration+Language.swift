extension ServerConfiguration {
  /// Reads `language`: two letters as in ISO 639-1. One that a configured provider would refuse at
  /// each create is refused here.
  static func language(
    _ reader: SettingsReader, hasTabby: Bool
  ) throws(ConfigurationError) -> String {
    let language = try reader.optionalText("language") ?? "en"
    guard language.utf8.count == 2, language.utf8.allSatisfy({ (97...122).contains($0) }) else {
      throw ConfigurationError("language", "must be two lower-case letters, such as en")
    }
    guard !hasTabby || ["en", "ar"].contains(language) else {
      throw ConfigurationError("language", "must be en or ar: Tabby's page speaks no other")
    }
    return language
  }
}
