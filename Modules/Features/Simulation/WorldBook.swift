import PaymentModels
import PaymentOracle
import PaymentStore

/// The merchant's book as a judge gets it: read straight from the disk, past all the server's code.
enum WorldBook {
  /// Orders of one world at the most.
  private static let ordersMax = 1_000

  static func orders(_ transaction: any PaymentTransaction) throws -> [BookOrder] {
    try rows(transaction).map { order, payments in
      let journal = try transaction.journal(of: order.id, limit: 100_000)
      return BookOrder(
        orderID: order.id.rawValue, total: order.total.minorUnits, state: order.state.rawValue,
        journalState: journal.last { $0.event == "order" && $0.change != nil }?.reached,
        openReviews: try transaction.reviews(of: order.id).filter(\.isOpen).map(\.kind.rawValue),
        undelivered: try transaction.messages(of: order.id).count { $0.state != .delivered },
        payments: try payments.map { try claim(of: $0, journal, transaction) })
    }
  }

  private static func rows(
    _ transaction: any PaymentTransaction
  ) throws -> [(order: OrderRow, payments: [PaymentRow])] {
    let payments = try transaction.payments(before: nil, limit: ordersMax)
    return try Set(payments.map(\.orderID)).sorted().compactMap { id in
      guard let order = try transaction.order(id) else { return nil }
      return (order, try transaction.payments(of: id))
    }
  }

  private static func claim(
    of payment: PaymentRow, _ journal: [JournalEntry], _ transaction: any PaymentTransaction
  ) throws -> BookPayment {
    let items = try transaction.items(of: payment.id)
    let operations = try transaction.operations(of: payment.id).filter(\.isInFlight)
    func sum(_ kinds: Set<PaymentItem.Kind>) -> Int64 {
      items.reduce(0) { kinds.contains($1.kind) ? $0 + $1.amount.minorUnits : $0 }
    }
    let isOver = payment.status.isFinalUnpaid || payment.status == .captured
    return BookPayment(
      paymentID: payment.id.rawValue,
      providerPaymentIDs: try transaction.providerPaymentIDs(of: payment.id).map(\.rawValue),
      status: payment.status.description,
      journalStatus: journal.last {
        $0.paymentID == payment.id && $0.event != "order" && $0.statusReached != nil
      }?.statusReached,
      captured: sum([.capture]), returned: sum([.refund, .chargeback]),
      isOwned: (isOver || payment.schedule.nextReadAt != nil)
        && operations.allSatisfy { $0.nextTryAt != nil },
      operationsInFlight: operations.count { $0.acceptedAt == nil },
      isAwaitingProvider: operations.contains { $0.acceptedAt != nil }, isLapsed: payment.lapsed)
  }

  // MARK: What was reached

  /// Counts what the book tells of ways that things took.
  static func reached(_ transaction: any PaymentTransaction) throws -> CoverageTable {
    var table = CoverageTable()
    for (order, payments) in try rows(transaction) {
      let journal = try transaction.journal(of: order.id, limit: 100_000)
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
    case .call, .operator, .system: table.reach(.byCall)
    case .reconcile: table.reach(.byReconcile)
    }
  }
}

extension JournalEntry {
  /// The part of the change that tells of a step from state to state.
  fileprivate var step: String? {
    change?.split(separator: ",").first { $0.contains(" → ") }.map { text in
      String(text.drop { $0 == " " })
    }
  }

  fileprivate var reached: String? {
    step.flatMap { $0.split(separator: " ").last.map(String.init) }
  }

  /// The payment's state that it tells; nil for steps of messages and deliveries.
  fileprivate var statusReached: String? {
    guard let reached else { return nil }
    if case .unknown = PaymentStatus(stored: reached), !reached.hasPrefix("unknown:") { return nil }
    return reached
  }
}
