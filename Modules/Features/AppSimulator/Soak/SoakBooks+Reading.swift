import PaymentModels
import StrictJSON

// What a witness says has to be understood whole: a list that is not where it is looked for, or a
// line left out, would be as good as a book without faults.

extension JSONValue {
  /// The elements of a list that must be there.
  func list(_ member: String) throws(StoryFailure) -> [JSONValue] {
    guard let elements = self[member]?.elements else {
      throw StoryFailure("a witness does not tell its \(member)")
    }
    return elements
  }
}

extension SoakBooks {
  /// Webhooks that the providers of a ledger have not got rid of.
  static func webhooksWaiting(in ledger: JSONValue) throws(StoryFailure) -> Int {
    let others = (ledger["providers"]?.members ?? []).map(\.value)
    guard !others.isEmpty else { throw StoryFailure("the ledger does not tell its providers") }
    var sum: Int64 = 0
    for provider in [ledger] + others {
      guard let waiting = provider["webhooks_waiting"]?.int64 else {
        throw StoryFailure("the ledger does not tell which webhooks wait")
      }
      sum += waiting
    }
    return Int(sum)
  }
}

extension SoakBooks.Entry {
  /// All of a ledger.
  static func all(in ledger: JSONValue) throws(StoryFailure) -> [Self] {
    try ledger.list("payments").map { json throws(StoryFailure) in
      guard let entry = Self(json) else {
        throw StoryFailure("a payment of the ledger cannot be read")
      }
      return entry
    }
  }

  private init?(_ json: JSONValue) {
    guard let id = json["id"]?.text, let provider = json["provider"]?.text,
      let reference = json["reference_id"]?.text, let status = json["status"]?.text,
      let captured = json["captured"]?.text, let refunded = json["refunded"]?.text
    else { return nil }
    self.init(
      id: id, provider: provider, reference: reference, status: status, captured: captured,
      refunded: refunded)
  }
}

extension SoakBooks.Payment {
  /// All of a page of `till payment list`.
  static func all(in page: JSONValue) throws(StoryFailure) -> [Self] {
    try page.list("payments").map { json throws(StoryFailure) in
      guard let payment = Self(json) else {
        throw StoryFailure("a payment of the book cannot be read")
      }
      return payment
    }
  }

  private init?(_ json: JSONValue) {
    guard let code = json["currency"]?.text, let exponent = json["exponent"]?.int64,
      let currency = Currency(code: code, exponent: Int(clamping: exponent)),
      let id = json["payment_id"]?.text, let order = json["order_id"]?.text,
      let provider = json["provider"]?.text, let orderState = json["order_state"]?.text
    else { return nil }
    func sum(_ member: String) -> Int64? {
      json[member]?.text.flatMap { try? Money(decimal: $0, currency: currency).minorUnits }
    }
    guard let amount = sum("amount"), let captured = sum("captured"), let refunded = sum("refunded")
    else { return nil }
    self.init(
      id: id, order: order, provider: provider, providerID: json["provider_payment_id"]?.text,
      orderState: orderState, amount: amount, captured: captured, refunded: refunded,
      currency: currency)
  }
}
