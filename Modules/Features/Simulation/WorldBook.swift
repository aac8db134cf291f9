import PaymentModels
import PaymentOracle
import PaymentStore

/// The merchant's book as a judge gets it: read straight from the disk, past all the server's code.
enum WorldBook {
  /// Payments of one world: fewer than these, as with the other limits here.
  static let paymentsMax = 1_000

  /// - Parameter now: the time by the server's clock, or a little off it; nil if it was set, so
  ///   that a time says nothing.
  static func orders(
    _ transaction: any PaymentTransaction, now: Instant?
  ) throws -> [BookOrder] {
    try rows(transaction).map { order, payments in
      let messages = try transaction.messages(of: order.id)
      let delivered = messages.count { $0.state == .delivered }
      return BookOrder(
        orderID: order.id.rawValue, total: order.total.minorUnits, state: order.state.rawValue,
        openReviews: try transaction.reviews(of: order.id).filter(\.isOpen).map(\.kind.rawValue),
        undelivered: messages.count - delivered, delivered: delivered,
        givenUp: messages.count { $0.state == .dead },
        payments: try payments.map { try claim(of: $0, now, transaction) })
    }
  }

  /// Longer than any worker keeps anything to itself, with room for clocks that go ahead.
  private static let leaseMax: Duration = .seconds(300)

  /// Deliveries that the server is to work on.
  static func inbox(_ transaction: any PaymentTransaction) throws -> BookInbox {
    let rows = try transaction.webhooks(in: nil, at: nil, before: nil, limit: deliveriesMax)
    precondition(rows.count < deliveriesMax, "the judge is given every delivery")
    let received = rows.filter { $0.state == .received }
    return BookInbox(
      waiting: received.count, unowned: received.count { $0.nextTryAt == nil },
      twins: twins(rows))
  }

  private static func twins(_ rows: [WebhookRow]) -> Int {
    var events: Set<String> = []
    var bodies: Set<String> = []
    return rows.count { row in
      let isKnown = row.eventID.map {
        !events.insert("\(row.provider) \(row.account) \($0)").inserted
      }
      let isOpen = [.received, .unmatched, .rejected].contains(row.state)
      let isThere = isOpen && !bodies.insert("\(row.provider) \(row.bodyHash)").inserted
      return isKnown == true || isThere
    }
  }

  /// Deliveries in one world.
  private static let deliveriesMax = 10_000

  /// The journal's lines after one.
  static func lines(
    _ transaction: any PaymentTransaction, after: Int64
  ) throws -> [JournalLine] {
    let entries = try transaction.journal(after: after, limit: linesMax)
    precondition(entries.count < linesMax, "the judge is given every line")
    return entries.map { entry in
      JournalLine(
        sequence: entry.sequence, at: entry.at, orderID: entry.orderID?.rawValue,
        paymentID: entry.paymentID?.rawValue, event: entry.event, change: entry.change)
    }
  }

  /// Lines of one world.
  private static let linesMax = 100_000

  private static func rows(
    _ transaction: any PaymentTransaction
  ) throws -> [(order: OrderRow, payments: [PaymentRow])] {
    let payments = try transaction.payments(before: nil, limit: paymentsMax)
    precondition(payments.count < paymentsMax, "the judge is given every payment")
    return try Set(payments.map(\.orderID)).sorted().compactMap { id in
      guard let order = try transaction.order(id) else { return nil }
      return (order, try transaction.payments(of: id))
    }
  }

  private static func claim(
    of payment: PaymentRow, _ now: Instant?, _ transaction: any PaymentTransaction
  ) throws -> BookPayment {
    let items = try transaction.items(of: payment.id)
    let operations = try transaction.operations(of: payment.id).filter(\.isInFlight)
    let isAsked = try transaction.reviews(of: payment.orderID).contains {
      $0.isOpen && $0.kind == .operationFailed && $0.paymentID == payment.id
    }
    func sum(_ kinds: Set<PaymentItem.Kind>) -> Int64 {
      items.reduce(0) { kinds.contains($1.kind) ? $0 + $1.amount.minorUnits : $0 }
    }
    let isOver = payment.status.isFinalUnpaid || payment.status == .captured
    return BookPayment(
      paymentID: payment.id.rawValue,
      providerPaymentIDs: try transaction.providerPaymentIDs(of: payment.id).map(\.rawValue),
      status: payment.status.description, captured: sum([.capture]),
      returned: sum([.refund, .chargeback]),
      isOwned: (isOver || payment.schedule.nextReadAt != nil)
        && operations.allSatisfy { $0.nextTryAt != nil },
      operationsInFlight: isAsked ? 0 : operations.count { $0.acceptedAt == nil },
      isAwaitingProvider: operations.contains { $0.acceptedAt != nil }, isLapsed: payment.lapsed,
      isStuck: now.map { payment.schedule.leaseUntil ?? $0 > $0 + leaseMax } ?? false)
  }

  // MARK: What was reached

  /// Counts what the book tells of ways that things took.
  static func reached(_ transaction: any PaymentTransaction) throws -> CoverageTable {
    var table = CoverageTable()
    for (order, payments) in try rows(transaction) {
      let journal = try transaction.journal(of: order.id, limit: linesMax)
      for entry in journal { count(entry, &table) }
      for review in try transaction.reviews(of: order.id) {
        table.reach(.review, review.kind.rawValue)
        if review.kind == .lateMoney { table.reach(.lateMoney) }
        guard !review.isOpen else { continue }
        table.reach(
          review.decision == nil
            ? .caseAnswered : review.decision?.operatorName == nil ? .caseByPolicy : .caseDecided)
      }
      for payment in payments {
        let ids = try transaction.providerPaymentIDs(of: payment.id)
        if ids.count > 1 { table.reach(.twin) }
        let hasFailed = journal.contains {
          $0.paymentID == payment.id && ["create refused", "create unanswered"].contains($0.event)
        }
        if hasFailed, payment.createState == .created { table.reach(.createRepeated) }
        for operation in try transaction.operations(of: payment.id) where operation.tries > 1 {
          table.reach(.operationRepeated)
        }
      }
    }
    return table
  }

  private static func count(_ entry: JournalEntry, _ table: inout CoverageTable) {
    switch entry.event {
    case "create ended": table.reach(.createEnded)
    case "late answer": table.reach(.lateAnswer)
    case "read failed": table.reach(.readFailed)
    case "lapsed": table.reach(.lapsed)
    case "webhook" where entry.note == "came before the create's answer":
      table.reach(.earlyWebhook)
    default: break
    }
    guard entry.event != "order", let step = entry.step else { return }
    table.reach(.edge, step)
    switch entry.channel {
    case .poll: table.reach(.byPoll)
    case .webhook: table.reach(.byWebhook)
    case .read, .device: table.reach(.byRead)
    case .call: table.reach(.byCall)
    case .reconcile: table.reach(.byReconcile)
    case .operator, .system: break
    }
  }
}

extension JournalEntry {
  /// The part of the change that tells of a step of a payment from state to state; another of a
  /// cart or a message has other words.
  fileprivate var step: String? {
    change?.split(separator: ",").map { String($0.drop { $0 == " " }) }.first { text in
      let words = text.split(separator: " ").map(String.init)
      return words.count == 3 && words[1] == "→"
        && [words[0], words[2]].allSatisfy(CoverageTable.statuses.map(\.description).contains)
    }
  }
}
