import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON

/// `/api/v2/payments`
extension TabbyLedger {
  func update(_ id: String, _ request: HTTPRequest) throws(TabbyError) -> JSONValue {
    let index = try known(id)
    let body = try decoded(request)
    guard let reference = body["order"]?["reference_id"]?.text,
      reference.count <= SandboxLimits.textMax
    else { throw .undecodable }
    switch payments[index].status {
    case .authorized, .closed: break
    case .created, .rejected, .expired:
      throw .badData("could not update not authorized payments")
    }
    payments[index].reference = reference
    note(index, .updated)
    notify(index, status: payments[index].status, at: now)
    return paymentJSON(payments[index])
  }

  func capture(_ id: String, _ request: HTTPRequest) throws(TabbyError) -> JSONValue {
    let index = try known(id)
    let item = try item(request, index, PublishedSchema.capture)
    if let replayed = try replay(item, payments[index].captures, index) { return replayed }
    switch payments[index].status {
    case .authorized: break
    case .created, .closed, .rejected, .expired:
      throw .badData("could not capture not authorized payments")
    }
    let rest = payments[index].amount.minorUnits - payments[index].capturedMinorUnits
    guard item.amount.minorUnits <= rest else {
      throw .badData("capture amount is greater than the amount left")
    }
    guard payments[index].captures.count < SandboxLimits.itemsMax else { throw .full }
    let details = ["tax_amount", "shipping_amount", "discount_amount"].map {
      JSONMember(name: $0, value: item.body[$0] ?? .string("0"))
    }
    addCapture(
      index, item.amount, reference: item.reference,
      details: details + [JSONMember(name: "items", value: item.body["items"] ?? .array([]))],
      at: now)
    return paymentJSON(payments[index])
  }

  func refund(_ id: String, _ request: HTTPRequest) throws(TabbyError) -> JSONValue {
    let index = try known(id)
    let item = try item(request, index, PublishedSchema.refund)
    if let replayed = try replay(item, payments[index].refunds, index) { return replayed }
    let payment = payments[index]
    guard payment.status == .closed, !payment.captures.isEmpty else {
      throw .badData("can not refund payment that has no captures and not closed")
    }
    guard !faults(of: index).isDisputed else { throw .conflict("payment is disputed") }
    guard now <= payment.createdAt + .seconds(settings.refundWindowDays * 86_400) else {
      throw .badData("refund period is over")
    }
    let rest = payment.capturedMinorUnits - payment.refundedMinorUnits
    guard item.amount.minorUnits <= rest else {
      throw .badData("refund amount is greater than the captured amount")
    }
    guard payment.refunds.count < SandboxLimits.itemsMax else { throw .full }
    payments[index].refunds.append(
      TabbyPayment.Item(
        id: environment.newUUID(), createdAt: now, amount: item.amount, reference: item.reference,
        reason: item.body["reason"]?.text,
        details: [JSONMember(name: "items", value: item.body["items"] ?? .array([]))]))
    note(index, .refunded)
    notify(index, status: .closed, at: now)
    return paymentJSON(payments[index])
  }

  func close(_ id: String) throws(TabbyError) -> JSONValue {
    let index = try known(id)
    switch payments[index].status {
    case .authorized: setStatus(index, .closed, at: now)
    case .closed: throw .badData("already closed")
    case .created, .rejected, .expired: throw .badData("could not close not authorized payments")
    }
    return paymentJSON(payments[index])
  }

  /// Newest first; only AUTHORIZED and CLOSED unless a status is asked for.
  func list(_ request: HTTPRequest) throws(TabbyError) -> JSONValue {
    let query = try ListQuery(request)
    let matches = payments.filter(query.matches).reversed()
    let page = matches.dropFirst(query.offset).prefix(query.limit)
    return .object([
      "payments": .array(page.map { readJSON($0) }),
      "pagination": .object([
        "limit": .integer(query.limit), "offset": .integer(query.offset),
        "total_count": .integer(matches.count),
      ]),
    ])
  }

  // MARK: Shared

  func known(_ id: String) throws(TabbyError) -> Int {
    guard isCanonicalUUID(id.lowercased()) else { throw .badData("invalid payment id") }
    guard let index = position(id.lowercased()), payments[index].id == id.lowercased() else {
      throw .notFound("no such payment")
    }
    return index
  }

  func decoded(_ request: HTTPRequest) throws(TabbyError) -> JSONValue {
    guard let body = try? JSONValue(parsing: request.body), body.members != nil else {
      throw .undecodable
    }
    return body
  }

