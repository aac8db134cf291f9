extension InternationalPhone {
  /// Reads a number as ``init(_:)`` does, or as it is dialled at home in the buyer's country.
  ///
  /// - Parameter country: two capital letters of ISO 3166-1; nil if it is not known. A country
  ///   whose numbers the kit does not know counts as not known: nothing is guessed.
  public init?(_ text: String, country: String?) {
    if let phone = InternationalPhone(text) {
      self = phone
      return
    }
    let digits = Self.bare(text).filter { $0 != "(" && $0 != ")" }
    guard let country, let plan = NationalNumbers.plans[country],
      !digits.hasPrefix("00"), digits.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    let isDialled = !plan.trunk.isEmpty && digits.hasPrefix(plan.trunk)
    let subscriber = String(isDialled ? digits.dropFirst(plan.trunk.count) : digits[...])
    guard plan.digits.contains(subscriber.utf8.count),
      plan.trunk.isEmpty || !subscriber.hasPrefix(plan.trunk)
    else { return nil }
    self.init(callingCode: plan.callingCode, subscriber: subscriber)
  }
}

/// How numbers are dialled at home, by country (ITU-T E.164, national numbering plans).
private struct NationalNumbers {
  let callingCode: String
  /// What is dialled before a number at home and not from abroad; empty where there is nothing.
  let trunk: String
  /// Digits of a number without that.
  let digits: ClosedRange<Int>

  private init(_ callingCode: String, trunk: String, _ digits: ClosedRange<Int>) {
    self.callingCode = callingCode
    self.trunk = trunk
    self.digits = digits
  }

  /// The countries of the providers' payers; another one's numbers are given in international form.
  static let plans = [
    "AE": NationalNumbers("971", trunk: "0", 8...9),
    "BH": NationalNumbers("973", trunk: "", 8...8),
    "CD": NationalNumbers("243", trunk: "0", 9...9),
    "EE": NationalNumbers("372", trunk: "", 7...8),
    "ES": NationalNumbers("34", trunk: "", 9...9),
    "FR": NationalNumbers("33", trunk: "0", 9...9),
    "GB": NationalNumbers("44", trunk: "0", 9...10),
    // The zero of a number in a town is a part of it and stays.
    "IT": NationalNumbers("39", trunk: "", 6...11),
    "KW": NationalNumbers("965", trunk: "", 8...8),
    "LT": NationalNumbers("370", trunk: "0", 8...8),
    "LV": NationalNumbers("371", trunk: "", 8...8),
    "NL": NationalNumbers("31", trunk: "0", 9...9),
    "OM": NationalNumbers("968", trunk: "", 8...8),
    "PL": NationalNumbers("48", trunk: "", 9...9),
    "QA": NationalNumbers("974", trunk: "", 8...8),
    "SA": NationalNumbers("966", trunk: "0", 9...9),
  ]
}
