import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface

/// An order that is to be paid otherwise than begun: with another cart, or at another provider.
extension CheckoutService {
  /// The payment whose page is handed out: the newest, while it can still be paid.
  ///
  /// One that is captured while the order is to be paid is over: its money went back, or is
  /// settled elsewhere.
  static func offered(of payments: [PaymentRow]) -> PaymentRow? {
    guard let last = payments.last, isOpen(last), last.status != .captured else { return nil }
    return last
  }

  static func beingPaid(_ open: PaymentRow) -> CheckoutError {
    CheckoutError(
      .beingPaid,
      "The order is being paid at \(open.provider), perhaps on another device. Go on there, or "
        + "come again once that is over; nothing was changed.")
  }

  /// Ends the payment that is offered, where its provider lets us, if the order is to be paid with
  /// other terms. Whether it is over is decided with the new payment, in one transaction.
  ///
  /// - Parameter read: payments that were read just now; no other is ended, since it may be paid.
  func endOffered(
    insteadOf new: PaymentRow, for wanted: OrderRow, read: Set<PaymentID>
  ) async throws(CheckoutError) {
    let (settings, environment, providers) = (settings, environment, providers)
    let closing = try await stored { store in
      try await store.write { transaction -> (OperationID, PaymentRow)? in
        let payments = try transaction.payments(of: wanted.id)
        // What could not be followed by another payment is not ended.
        guard payments.count < settings.attemptsMax,
          let order = try transaction.order(wanted.id), order.state == .pending,
          order.cancelRequestedAt == nil, let open = Self.offered(of: payments),
          open.provider != new.provider || !order.hasCart(of: wanted),
          read.contains(open.id), open.status != .authorized,
          let provider = providers.account(of: open.provider, open.account),
          provider.capabilities.closes(open.status)
        else { return nil }
        try Self.requireNoPause(of: new, transaction)
        try Settlement(
          transaction, policy: settings.policy, now: environment.clock.now(),
          newUUID: environment.newUUID
        ).close(open, why: "the order is to be paid otherwise")
        let operation = try transaction.operations(of: open.id).last {
          $0.kind == .close && $0.isInFlight
        }
        return operation.map { ($0.id, open) }
      }
    }
    if let (operation, open) = closing { await awaitOperation(operation, of: open) }
  }

  static func requireNoPause(
    of payment: PaymentRow, _ transaction: any PaymentTransaction
  ) throws {
    let made = AccountKey(payment.provider, payment.account)
    guard try transaction.pauses().contains(where: { $0.stops(made) }) else { return }
    throw CheckoutError(
      .paused,
      "New checkouts at \(payment.provider) are paused. Take another provider, or try later.",
      path: "provider")
  }

  /// Gives the order its new cart; nothing was paid for the old one.
  static func bind(
    _ order: OrderRow, to wanted: OrderRow, at now: Instant, _ transaction: any PaymentTransaction
  ) throws {
    var order = order
    let before = order.total
    order.lines = wanted.lines
    order.total = wanted.total
    try transaction.updateOrder(order)
    try transaction.appendJournal(
      JournalEntry(
        at: now, orderID: order.id, paymentID: nil, channel: .device, trust: .hint, event: "cart",
        change: "\(before) → \(order.total)"))
  }
}

extension OrderRow {
  /// Whether both are for the same pieces at the same prices, in whatever order.
  func hasCart(of other: OrderRow) -> Bool {
    total == other.total
      && lines.sorted { $0.productID < $1.productID }
        == other.lines.sorted { $0.productID < $1.productID }
  }
}
