import CheckoutService
import PaymentModels
import ProviderInterface
import StrictJSON

/// A `BuyerSource` over a file of users: enough for a demo. Replace it by your own accounts.
struct FileBuyers: BuyerSource {
  private var buyers: [Subject: Buyer] = [:]

  /// Reads `{"buyers": [{"subject", "name", "email", "phone", "city", "address", "zip",
  /// "registered_since", "successful_orders"}]}`; all but the first four may be missing.
  init(json: JSONValue) throws(ConfigurationError) {
    guard let elements = json["buyers"]?.elements else {
      throw ConfigurationError("buyers", "must hold an array “buyers”")
    }
    for (index, element) in elements.enumerated() {
      guard let subject = element["subject"]?.text, let name = element["name"]?.text,
        let email = element["email"]?.text, let phone = element["phone"]?.text
      else {
        throw ConfigurationError(
          "buyers.buyers[\(index)]", "needs subject, name, email and phone")
      }
      var address: ShippingAddress?
      if let city = element["city"]?.text, let street = element["address"]?.text {
        address = ShippingAddress(city: city, address: street, zip: element["zip"]?.text ?? "")
      }
      buyers[Subject(subject)] = Buyer(
        name: name, email: email, phone: phone, shippingAddress: address,
        registeredSince: element["registered_since"]?.text.flatMap { Instant(iso8601: $0) },
        successfulOrders: element["successful_orders"]?.int64.map(Int.init(clamping:)) ?? 0)
    }
  }

  func buyer(_ subject: Subject) async throws(CheckoutError) -> Buyer {
    guard let buyer = buyers[subject] else {
      throw CheckoutError(.invalid, "Nothing is known of this buyer; add them to the buyers file.")
    }
    return buyer
  }
}
