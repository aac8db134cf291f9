/// What the rows of an order say, against what its journal alone comes to.
extension OrderAccount {
  var untoldByJournal: [PaymentOracle.Finding] {
    let order = journal.orders[claim.orderID] ?? JournalReplay.Order()
    var findings = claim.payments.flatMap(untold(of:))
    if order.state != claim.state {
      findings.append(
        finding(.journalTells, "is \(claim.state), by its journal \(order.state)"))
    }
    if let total = order.total, total != claim.total {
      findings.append(
        finding(.journalTells, "is for \(claim.total), by its journal for \(total)"))
    }
    let cases = order.openCases.map(\.kind).sorted()
    if cases != claim.openReviews.sorted() {
      findings.append(
        finding(
          .journalTells,
          "has the open cases \(claim.openReviews.sorted()), by its journal \(cases)"))
    }
    if order.delivered != claim.delivered {
      findings.append(
        finding(
          .journalTells,
          "\(claim.delivered) messages were delivered, by its journal \(order.delivered)"))
    }
    if order.givenUp != claim.givenUp {
      findings.append(
        finding(
          .journalTells,
          "\(claim.givenUp) messages were given up, by its journal \(order.givenUp)"))
    }
    return findings
  }

  private func untold(of payment: BookPayment) -> [PaymentOracle.Finding] {
    let told = journal.payments[payment.paymentID] ?? JournalReplay.Payment()
    let captured = told.sums[.captured] ?? 0
    let returned = (told.sums[.refunded] ?? 0) + (told.sums[.chargedBack] ?? 0)
    var differences: [String] = []
    if told.status != payment.status {
      differences.append("is \(payment.status), by its journal \(told.status)")
    }
    if captured != payment.captured {
      differences.append("has captured \(payment.captured), by its journal \(captured)")
    }
    if returned != payment.returned {
      differences.append("has given back \(payment.returned), by its journal \(returned)")
    }
    return differences.map { finding(.journalTells, "payment \(payment.paymentID) \($0)") }
  }
}

extension PaymentOracle {
  /// What the journal tells of and no row is of. Rows are never taken away.
  var strayLines: [Finding] {
    let orders = evidence.journal.orderIDs.subtracting(evidence.book.map(\.orderID))
    let payments = evidence.journal.paymentIDs.subtracting(
      evidence.book.flatMap { $0.payments.map(\.paymentID) })
    return (orders.sorted().map { "order \($0)" } + payments.sorted().map { "payment \($0)" }).map {
      Finding(invariant: .journalTells, detail: "the journal tells of \($0), and no row is of it")
    }
  }
}
