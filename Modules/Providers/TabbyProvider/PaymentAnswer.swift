import PaymentModels
import StrictJSON

/// Maps Tabby's payment object to the kit's reading. Members that it does not know are ignored.
/// Its errors name the place and never what stood there: the object carries buyer data.
struct PaymentAnswer {
  let json: JSONValue

  func reading() throws(JSONPathError) -> PaymentReading {
    guard let id = json["id"]?.text, isCanonicalUUID(id) else {
      throw JSONPathError(path: "id", "is not a UUID")
    }
    let word = try json.text(at: "status")
    let currency = try currency()
    let captures = try items("captures", kind: .capture, currency: currency)
    let refunds = try items("refunds", kind: .refund, currency: currency) ?? []
    guard let status = paymentStatus(word: word, captures: captures) else {
      throw JSONPathError(path: "captures", "is missing on a closed payment")
    }
    if status == .cancelled, !refunds.isEmpty {
      throw JSONPathError(path: "refunds", "gives back what was never captured")
    }
    return PaymentReading(
      providerPaymentID: ProviderPaymentID(id),
      status: status,
      amount: try amount(currency),
      orderReference: present(json["order"]?["reference_id"]),
      paymentReference: present(json["meta"]?["payment_id"]),
      mode: paymentMode(json["is_test"]),
      items: (captures ?? []) + refunds,
      expiresAt: json["expires_at"]?.text.flatMap(Instant.init(iso8601:)))
  }

  /// The payment's currency; nil if absent, which only an answer without any amount survives.
  private func currency() throws(JSONPathError) -> Currency? {
    guard let value = json["currency"], !value.isNull else { return nil }
    guard let currency = value.text.flatMap(tabbyCurrency) else {
      throw JSONPathError(path: "currency", "is no known currency")
    }
    return currency
  }

  /// The amount to pay; nil if absent, so that nobody takes it for zero.
  private func amount(_ currency: Currency?) throws(JSONPathError) -> Money? {
    guard let value = json["amount"], !value.isNull else { return nil }
    return try money(value, currency: currency, path: "amount")
  }

  /// Captures or refunds; nil if the member is absent. The document allows null for none.
  private func items(
    _ name: String, kind: PaymentItem.Kind, currency: Currency?
  ) throws(JSONPathError) -> [PaymentItem]? {
    guard let list = json[name] else { return nil }
    guard !list.isNull else { return [] }
    guard let elements = list.elements else {
      throw JSONPathError(path: "\(name)", "is not an array")
    }
    var items: [PaymentItem] = []
    for (index, element) in elements.enumerated() {
      let path = "\(name).\(index)"
      guard let id = present(element["id"]) else {
        throw JSONPathError(path: "\(path).id", "is missing")
      }
      guard let amount = element["amount"] else {
        throw JSONPathError(path: "\(path).amount", "is missing")
      }
      items.append(
        PaymentItem(
          kind: kind, providerItemID: id, reference: present(element["reference_id"]),
          amount: try money(amount, currency: currency, path: "\(path).amount"),
          createdAt: element["created_at"]?.text.flatMap(Instant.init(iso8601:))))
    }
    return items
  }
}

/// Reads an amount: documented as decimal text of major units, and taken as a JSON number's text
/// too. Never by way of a floating-point number.
private func money(
  _ value: JSONValue, currency: Currency?, path: String
) throws(JSONPathError) -> Money {
  guard let currency else { throw JSONPathError(path: path, "comes without a currency") }
  guard let text = value.text ?? value.numberText else {
    throw JSONPathError(path: path, "is not an amount")
  }
  do {
    return try Money(decimal: text, currency: currency)
  } catch {
    throw JSONPathError(path: path, "is not an amount of \(currency.code)")
  }
}

/// The text of a member; nil if it is absent, not a text, or empty: Tabby writes `""` for a
/// reference that was never given.
private func present(_ value: JSONValue?) -> String? {
  guard let text = value?.text, !text.isEmpty else { return nil }
  return text
}

/// What `is_test` says; nil if it says nothing.
func paymentMode(_ isTest: JSONValue?) -> PaymentMode? {
  isTest?.boolean.map { $0 ? .test : .live }
}
