public import PaymentModels
public import StrictJSON

/// A judge of payment stories that looks at the two ends only: the provider's ledger, and what
/// reached the shop and the payer. It knows the book's claims and none of the code that made them.
public struct PaymentOracle: Sendable {
  /// What has to hold.
  public enum Invariant: String, Sendable, CaseIterable {
    /// The book says paid, with that sum, exactly if the provider has captured it.
    case paidIffCaptured = "paid iff captured"
    /// Goods go out once for an order, and no sooner than its money is taken.
    case fulfilledOnce = "fulfilled exactly once, never before paid"
    /// Nothing is shown as failed or cancelled while the provider holds its money.
    case neverFalselyFailed = "nothing shown failed that holds money"
    /// The payer is shown in the end how it ended.
    case payerToldTheTruth = "the payer is told the truth in the end"
  }

  /// Something found wrong.
  public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// What does not hold.
    public var invariant: Invariant
    /// Where.
    public var detail: String
    /// Invariant and detail.
    public var description: String { "\(invariant.rawValue): \(detail)" }
  }

  /// A message that the shop acknowledged.
  public struct Receipt: Sendable {
    var at: Instant
    var messageID: String
    var type: String
    var orderID: String

    /// Collects the values; `at` is on the provider's clock.
    public init(at: Instant, messageID: String, type: String, orderID: String) {
      self.at = at
      self.messageID = messageID
      self.type = type
      self.orderID = orderID
    }
  }

  /// Something that a payer was shown.
  public struct Screen: Sendable {
    var checkout: String
    var orderID: String?
    var shows: String

    /// Collects the values.
    public init(checkout: String, orderID: String?, shows: String) {
      self.checkout = checkout
      self.orderID = orderID
      self.shows = shows
    }
  }

  /// What the book claims of an order.
  public struct Claim: Sendable {
    var orderID: String
    var state: String
    var captured: Int64
    var payments: [(providerPaymentID: String?, status: String)]

    /// Collects the values.
    public init(
      orderID: String, state: String, captured: Int64,
      payments: [(providerPaymentID: String?, status: String)]
    ) {
      self.orderID = orderID
      self.state = state
      self.captured = captured
      self.payments = payments
    }
  }

  private let orders: [(id: String, payments: [LedgerPayment])]
  private let receipts: [Receipt]
  private let screens: [Screen]
  private let book: [Claim]

  /// Takes the evidence. The book must have been read before the ledger.
  ///
  /// - Parameter ledger: `GET /sandbox/ledger` of the provider's sandbox.
  /// - Throws: if the ledger is not one.
  public init(
    ledger: JSONValue, receipts: [Receipt], screens: [Screen], book: [Claim]
  ) throws {
    let payments = try LedgerPayment.all(in: ledger)
    orders = Set(payments.map(\.orderID)).union(book.map(\.orderID)).sorted().map { id in
      (id, payments.filter { $0.orderID == id })
    }
    self.receipts = receipts
    self.screens = screens
    self.book = book
  }

  // MARK: What must never be

  /// Findings that nothing later makes good.
  public var violations: [Finding] {
    orders.flatMap { id, payments in
      overclaimed(id, payments) + fulfilled(id, payments) + falselyFailed(id, payments)
    }
  }

  private func overclaimed(_ id: String, _ payments: [LedgerPayment]) -> [Finding] {
    guard let claim = book.first(where: { $0.orderID == id }) else { return [] }
    let taken = payments.reduce(0) { $0 + $1.captured }
    guard claim.captured > taken || claim.state == "paid" && taken == 0 else { return [] }
    return [finding(.paidIffCaptured, id, "\(claim.state), but the provider took \(taken)")]
  }

  private func fulfilled(_ id: String, _ payments: [LedgerPayment]) -> [Finding] {
    let handed = receipts.filter { $0.orderID == id && $0.type == "order.fulfil" }
    var findings: [Finding] = []
    if Set(handed.map(\.messageID)).count > 1 {
      findings.append(finding(.fulfilledOnce, id, "handed out more than once"))
    }
    let paidAt = payments.compactMap(\.capturedAt).min()
    if let first = handed.map(\.at).min(), paidAt.map({ first < $0 }) ?? true {
      findings.append(finding(.fulfilledOnce, id, "handed out before it was paid"))
    }
    return findings
  }

  private func falselyFailed(_ id: String, _ payments: [LedgerPayment]) -> [Finding] {
    // In this provider a failed payment never comes back to life, so time does not matter.
    guard payments.contains(where: \.heldMoney) else { return [] }
    let failures = ["rejected", "expired", "cancelled"]
    return screens.filter { $0.orderID == id && failures.contains($0.shows) }.map {
      finding(.neverFalselyFailed, id, "shown as \($0.shows)")
    }
  }

  // MARK: What must not stay

  /// Findings that time has to make good.
  public var unsettled: [Finding] {
    orders.flatMap { id, payments in unbooked(id, payments) + untold(id, payments) }
  }

  private func unbooked(_ id: String, _ payments: [LedgerPayment]) -> [Finding] {
    guard let claim = book.first(where: { $0.orderID == id }) else {
      return [finding(.paidIffCaptured, id, "is not in the book")]
    }
    let taken = payments.reduce(0) { $0 + $1.captured }
    var findings: [Finding] = []
    if taken > 0, claim.state != "paid" || claim.captured != taken {
      findings.append(finding(.paidIffCaptured, id, "paid, and the book says \(claim.state)"))
    }
    if taken > 0, !receipts.contains(where: { $0.orderID == id && $0.type == "order.fulfil" }) {
      findings.append(finding(.fulfilledOnce, id, "paid, and not handed out"))
    }
    if payments.contains(where: { $0.status == "AUTHORIZED" }) {
      findings.append(finding(.paidIffCaptured, id, "money is held and not captured"))
    }
    let final = ["captured", "rejected", "expired", "cancelled"]
    let open = claim.payments.filter { !final.contains($0.status) }
    return findings + open.map { finding(.paidIffCaptured, id, "the book still says \($0.status)") }
  }

  /// The last thing that the payer was shown of each checkout.
  private func untold(_ id: String, _ payments: [LedgerPayment]) -> [Finding] {
    let checkouts = Set(screens.filter { $0.orderID == id }.map(\.checkout)).sorted()
    return checkouts.compactMap { checkout in
      let last = screens.last { $0.checkout == checkout && $0.orderID != nil }?.shows ?? ""
      let isPaid = payments.contains(where: \.heldMoney)
      let isTrue =
        isPaid ? last == "succeeded" : ["rejected", "expired", "cancelled"].contains(last)
      return isTrue ? nil : finding(.payerToldTheTruth, id, "the last screen says “\(last)”")
    }
  }

  private func finding(_ invariant: Invariant, _ order: String, _ what: String) -> Finding {
    Finding(invariant: invariant, detail: "order \(order): \(what)")
  }
}
