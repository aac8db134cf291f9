import PaymentModels

/// One order from both ends: what the book claims, and what the providers and the shop know.
struct OrderAccount: Sendable {
  let claim: BookOrder
  /// What the providers have of the order, in the order of their ledgers.
  let ledger: [LedgerPayment]
  let isCancelWished: Bool
  let isDecided: Bool
  let fulfilsOnHold: Bool
  let takesHeldMoney: Bool
  let receipts: [PaymentEvidence.Receipt]
  let screens: [PaymentEvidence.Screen]
  let journal: JournalReplay
  let partsAsked: [String: Int64]

  init(_ claim: BookOrder, ledger: [LedgerPayment], _ evidence: PaymentEvidence) {
    self.claim = claim
    let ids = Set(claim.payments.flatMap(\.providerPaymentIDs))
    self.ledger = ledger.filter { ids.contains($0.id) }
    isCancelWished = evidence.cancelled.contains(claim.orderID)
    isDecided = evidence.decided.contains(claim.orderID)
    fulfilsOnHold = evidence.fulfilsOnHold
    takesHeldMoney = evidence.takesHeldMoney
    partsAsked = evidence.partsAsked
    receipts = evidence.receipts.filter { $0.orderID == claim.orderID }
    screens = evidence.screens.filter { $0.orderID == claim.orderID }
    journal = evidence.journal
  }

  func finding(_ invariant: PaymentOracle.Invariant, _ what: String) -> PaymentOracle.Finding {
    PaymentOracle.Finding(
      invariant: invariant, detail: "order \(claim.orderID): \(what)",
      isSlow: ledger.contains(where: \.isLate))
  }

  /// What the providers have of one payment of the book.
  func ledger(of payment: BookPayment) -> [LedgerPayment] {
    ledger.filter { payment.providerPaymentIDs.contains($0.id) }
  }

  var taken: Int64 { ledger.reduce(0) { $0 + $1.captured } }

  // MARK: What must never be

  var outOfBounds: [PaymentOracle.Finding] {
    ledger.compactMap { payment in
      if payment.captured > payment.amount {
        return finding(
          .withinBounds, "\(payment.id) took \(payment.captured) of \(payment.amount)")
      }
      guard payment.returned > payment.captured else { return nil }
      return finding(
        .withinBounds, "\(payment.id) gave back \(payment.returned) of \(payment.captured)")
    }
  }

  /// Parts that went back beyond those that were asked for. Who gives the whole back may have
  /// reasons of their own: a provider by itself, a case that was decided so.
  var overrefunded: [PaymentOracle.Finding] {
    claim.payments.compactMap { payment in
      guard let asked = partsAsked[payment.paymentID] else { return nil }
      let there = ledger(of: payment)
      let returned = there.reduce(0) { $0 + $1.returned }
      guard returned > asked, returned < there.reduce(0, { $0 + $1.captured }) else { return nil }
      return finding(.withinBounds, "\(returned) went back, and \(asked) was asked for")
    }
  }

  var overclaimed: [PaymentOracle.Finding] {
    var findings = claim.payments.compactMap { payment -> PaymentOracle.Finding? in
      let taken = ledger(of: payment).reduce(0) { $0 + $1.captured }
      guard payment.captured > taken else { return nil }
      return finding(
        .moneyConserved, "the book counts \(payment.captured), the provider took \(taken)")
    }
    if claim.state == "paid", taken == 0 {
      findings.append(finding(.paidIffCaptured, "paid, but the provider took 0"))
    }
    // Whoever is content with a part lets the rest go, and the provider says so.
    let isWhole = ledger.contains { $0.captured >= $0.amount }
    if claim.state == "paid", !isDecided, !isWhole, ledger.contains(where: \.isPartlyHeld) {
      findings.append(finding(.paidIffCaptured, "paid, and a part of its money is only held"))
    }
    return findings
  }

  var forgotten: [PaymentOracle.Finding] {
    claim.payments.filter { !$0.isOwned }.map {
      finding(.nothingForgotten, "payment \($0.paymentID) (\($0.status)) is nobody's to go on with")
    }
      + claim.payments.filter(\.isStuck).map {
        finding(.nothingForgotten, "payment \($0.paymentID) is in the hands of a worker for ever")
      }
  }

