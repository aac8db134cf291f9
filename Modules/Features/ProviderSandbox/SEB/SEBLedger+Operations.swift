import HTTPExchange
import PaymentModels
import StrictJSON

/// Captures, cancels and refunds at the fake SEB. That they exist is documented, and the body of a
/// refund; the rest is assumed.
extension SEBLedger {
  func capture(_ index: Int, _ body: JSONValue) throws(SEBError) -> HTTPResponse {
    let payment = payments[index]
    let amount = try SEBTerms.amount(body)
    guard payment.status == .authorized else { throw .conflict }
    guard let sum = payment.captured.adding(amount),
      sum.minorUnits <= payment.terms.amount.minorUnits
    else { throw .invalid("instructedAmount.amount") }
    payments[index].captured = sum
    note(index, "captured \(amount)")
    if sum == payment.terms.amount { setStatus(index, .captured, at: now) }
    return answer(index)
  }

  /// Lets go what is held and was not captured.
  func cancel(_ index: Int) throws(SEBError) -> HTTPResponse {
    guard payments[index].status == .authorized else { throw .conflict }
    letGo(index)
    return answer(index)
  }

  /// Gives money back. What was not captured is let go instead, as documented.
  func refund(_ index: Int, _ body: JSONValue) throws(SEBError) -> HTTPResponse {
    let amount = try SEBTerms.amount(body)
    let payment = payments[index]
    if payment.status == .authorized, payment.captured.minorUnits == 0 {
      letGo(index)
      return answer(index)
    }
    guard payment.status == .captured || payment.status == .refunded else { throw .conflict }
    let waiting = payment.pendingRefunds.reduce(payment.refunded.minorUnits) {
      $0 + $1.amount.minorUnits
    }
    guard amount.currency == payment.captured.currency,
      waiting + amount.minorUnits <= payment.captured.minorUnits,
      settings.allowsPartialRefunds || amount == payment.captured
    else { throw .invalid("instructedAmount.amount") }
    let delay = faults(of: index).refundDelayMs
    if delay > 0 {
      payments[index].pendingRefunds.append((amount, now + .milliseconds(delay)))
      book(index)
    } else {
      giveBack(index, amount, at: now)
    }
    return answer(index)
  }

  func giveBack(_ index: Int, _ amount: Money, at instant: Instant) {
    guard let sum = payments[index].refunded.adding(amount) else { return }
    payments[index].refunded = sum
    payments[index].trail.note("refunded \(amount)", at: instant)
    let isWhole = sum.minorUnits >= payments[index].captured.minorUnits
    setStatus(index, isWhole ? .refunded : payments[index].status, at: instant)
  }

  private func letGo(_ index: Int) {
    let isPartlyTaken = payments[index].captured.minorUnits > 0
    setStatus(index, isPartlyTaken ? .captured : .cancelled, at: now)
  }

  private func answer(_ index: Int) -> HTTPResponse {
    .json(settings.answersWithPayment ? paymentJSON(index) : .object(["result": "ACCEPTED"]))
  }
}
