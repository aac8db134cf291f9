import PaymentModels
import ProviderInterface
import StrictJSON

/// Maps Raïs' payment object to the kit's reading. Members that it does not know are ignored,
/// among them `order_number`, which is Raïs' own number and not the merchant's. Its errors name
/// the place and never what stood there.
struct PaymentAnswer {
  let json: JSONValue
  let configuration: RaisConfiguration

  /// What the answer says.
  ///
  /// - Parameter isCreated: this answers a create, of which Raïs' page uses the id, the page and
  ///   the end alone. A status that is left out there says no more than that it was made; on a
  ///   read it says nothing, which is no answer.
  func reading(isCreated: Bool = false) throws(JSONPathError) -> PaymentReading {
    guard let id = json["id"]?.text, isToken(id) else {
      throw JSONPathError(path: "id", "is no id")
    }
    #if FaultInjection
      if SeededFault.active == .failsPending, !isCreated, json["status"]?.text == "pending" {
        return PaymentReading(
          providerPaymentID: ProviderPaymentID(id), status: .rejected, amount: try amount())
      }
    #endif
    let status = isCreated && json["status"] == nil ? PaymentStatus.created : try status()
    let amount = try amount()
    var items: [PaymentItem] = []
    if status == .captured, let amount {
      // Raïs lists no movements of money: what `paid` says about the whole amount becomes one,
      // under the payment's own id, so that a second read adds nothing.
      items = [
        PaymentItem(
          kind: .capture, providerItemID: id, reference: nil, amount: amount, createdAt: nil)
      ]
    }
    return PaymentReading(
      providerPaymentID: ProviderPaymentID(id), status: status, amount: amount,
      paymentReference: reference, items: items,
      expiresAt: json["expires_at"]?.text.flatMap(Instant.init(iso8601:)))
  }

  /// The hosted page, opaque and byte for byte as issued; nil if there is none.
  func checkoutURL() throws(JSONPathError) -> String? {
    guard let value = json["checkout_url"], !value.isNull else { return nil }
    guard let url = value.text, let origin = webOrigin(of: url),
      origin.hasPrefix("https:") || configuration.mode == .test
    else {
      throw JSONPathError(path: "checkout_url", "is no address of a page")
    }
    #if FaultInjection
      if SeededFault.active == .leaksKey { return "\(url)?key=\(configuration.secretKey.reveal())" }
    #endif
    return url
  }

  private func status() throws(JSONPathError) -> PaymentStatus {
    let word = try json.text(at: "status")
    let states = configuration.states
    let known: [([String], PaymentStatus)] = [
      (["paid"], .captured), (["pending"], .pending), (states.failed, .rejected),
      (states.expired, .expired), (states.cancelled, .cancelled),
    ]
    let match = known.first { words, _ in
      words.contains { asciiLowercased($0) == asciiLowercased(word) }
    }
    return match?.1 ?? .unknown(unknownWord(word))
  }

  /// Our payment id; nil if the member is absent, not a text, or empty.
  private var reference: String? {
    guard let text = json["reference"]?.text, !text.isEmpty else { return nil }
    return text
  }

  /// The amount to pay; nil if absent, so that nobody takes it for zero. No answer is known to
  /// name a currency; one that does is believed.
  private func amount() throws(JSONPathError) -> Money? {
    guard let value = json["amount"], !value.isNull else { return nil }
    guard let wire = value.int64 else {
      throw JSONPathError(path: "amount", "is not a whole number")
    }
    let currency = json["currency"] ?? .null
    guard currency.isNull || currency.text != nil else {
      throw JSONPathError(path: "currency", "is not a code")
    }
    let amounts = configuration.amounts
    guard let money = amounts.money(wire, code: currency.text ?? amounts.currency.code) else {
      throw JSONPathError(path: "amount", "is not an amount of the account's currency")
    }
    return money
  }
}
