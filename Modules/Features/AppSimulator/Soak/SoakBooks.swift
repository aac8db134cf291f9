import PaymentModels

/// What the witnesses say at the end of a soak, and what they must say. None of them shares code
/// with the server: the providers' ledger, fresh `till` processes, the receiver of the goods.
struct SoakBooks: Sendable {
  /// A payment in the server's book.
  struct Payment: Hashable, Sendable {
    var id: String
    var order: String
    var provider: String
    var providerID: String?
    var orderState: String
    /// In minor units, as the next ones.
    var amount: Int64
    var captured: Int64
    var refunded: Int64
    var currency: Currency
  }

  /// A payment in a provider's ledger.
  struct Entry: Hashable, Sendable {
    var id: String
    var provider: String
    var reference: String
    var status: String
    var captured: String
    var refunded: String
  }

  /// An open case.
  struct Case: Hashable, Sendable {
    var order: String
    var kind: String
    var detail: String
  }

  var payments: [Payment] = []
  var ledger: [Entry] = []
  var cases: [Case] = []
  /// Messages by order: the goods went out, were called back.
  var fulfilments: [String: Int] = [:]
  var revocations: [String: Int] = [:]
  /// Orders that an operator asked to cancel.
  var cancelled: Set<String> = []
  /// Orders of which an ended payment may have been paid beside another one.
  var late: Set<String> = []

  /// What is wrong.
  var faults: [SoakBook.Fault] {
    var faults: [SoakBook.Fault] = []
    let (entries, strangers) = matched()
    for entry in strangers where entry.hasMoney {
      faults.append(
        SoakBook.Fault(
          order: nil,
          text: "\(entry.provider) took \(entry.captured) for \(entry.id), which "
            + "no payment of the book is"))
    }
    for (order, own) in Dictionary(grouping: payments, by: \.order).sorted(by: { $0.key < $1.key })
    {
      let judged = judge(order, own, entries[order] ?? [])
      faults += judged.map { SoakBook.Fault(order: order, text: $0) }
    }
    return faults
  }

  /// The ledger's payments by order of the book, and those that are of none.
  private func matched() -> (entries: [String: [Entry]], strangers: [Entry]) {
    var orders: [String: String] = [:]
    for payment in payments {
      orders[payment.order] = payment.order
      orders[payment.id] = payment.order
      if let id = payment.providerID { orders[id] = payment.order }
    }
    var entries: [String: [Entry]] = [:]
    var strangers: [Entry] = []
    for entry in ledger {
      if let order = orders[entry.id] ?? orders[entry.reference] {
        entries[order, default: []].append(entry)
      } else {
        strangers.append(entry)
      }
    }
    return (entries, strangers)
  }

  private func judge(_ order: String, _ own: [Payment], _ entries: [Entry]) -> [String] {
    guard let first = own.first else { return [] }
    var problems: [String] = []
    var (captured, refunded): (Int64, Int64) = (0, 0)
    for entry in entries {
      guard let taken = try? Money(decimal: entry.captured, currency: first.currency).minorUnits,
        let back = try? Money(decimal: entry.refunded, currency: first.currency).minorUnits
      else {
        problems.append("the ledger's sums of \(entry.id) cannot be read")
        continue
      }
      if back > taken {
        problems.append("\(entry.provider) gave back \(back) of \(taken) of \(entry.id)")
      }
      captured += taken
      refunded += back
    }
    func expect(_ what: String, _ seen: Int64, _ wanted: Int64) {
      if seen != wanted { problems.append("\(what): \(seen), must be \(wanted)") }
    }
    expect("captured in the book", own.reduce(0) { $0 + $1.captured }, captured)
    expect("refunded in the book", own.reduce(0) { $0 + $1.refunded }, refunded)
    let wanted = states(order, captured, refunded, first.amount)
    if !wanted.contains(first.orderState) {
      problems.append(
        "the order is \(first.orderState), must be \(wanted.joined(separator: " or ")): the "
          + "providers took \(captured) and gave back \(refunded) of \(first.amount)")
    }
    let isPaid = ["paid", "refunded"].contains(first.orderState)
    expect("fulfilments", Int64(fulfilments[order] ?? 0), isPaid ? 1 : 0)
    expect(
      "revocations", Int64(revocations[order] ?? 0), first.orderState == "refunded" ? 1 : 0)
    let withMoney = entries.count { $0.hasMoney || $0.status == "AUTHORIZED" }
    return problems + unexplained(order, withMoney)
  }

  /// The states that an order may have, by the money at the providers alone.
  private func states(
    _ order: String, _ captured: Int64, _ refunded: Int64, _ due: Int64
  ) -> [String] {
    if cancelled.contains(order) {
      guard captured > 0 else { return ["cancelled", "pending", "authorized", "needs_review"] }
      // Paid before the cancel reached the server, which then refuses it, or after: a person's.
      return captured == refunded ? ["refunded", "cancelled"] : ["paid", "needs_review"]
    }
    if captured == 0 { return ["pending", "authorized"] }
    if captured == refunded { return ["refunded"] }
    return captured >= due ? ["paid"] : ["needs_review"]
  }

  /// Cases that no late and no second payment explains.
  private func unexplained(_ order: String, _ withMoney: Int) -> [String] {
    cases.filter { $0.order == order }.compactMap { found in
      let isExplained =
        switch found.kind {
        case "late_money": cancelled.contains(order) || late.contains(order)
        case "extra_payment": withMoney > 1
        default: false
        }
      return isExplained ? nil : "case \(found.kind): \(found.detail)"
    }
  }
}

extension SoakBooks.Entry {
  /// Whether anything was taken, in whatever currency.
  var hasMoney: Bool { captured.contains { ("1"..."9").contains($0) } }
}
