import PaymentModels
import ProviderInterface
import StrictJSON

/// Maps Futa's payment object to the kit's reading. Members that it does not know are ignored. Its
/// errors name the place and never what stood there.
struct PaymentAnswer {
  let json: JSONValue
  let configuration: FutaConfiguration

  func reading() throws(JSONPathError) -> PaymentReading {
    guard let id = json["id"]?.text, isToken(id) else {
      throw JSONPathError(path: "id", "is no id")
    }
    let word = try json.text(at: "state")
    let status = configuration.states.status(word, isFinal: json["final"]?.boolean)
    let amount = try amount()
    return PaymentReading(
      providerPaymentID: ProviderPaymentID(id), status: status, amount: amount,
      paymentReference: reference, items: items(id, word, amount),
      expiresAt: json["expires_at"]?.text.flatMap(Instant.init(iso8601:)))
  }

  /// The hosted page, byte for byte as issued; nil if there is none. One that lies elsewhere than
  /// on the checkout's origin is no page of Futa's, and no app would load it.
  func checkoutURL() throws(JSONPathError) -> String? {
    guard let value = json["checkout_url"], !value.isNull else { return nil }
    guard let url = value.text, webOrigin(of: url) == configuration.checkoutOrigin else {
      throw JSONPathError(path: "checkout_url", "is not on the checkout's origin")
    }
    return url
  }

  /// Our payment id; nil if the member is absent, not a text, or empty.
  private var reference: String? {
    guard let text = json["merchant_reference"]?.text, !text.isEmpty else { return nil }
    return text
  }

  /// The amount to pay; nil if absent, so that nobody takes it for zero.
  private func amount() throws(JSONPathError) -> Money? {
    guard let value = json["amount"], !value.isNull else { return nil }
    guard let wire = value.int64 else {
      throw JSONPathError(path: "amount", "is not a whole number")
    }
    guard let code = json["currency"]?.text else {
      throw JSONPathError(path: "currency", "is missing beside an amount")
    }
    guard let money = configuration.amounts.money(wire, code: code) else {
      throw JSONPathError(path: "amount", "is not an amount of the account's currency")
    }
    return money
  }

  /// Futa lists no movements of money: what a state says about the whole amount becomes one each,
  /// under the payment's own id, so that a second read adds nothing.
  private func items(_ id: String, _ word: String, _ amount: Money?) -> [PaymentItem] {
    guard let amount, configuration.states.isPaid(word) else { return [] }
    let kinds: [PaymentItem.Kind] =
      configuration.states.isRefunded(word) ? [.capture, .refund] : [.capture]
    return kinds.map {
      PaymentItem(kind: $0, providerItemID: id, reference: nil, amount: amount, createdAt: nil)
    }
  }
}

extension FutaStates {
  /// What a word and the boolean beside it prove.
  ///
  /// A word that means paid says so by itself. One that means unpaid needs `final: true`: a failed
  /// try that can be repeated is no end. Any other word is kept as it came, final or not: never
  /// failed, and read again.
  func status(_ word: String, isFinal: Bool?) -> PaymentStatus {
    if isPaid(word) { return .captured }
    let ends: [([String], PaymentStatus)] = [
      (failed, .rejected), (expired, .expired), (cancelled, .cancelled),
    ]
    for (words, end) in ends where Self.has(word, in: words) {
      return isFinal == true ? end : .pending
    }
    let isKnownOpen = Self.has(word, in: pending) && isFinal != true
    return isKnownOpen ? .pending : .unknown(unknownWord(word))
  }

  /// Whether the money came in; it may have gone back since.
  func isPaid(_ word: String) -> Bool { Self.has(word, in: paid) || isRefunded(word) }

  func isRefunded(_ word: String) -> Bool { Self.has(word, in: refunded) }

  private static func has(_ word: String, in words: [String]) -> Bool {
    words.contains { asciiLowercased($0) == asciiLowercased(word) }
  }
}
