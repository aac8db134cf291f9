import MerchantServer

extension ServerConfiguration {
  /// Where payers come back to, as the providers are told.
  static func returnBase(_ reader: SettingsReader) throws(ConfigurationError) -> String {
    let text = try reader.text("app_return_base")
    guard isBase(text) else {
      throw ConfigurationError(
        reader.name("app_return_base"),
        "must be a deep link such as myshop://checkout, without query or slash at the end")
    }
    return text
  }

  /// Where the pages below `/return` lead; the return base unless told.
  static func deepLink(
    _ reader: SettingsReader, returnBase: String
  ) throws(ConfigurationError) -> String {
    guard let text = try reader.optionalText("app_deep_link") else {
      guard !isWeb(returnBase) || !returnBase.hasSuffix("/return") else {
        throw ConfigurationError(
          reader.name("app_deep_link"),
          "is needed with a web address as app_return_base: its pages would lead to themselves")
      }
      return returnBase
    }
    guard isBase(text), !isWeb(text) else {
      throw ConfigurationError(
        reader.name("app_deep_link"),
        "must be a link of the app's own scheme such as myshop://checkout, without query or slash "
          + "at the end")
    }
    return text
  }

  /// The apps that open the return addresses by themselves.
  static func associations(
    _ reader: SettingsReader, _ source: SettingsSource, returnBase: String
  ) throws(ConfigurationError) -> AppAssociations {
    var associations = AppAssociations()
    associations.appleAppIDs = try reader.texts("apple_app_ids") ?? []
    for (index, id) in associations.appleAppIDs.enumerated() where !isAppleAppID(id) {
      throw ConfigurationError(
        "\(reader.name("apple_app_ids"))[\(index)]",
        "must be team and bundle such as ABCDE12345.com.example.shop")
    }
    if reader.has("android_apps") {
      for (index, element) in try reader.elements("android_apps").enumerated() {
        let app = try SettingsReader(
          element, path: "\(reader.name("android_apps"))[\(index)]",
          allowed: ["package", "sha256_cert_fingerprints"], source: source)
        associations.androidApps.append(try androidApp(app))
      }
    }
    if isWeb(returnBase) {
      let parts = returnBase.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
      associations.linkPaths = parts.count == 4 ? "/\(parts[3])/*" : "/*"
    }
    return associations
  }

  private static func androidApp(
    _ reader: SettingsReader
  ) throws(ConfigurationError) -> AppAssociations.AndroidApp {
    let package = try reader.text("package")
    let parts = package.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, parts.allSatisfy(isPackagePart) else {
      throw ConfigurationError(reader.name("package"), "must be such as com.example.shop")
    }
    let member = "sha256_cert_fingerprints"
    guard let fingerprints = try reader.texts(member) else {
      throw ConfigurationError(reader.name(member), "is missing")
    }
    for (index, text) in fingerprints.enumerated() where !isFingerprint(text) {
      throw ConfigurationError(
        "\(reader.name(member))[\(index)]",
        "must be 32 pairs of upper-case hexadecimal digits with colons between")
    }
    return AppAssociations.AndroidApp(package: package, fingerprints: fingerprints)
  }

  /// Something that a word and a query can be put behind.
  private static func isBase(_ text: String) -> Bool {
    text.contains("://") && !text.contains("?") && !text.contains("#") && !text.hasSuffix("/")
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  private static func isWeb(_ text: String) -> Bool {
    let scheme = text.prefix { $0 != ":" }.lowercased()
    return scheme == "https" || scheme == "http"
  }

  private static func isAppleAppID(_ text: String) -> Bool {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 10, !parts[1].isEmpty else { return false }
    return parts[0].utf8.allSatisfy { (65...90).contains($0) || (48...57).contains($0) }
      && parts[1].utf8.allSatisfy { isLetterOrDigit($0) || $0 == 0x2D || $0 == 0x2E }
  }

  private static func isPackagePart(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, (97...122).contains(first | 0x20) else { return false }
    return text.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "_") }
  }

  private static func isFingerprint(_ text: String) -> Bool {
    let pairs = text.split(separator: ":", omittingEmptySubsequences: false)
    return pairs.count == 32
      && pairs.allSatisfy { pair in
        pair.utf8.count == 2
          && pair.utf8.allSatisfy { (65...70).contains($0) || (48...57).contains($0) }
      }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (97...122).contains(byte | 0x20) || (48...57).contains(byte)
  }
}
