/// What payers were shown of checkouts, whether or not the book has their orders.
extension PaymentOracle {
  // MARK: What must never be

  /// Ends that were shown of checkouts whose payment nobody knew.
  var unproven: [Finding] {
    let ends = ["succeeded", "rejected", "expired", "cancelled"]
    return evidence.screens.filter { $0.paymentID == nil && ends.contains($0.shows) }.map {
      Finding(
        invariant: .neverFalselyFailed,
        detail: "\($0.checkout) was shown as \($0.shows), and no payment of it is known")
    }
  }

  /// Checkouts that were shown as of more than one order.
  var orderedTwice: [Finding] {
    ordersOfCheckouts.filter { $0.orders.count > 1 }.map {
      Finding(
        invariant: .orderedOnce, detail: "\($0.checkout) made the orders \($0.orders.sorted())")
    }
  }

  /// By checkout, in order: the orders that it was shown as of. Every checkout shows something
  /// before it asks for its order.
  private var ordersOfCheckouts: [(checkout: String, orders: Set<String>)] {
    Set(evidence.screens.map(\.checkout)).sorted().map { checkout in
      let screens = evidence.screens.filter { $0.checkout == checkout }
      return (checkout, Set(screens.compactMap(\.orderID)))
    }
  }

  // MARK: What must not stay

  /// Orders that no checkout shows are those of checkouts that know none yet: one each.
  var orderedByNobody: [Finding] {
    let checkouts = ordersOfCheckouts
    let shown = checkouts.reduce(into: Set<String>()) { $0.formUnion($1.orders) }
    let unseen = accounts.count { !shown.contains($0.claim.orderID) }
    let unknowing = checkouts.count { $0.orders.isEmpty }
    guard unseen > unknowing else { return [] }
    return [
      Finding(
        invariant: .orderedOnce,
        detail: "\(unseen) orders are of no checkout, and \(unknowing) checkouts know of none")
    ]
  }

  /// Checkouts that never got an order, and whose payers still wait for it.
  var leftWaiting: [Finding] {
    ordersOfCheckouts.filter(\.orders.isEmpty).compactMap { checkout, _ in
      let last = evidence.screens.last { $0.checkout == checkout }
      guard let last, ["preparing", "confirming"].contains(last.shows) else { return nil }
      return Finding(
        invariant: .payerToldTheTruth,
        detail: "the last screen of \(checkout) says “\(last.shows)”, and it has no order")
    }
  }

  /// Orders and payments that a payer was shown and the book has not, each once.
  var unknownShown: [Finding] {
    let book = evidence.book.reduce(into: [String: Set<String>]()) { book, order in
      book[order.orderID, default: []].formUnion(order.payments.map(\.paymentID))
    }
    let all = book.values.reduce(into: Set<String>()) { $0.formUnion($1) }
    var seen: Set<String> = []
    return evidence.screens.compactMap { screen in
      let unknown: String
      if let order = screen.orderID, book[order] == nil {
        unknown = "order \(order)"
      } else if let payment = screen.paymentID,
        !(screen.orderID.flatMap { book[$0] } ?? all).contains(payment)
      {
        unknown = "payment \(payment)"
      } else {
        return nil
      }
      let detail = "\(screen.checkout) was shown as of \(unknown), which the book has not there"
      guard seen.insert(detail).inserted else { return nil }
      return Finding(invariant: .nothingUnknown, detail: detail)
    }
  }
}