  /// An amount above zero, in the provider's decimal text.
  func amount(_ text: String, _ code: String, field: String) throws(TabbyError) -> Money {
    guard let currency = Currency(iso4217: code) else { throw .invalid(field) }
    let isRounding = settings.excessDecimals == .round
    guard
      let money = try? Money(
        decimal: isRounding ? rounded(text, to: currency.exponent) : text, currency: currency),
      money.minorUnits > 0
    else { throw .invalid(field) }
    return money
  }

  private struct ItemRequest {
    let amount: Money
    let reference: String
    let body: JSONValue
  }

  private func item(
    _ request: HTTPRequest, _ index: Int, _ schema: SchemaShape
  ) throws(TabbyError) -> ItemRequest {
    let body = try decoded(request)
    if settings.isStrict {
      let problems = schema.problems(of: body, at: "$")
      if !problems.isEmpty { throw .fields(problems) }
    }
    guard let text = body["amount"]?.text else {
      throw body["amount"] == nil ? .invalid("$.amount") : .undecodable
    }
    let reference = body["reference_id"] ?? .null
    guard reference.isNull || reference.text != nil,
      (reference.text ?? "").count <= SandboxLimits.textMax
    else { throw .undecodable }
    let currency = payments[index].amount.currency.code
    return ItemRequest(
      amount: try amount(text, currency, field: "$.amount"), reference: reference.text ?? "",
      body: body)
  }

  /// The unchanged payment if the reference was used before.
  private func replay(
    _ item: ItemRequest, _ earlier: [TabbyPayment.Item], _ index: Int
  ) throws(TabbyError) -> JSONValue? {
    guard !item.reference.isEmpty,
      let match = earlier.first(where: { $0.reference == item.reference })
    else { return nil }
    if settings.reusedReference == .refuse, match.amount != item.amount {
      throw .badData("reference_id was used for another amount")
    }
    return paymentJSON(payments[index])
  }
}

/// Half up, to so many decimals; a text that is no plain decimal stays as it is and is refused.
private func rounded(_ text: String, to decimals: Int) -> String {
  let halves = text.split(separator: ".", omittingEmptySubsequences: false)
  guard halves.count == 2, halves[1].utf8.count > decimals,
    halves[1].utf8.allSatisfy({ (48...57).contains($0) }),
    let wide = Currency(code: "XXX", exponent: decimals + 1),
    let money = try? Money(
      decimal: "\(halves[0]).\(halves[1].prefix(decimals + 1))", currency: wide),
    let currency = Currency(code: "XXX", exponent: decimals)
  else { return text }
  return Money(minorUnits: (money.minorUnits + 5) / 10, currency: currency).decimal
}

/// The query of the payment list.
private struct ListQuery {
  var from: Instant?
  var through: Instant?
  var limit = Int(SandboxLimits.pageMax)
  var offset = 0
  var status: String?

  private static let statuses = [
    "authorized", "closed", "rejected", "new", "captured", "refunded", "cancelled",
  ]

  init(_ request: HTTPRequest) throws(TabbyError) {
    let failure = TabbyError.badData("failed to decode request")
    for (name, value) in request.query {
      switch name {
      case "created_at__gte", "created_at__lte":
        // Documented: the time of day is taken as 00:00:00.
        guard
          let day = Instant(iso8601: value).flatMap({
            Instant(iso8601: String($0.description.prefix(10)))
          })
        else { throw failure }
        if name == "created_at__gte" { from = day } else { through = day }
      case "limit":
        guard let number = Int64(value), (0...SandboxLimits.pageMax).contains(number) else {
          throw failure
        }
        limit = Int(number)
      case "offset":
        guard let number = Int32(value), number >= 0 else { throw failure }
        offset = Int(number)
      case "status":
        guard Self.statuses.contains(value) else { throw failure }
        status = value
      default: break
      }
    }
  }

  func matches(_ payment: TabbyPayment) -> Bool {
    if let from, payment.createdAt < from { return false }
    if let through, payment.createdAt > through { return false }
    switch (status, payment.status) {
    case (nil, .authorized), (nil, .closed), ("authorized", .authorized), ("new", .authorized),
      ("closed", .closed), ("rejected", .rejected):
      return true
    case ("captured", .closed): return !payment.captures.isEmpty && payment.refunds.isEmpty
    case ("cancelled", .closed): return payment.captures.isEmpty
    case ("refunded", .closed): return !payment.refunds.isEmpty
    default: return false
    }
  }
}
