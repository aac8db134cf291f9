import ProviderInterface

/// A buyer's number as it is sent: international, whatever way it was written.
///
/// Tabby takes four forms of a number of the account's country (`500000001`, `0500000001`,
/// `+971500000001`, `971500000001`), so a national one is no guess here. One that fits neither is
/// none: Tabby needs a number, and a wrong one is somebody else's.
///
/// - Parameters:
///   - home: the buyer's country, where it is known.
///   - currency: of the payment, which tells it else, as Tabby's own plug-ins have it.
func tabbyPhone(_ text: String, home: String?, currency: String) -> String? {
  if let phone = InternationalPhone(text, country: home) { return phone.text }
  guard let country = countries[currency], home.map({ $0 == country.name }) ?? true else {
    return nil
  }
  var digits = InternationalPhone.bare(text)
  guard digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
  let isWhole = digits.utf8.count == country.callingCode.utf8.count + country.digits
  if isWhole, digits.hasPrefix(country.callingCode) {
    digits.removeFirst(country.callingCode.utf8.count)
  } else if country.hasTrunkZero, digits.hasPrefix("0") {
    digits.removeFirst()
  }
  guard digits.utf8.count == country.digits, let first = digits.first,
    country.firstDigits.contains(first)
  else { return nil }
  return InternationalPhone(callingCode: country.callingCode, subscriber: digits).text
}

/// Mobile numbers, to which Tabby sends its code, without what is dialled before them at home.
private struct Country {
  let name: String
  let callingCode: String
  let digits: Int
  let firstDigits: String
  let hasTrunkZero: Bool
}

private let countries = [
  "AED": Country(
    name: "AE", callingCode: "971", digits: 9, firstDigits: "5", hasTrunkZero: true),
  "SAR": Country(
    name: "SA", callingCode: "966", digits: 9, firstDigits: "5", hasTrunkZero: true),
  "KWD": Country(
    name: "KW", callingCode: "965", digits: 8, firstDigits: "569", hasTrunkZero: false),
]
