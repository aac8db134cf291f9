import PaymentModels

/// What the shop handed out and what payers were shown, against what the providers know.
extension OrderAccount {
  private enum Goods { case out, back }

  /// What the shop was told to do with the goods, each message once, in the order of arrival.
  private var goods: [(at: Instant, goods: Goods)] {
    var seen: Set<String> = []
    return receipts.compactMap { receipt in
      guard ["order.fulfil", "order.revoke"].contains(receipt.type),
        seen.insert(receipt.messageID).inserted
      else { return nil }
      return (receipt.at, receipt.type == "order.fulfil" ? .out : .back)
    }
  }

  // MARK: What must never be

  var wronglyFulfilled: [PaymentOracle.Finding] {
    var findings: [PaymentOracle.Finding] = []
    let goods = goods
    if zip(goods, goods.dropFirst()).contains(where: { $0.goods == .out && $1.goods == .out }) {
      findings.append(finding(.fulfilledOnce, "handed out more than once"))
    }
    if goods.first?.goods == .back
      || zip(goods, goods.dropFirst()).contains(where: {
        $0.goods == .back && $1.goods == .back
      })
    {
      findings.append(finding(.fulfilledOnce, "called back what was not out"))
    }
    let paidAt = ledger.compactMap { fulfilsOnHold ? $0.heldAt : $0.takenAt }.min()
    if let first = goods.first(where: { $0.goods == .out })?.at,
      paidAt.map({ first < $0 }) ?? true
    {
      findings.append(finding(.fulfilledOnce, "handed out before it was paid"))
    }
    return findings
  }

  var falselyShown: [PaymentOracle.Finding] {
    screens.compactMap { screen in
      switch screen.shows {
      case "succeeded":
        let hasMoney = ledger.contains { $0.heldAt.map { $0 <= screen.at } ?? false }
        return hasMoney
          ? nil : finding(.neverFalselyFailed, "shown as paid, and no provider had its money")
      case "rejected", "expired", "cancelled":
        guard let payment = claim.payments.first(where: { $0.paymentID == screen.paymentID }) else {
          return nil
        }
        let told = ledger(of: payment).filter { !$0.reachedNobody }
        guard !told.contains(where: { $0.wasOver(shortlyBefore: screen.at) }) else { return nil }
        let there = told.map { $0.standing(at: screen.at) }
        let isProven = there.isEmpty || there.contains(.over)
        guard there.contains(.held) || there.contains(.taken) || !isProven else { return nil }
        return finding(
          .neverFalselyFailed, "shown as \(screen.shows), and its provider says \(there)")
      default: return nil
      }
    }
  }

  // MARK: What must not stay

  var undelivered: [PaymentOracle.Finding] {
    var findings: [PaymentOracle.Finding] = []
    if claim.undelivered > 0 {
      findings.append(
        finding(.nothingForgotten, "\(claim.undelivered) messages have not reached the shop"))
    }
    let isOut = goods.last?.goods == .out
    switch claim.state {
    case "paid" where !isOut && !isCancelWished:
      findings.append(finding(.fulfilledOnce, "paid, and not handed out"))
    case "authorized" where fulfilsOnHold && !isOut && !isCancelWished:
      findings.append(finding(.fulfilledOnce, "held, and not handed out"))
    case "pending" where isOut, "cancelled" where isOut, "refunded" where isOut:
      findings.append(
        finding(.fulfilledOnce, "\(claim.state), and the goods were not called back"))
    default: break
    }
    return findings
  }

  /// The last thing that the payer was shown of each checkout.
  var untold: [PaymentOracle.Finding] {
    let checkouts = Set(screens.map(\.checkout)).sorted()
    return checkouts.compactMap { checkout in
      guard let last = screens.last(where: { $0.checkout == checkout }),
        let payment = claim.payments.first(where: { $0.paymentID == last.paymentID })
      else { return nil }
      let standings = Set(ledger(of: payment).map(\.standing))
      let isOpen = standings.isEmpty || standings.contains(.open)
      let isTold = [
        "succeeded", "rejected", "expired", "cancelled", "under_review", "left",
      ].contains(last.shows)
      // What was shown with proof stands; money that came later is another story.
      guard !isTold, !isOpen || claim.state == "paid" else { return nil }
      return finding(
        .payerToldTheTruth, "the last screen of \(checkout) says “\(last.shows)”")
    }
  }
}
