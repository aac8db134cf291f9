import StrictJSON

/// What a request tells of a person, so that an answer which says it back can be starred out.
enum PersonalTexts {
  /// Members whose text is a person's, or may be, wherever they stand; as providers write them.
  private static let words = [
    "address", "buyer", "city", "consumer", "customer", "email", "family", "msisdn", "name",
    "payer", "phone", "street", "user", "zip",
  ]
  /// A shorter word would star out half of what the provider says.
  private static let wordBytesMin = 3

  /// The texts and their single words; none if the bytes are no JSON.
  static func texts(in body: [UInt8]) -> [String] {
    guard !body.isEmpty, let json = try? JSONValue(parsing: body) else { return [] }
    var found: [String] = []
    collect(json, isPersonal: false, into: &found)
    return found
  }

  private static func collect(_ json: JSONValue, isPersonal: Bool, into found: inout [String]) {
    for member in json.members ?? [] {
      let name = member.name.lowercased()
      let isPersonal = isPersonal || words.contains { name.contains($0) }
      collect(member.value, isPersonal: isPersonal, into: &found)
    }
    for element in json.elements ?? [] { collect(element, isPersonal: isPersonal, into: &found) }
    guard isPersonal, let text = json.text else { return }
    // The whole first: its parts are short.
    found.append(text)
    let parts = text.split { !($0.isLetter || $0.isNumber) }.map(String.init)
    found += parts.filter { $0.utf8.count >= wordBytesMin && $0 != text }
  }
}