  // MARK: What must not stay

  /// Payments that the book has otherwise than their provider.
  var unbooked: [PaymentOracle.Finding] {
    claim.payments.flatMap { payment -> [PaymentOracle.Finding] in
      let there = ledger(of: payment)
      var findings: [PaymentOracle.Finding] = []
      let taken = there.reduce(0) { $0 + $1.captured }
      let returned = there.reduce(0) { $0 + $1.returned }
      if payment.captured != taken {
        findings.append(
          finding(
            .moneyConserved, "the provider took \(taken), the book counts \(payment.captured)"))
      }
      if payment.returned != returned {
        findings.append(
          finding(
            .moneyConserved,
            "the provider gave back \(returned), the book counts \(payment.returned)"))
      }
      if payment.operationsInFlight > 0 {
        findings.append(
          finding(
            .nothingForgotten, "\(payment.operationsInFlight) operations have not come to an end"))
      }
      if !isRight(payment.status, there) {
        var late = finding(
          .paidIffCaptured,
          "the book still says \(payment.status), the provider \(there.map(\.standing))")
        late.isSlow = late.isSlow || payment.isLapsed
        findings.append(late)
      }
      return findings
    }
  }

  private func isRight(_ status: String, _ there: [LedgerPayment]) -> Bool {
    let standings = Set(there.filter { $0.standing != .open || !$0.reachedNobody }.map(\.standing))
    return switch status {
    case "captured": standings.contains(.taken)
    case "authorized": standings.contains(.held) || standings.contains(.taken)
    case "rejected", "expired", "cancelled":
      !standings.contains(.held) && !standings.contains(.taken)
        && (standings.isEmpty || standings.contains(.over))
    case "created", "pending":
      standings.isSubset(of: [.open, .over]) && (standings.isEmpty || standings.contains(.open))
    default: false
    }
  }

  /// Whether the book has the order where its money is.
  var wrongState: [PaymentOracle.Finding] {
    let keeping = ledger.filter { $0.kept > 0 }
    let held = ledger.filter { $0.standing == .held }
    var allowed: Set<String>
    if !keeping.isEmpty {
      allowed = ["paid"]
    } else if !held.isEmpty {
      allowed = ["authorized"]
    } else {
      allowed = taken > 0 ? ["refunded", "cancelled"] : ["pending", "cancelled"]
    }
    let hadMoney = ledger.count { $0.heldAt != nil }
    let isPartial = keeping.contains { $0.captured < $0.amount }
    // A request that arrives twice where the provider has no keys puts the goods in twice.
    let isOther = ledger.contains { $0.heldAt != nil && $0.amount != claim.total }
    let isNoneRight = keeping.allSatisfy { $0.amount != claim.total }
    let isAPersonsCase =
      isCancelWished || hadMoney > 1 || isPartial || isOther || (taken > 0 && !held.isEmpty)
    if isAPersonsCase, !keeping.isEmpty || !held.isEmpty {
      allowed.formUnion(["needs_review", "authorized"])
      // Only a person can be content with another amount.
      if isNoneRight, !isDecided { allowed.remove("paid") }
    }
    // A case that was dismissed counts for nothing: its money is settled elsewhere.
    if isDecided { allowed.formUnion(["needs_review", "cancelled", "refunded", "pending"]) }
    var findings: [PaymentOracle.Finding] = []
    if !allowed.contains(claim.state) {
      let money = ledger.map { "\($0.captured)-\($0.returned) \($0.standing)" }
      findings.append(
        finding(
          .paidIffCaptured,
          "the providers have \(money.joined(separator: ", ")), and the book says "
            + ([claim.state] + claim.openReviews).joined(separator: ", ")))
    }
    if claim.state == "needs_review", claim.openReviews.isEmpty,
      !claim.payments.contains(where: \.isAwaitingProvider)
    {
      findings.append(finding(.nothingForgotten, "under review, and no case is open"))
    }
    if takesHeldMoney, !isAPersonsCase, !isDecided, !held.isEmpty {
      findings.append(finding(.paidIffCaptured, "money is held and not captured"))
    }
    return findings
  }
}
