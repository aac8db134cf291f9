import CheckoutService
import PaymentModels
import ProviderInterface
import StrictJSON

/// A `BuyerSource` over a file of users: enough for a demo. Replace it by your own accounts.
struct FileBuyers: BuyerSource {
  private var buyers: [Subject: Buyer] = [:]

  /// Reads `{"buyers": [{"subject", "name", "email", "phone", "country", "city", "address", "zip",
  /// "registered_since", "successful_orders", "username"}]}`; all but the first four may be
  /// missing.
  init(json: JSONValue) throws(ConfigurationError) {
    let rows = try SettingsReader.rows(
      json, file: "buyers", member: "buyers",
      allowed: [
        "subject", "name", "email", "phone", "country", "city", "address", "zip",
        "registered_since",
        "successful_orders", "username",
      ])
    for row in rows {
      let buyer = Buyer(
        name: try row.text("name"), email: try row.text("email"), phone: try row.text("phone"),
        country: try Self.country(row),
        shippingAddress: try Self.address(row), registeredSince: try Self.date(row),
        successfulOrders: Int(
          clamping: try row.integer("successful_orders", in: 0...1_000_000) ?? 0),
        username: try row.optionalText("username"))
      guard buyers.updateValue(buyer, forKey: Subject(try row.text("subject"))) == nil else {
        throw ConfigurationError(row.name("subject"), "stands twice")
      }
    }
  }

  private static func country(
    _ row: SettingsReader
  ) throws(ConfigurationError) -> String? {
    guard let text = try row.optionalText("country") else { return nil }
    guard text.utf8.count == 2, text.utf8.allSatisfy({ (65...90).contains($0) }) else {
      throw ConfigurationError(row.name("country"), "must be two capital letters such as AE")
    }
    return text
  }

  /// City and street go together; one alone is a mistake.
  private static func address(
    _ row: SettingsReader
  ) throws(ConfigurationError) -> ShippingAddress? {
    let zip = try row.optionalText("zip")
    switch (try row.optionalText("city"), try row.optionalText("address")) {
    case (let city?, let street?):
      return ShippingAddress(city: city, address: street, zip: zip ?? "")
    case (nil, nil) where zip == nil: return nil
    default: throw ConfigurationError(row.path, "needs city and address, or neither")
    }
  }

  private static func date(_ row: SettingsReader) throws(ConfigurationError) -> Instant? {
    guard let text = try row.optionalText("registered_since") else { return nil }
    guard let instant = Instant(iso8601: text) else {
      throw ConfigurationError(row.name("registered_since"), "must be a date such as 2024-01-15")
    }
    return instant
  }

  func buyer(_ subject: Subject) async throws(CheckoutError) -> Buyer {
    guard let buyer = buyers[subject] else {
      throw CheckoutError(.invalid, "Nothing is known of this buyer; add them to the buyers file.")
    }
    return buyer
  }
}
