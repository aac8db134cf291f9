import PaymentModels
import StrictJSON

/// How payments look in answers and webhooks.
extension TabbyLedger {
  /// A payment as a read shows it, spoilt where a fault says so.
  func readJSON(_ index: Int) -> JSONValue { readJSON(payments[index]) }

  func readJSON(_ payment: TabbyPayment) -> JSONValue {
    let faults = payment.trail.faults ?? settings.faults
    return paymentJSON(payment)
      .replacing("amount", with: faults.readAmount.map { .string($0) })
      .replacing("currency", with: faults.readCurrency.map { .string($0) })
  }

  /// The whole payment.
  func paymentJSON(_ payment: TabbyPayment) -> JSONValue {
    let hasPlan = payment.authorizedAt != nil
    return .object([
      "id": .string(payment.id),
      "created_at": .string(payment.createdAt.description),
      "expires_at": .string(payment.expiresAt.description),
      "status": .string(payment.status.rawValue),
      "is_test": .bool(true),
      "product": .object([
        "type": .string(hasPlan ? "installments" : ""),
        "installments_count": .integer(hasPlan ? 3 : 0),
        "installment_period": .string(hasPlan ? "P1M" : "P0D"),
      ]),
      "amount": .string(amountText(payment.amount)),
      "currency": .string(payment.amount.currency.code),
      "description": payment.request.description,
      "buyer": payment.request.buyerJSON,
      "shipping_address": payment.request.echo("shipping_address"),
      "order": orderJSON(payment),
      "captures": .array(payment.captures.map { itemJSON($0, isRefund: false) }),
      "refunds": .array(payment.refunds.map { itemJSON($0, isRefund: true) }),
      "buyer_history": payment.request.echo("buyer_history"),
      "order_history": payment.request.echo("order_history"),
      "meta": payment.request.echo("meta"),
      "cancelable": .bool(payment.status == .created),
      "attachment": payment.request.echo("attachment"),
    ])
  }

  /// The body of a webhook; its status is in lower case.
  func webhookJSON(_ payment: TabbyPayment, status: TabbyStatus) -> JSONValue {
    var members: [JSONMember] = []
    func add(_ name: String, _ value: JSONValue) {
      members.append(JSONMember(name: name, value: value))
    }
    add("id", .string(payment.id))
    add("created_at", .string(payment.createdAt.description))
    add("expires_at", .string(payment.expiresAt.description))
    add("closed_at", .optional(payment.closedAt?.description))
    if let expiredAt = payment.expiredAt { add("expired_at", .string(expiredAt.description)) }
    add("status", .string(status.rawValue.lowercased()))
    add("is_test", .bool(true))
    add("is_expired", .bool(status == .expired))
    add("amount", .string(amountText(payment.amount)))
    add("currency", .string(payment.amount.currency.code))
    add("order", .object(["reference_id": .string(payment.reference)]))
    add("captures", .array(payment.captures.map { shortItemJSON($0, isRefund: false) }))
    add("refunds", .array(payment.refunds.map { shortItemJSON($0, isRefund: true) }))
    add("meta", payment.request.echo("meta"))
    add("token", .string(""))
    return .object(members)
  }

  /// An amount as the provider writes it: `100` for what was sent as `100.00`.
  func amountText(_ amount: Money) -> String {
    let text = amount.decimal
    guard settings.stripsZeros, text.contains(".") else { return text }
    let cut = text.lastIndex { $0 != "0" } ?? text.startIndex
    return String(text[cut] == "." ? text[..<cut] : text[...cut])
  }

  func orderJSON(_ payment: TabbyPayment) -> JSONValue {
    let sent = payment.request.echo("order").members ?? []
    let defaults: KeyValuePairs<String, JSONValue> = [
      "updated_at": .null, "tax_amount": .string("0"), "shipping_amount": .string("0"),
      "discount_amount": .string("0"), "items": .array([]),
    ]
    let missing = defaults.filter { pair in !sent.contains { $0.name == pair.key } }
    return .object(
      [JSONMember(name: "reference_id", value: .string(payment.reference))]
        + sent.filter { $0.name != "reference_id" }
        + missing.map { JSONMember(name: $0.key, value: $0.value) })
  }

  private func itemJSON(_ item: TabbyPayment.Item, isRefund: Bool) -> JSONValue {
    let head = shortItemJSON(item, isRefund: isRefund).members ?? []
    return .object(head + item.details)
  }

  private func shortItemJSON(_ item: TabbyPayment.Item, isRefund: Bool) -> JSONValue {
    var members = [
      JSONMember(name: "id", value: .string(item.id)),
      JSONMember(name: "amount", value: .string(amountText(item.amount))),
      JSONMember(name: "created_at", value: .string(item.createdAt.description)),
      JSONMember(name: "reference_id", value: .string(item.reference)),
    ]
    if isRefund { members.append(JSONMember(name: "reason", value: .optional(item.reason))) }
    return .object(members)
  }
}

extension TabbyPayment {
  /// The end of the session, or a year after the authorisation, which is what the real server
  /// shows; neither is the end of an authorisation.
  var expiresAt: Instant {
    authorizedAt.map { $0 + .seconds(365 * 86_400) } ?? sessionExpiresAt
  }
}

extension CheckoutRequest {
  /// The buyer as sent, with the null id that reads carry.
  var buyerJSON: JSONValue {
    guard let members = echo("buyer").members else { return .null }
    return .object(
      [JSONMember(name: "id", value: .null)] + members.filter { $0.name != "id" })
  }
}
