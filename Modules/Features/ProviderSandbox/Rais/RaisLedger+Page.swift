import HTTPExchange
import KitEnvironment
import PaymentModels

/// What the payer does on the fake Raïs' page and at the bank's 3-D Secure page.
extension RaisLedger {
  func page(_ request: HTTPRequest, _ segments: [String]) -> HTTPResponse {
    guard let visit = PageRequest(request) else { return .methodNotAllowed }
    guard segments.count >= 2, segments[0] == "checkout", let index = position(segments[1]) else {
      return RaisPage.unknown(RaisTexts.language("fr"))
    }
    switch (segments.count > 2 ? segments[2] : "", visit.isPost) {
    case ("", false):
      note(index, "page_opened")
      // Opened anew, also by a payer who left in the middle of 3-D Secure.
      payments[index].challenge = nil
      return atOpenPage(index) { pageOf(index).card() }
    case ("card", false): return atOpenPage(index) { pageOf(index).card() }
    case ("card", true): return atOpenPage(index) { enterCard(index, visit.field("card_number")) }
    case ("secure", false): return atChallenge(index) { pageOf(index).secure() }
    case ("secure", true): return atChallenge(index) { enterCode(index, visit.field("otp")) }
    case ("result", false): return result(index)
    case ("return", false): return leaveBySuccess(index)
    case ("cancel", false): return leaveByCancel(index)
    default: return RaisPage.unknown(RaisTexts.language(payments[index].terms.language))
    }
  }

  private func pageOf(_ index: Int) -> RaisPage {
    RaisPage(
      payment: payments[index], prefix: links.prefix, currency: settings.currency,
      exponent: settings.exponent)
  }

  // MARK: Steps

  private func enterCard(_ index: Int, _ number: String) -> HTTPResponse {
    guard let card = RaisCard(number: number) else { return pageOf(index).card(error: true) }
    note(index, "card_entered")
    payments[index].lastCardDeclined = false
    if card == .declined {
      decline(index)
      return go(index, "card")
    }
    payments[index].challenge = card
    return go(index, "secure")
  }

  /// Always 1234, as the page says; the bank that refuses does so after the right code.
  private func enterCode(_ index: Int, _ text: String) -> HTTPResponse {
    guard text == "1234" else { return pageOf(index).secure(error: true) }
    note(index, "code_entered")
    if payments[index].challenge == .refusedByBank {
      decline(index)
      return go(index, "card")
    }
    pay(index)
    return go(index, "result")
  }

  /// How it ended. The page stays: nothing but its button leads on.
  private func result(_ index: Int) -> HTTPResponse {
    payments[index].isOpen(at: now) ? go(index, "card") : pageOf(index).result()
  }

  // MARK: Ways on

  private func leaveBySuccess(_ index: Int) -> HTTPResponse {
    let payment = payments[index]
    guard payment.status == .paid || payment.paidAt != nil else { return go(index, "result") }
    note(index, "returned")
    return .seeOther(link(payment, payment.terms.successURL, "paid", isWhole: true))
  }

  private func leaveByCancel(_ index: Int) -> HTTPResponse {
    guard payments[index].status != .paid, payments[index].paidAt == nil else {
      return go(index, "result")
    }
    note(index, "cancel_followed")
    if settings.cancelEnds, payments[index].isOpen(at: now) {
      setStatus(index, .cancelled, at: now)
    }
    let payment = payments[index]
    return .seeOther(
      link(
        payment, payment.terms.cancelURL, word(payment.status),
        isWhole: settings.addsAllToCancel))
  }

  /// The address as it was written, with the result behind what query it has and before its
  /// fragment.
  private func link(
    _ payment: RaisPayment, _ url: String, _ status: String, isWhole: Bool
  ) -> String {
    var parameters = [("payment_id", payment.id), ("status", status)]
    if isWhole {
      parameters += [("reference", payment.terms.reference), ("order_number", payment.orderNumber)]
    }
    return parameters.reduce(url) { QueryText.append($1.0, $1.1, to: $0) }
  }

  private func go(_ index: Int, _ step: String) -> HTTPResponse {
    .seeOther("\(links.prefix)/checkout/\(payments[index].id)/\(step)")
  }

  private func atOpenPage(_ index: Int, _ content: () -> HTTPResponse) -> HTTPResponse {
    payments[index].isOpen(at: now) ? content() : pageOf(index).result()
  }

  private func atChallenge(_ index: Int, _ content: () -> HTTPResponse) -> HTTPResponse {
    atOpenPage(index) { payments[index].challenge == nil ? go(index, "card") : content() }
  }
}
