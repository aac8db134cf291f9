import HTTPExchange
import KitEnvironment
import PaymentModels

/// What the payer does on the fake Futa's checkout and at the bank.
extension FutaLedger {
  func page(_ request: HTTPRequest, _ segments: [String]) -> HTTPResponse {
    guard let visit = PageRequest(request) else { return .methodNotAllowed }
    let texts = FutaTexts.preferred(request.headers["Accept-Language"])
    guard segments.count >= 2, let index = position(segments[1]),
      payments[index].terms.msisdn == nil
    else { return FutaPage.unknown(texts) }
    func page() -> FutaPage {
      FutaPage(
        payment: payments[index], texts: texts, state: word(payments[index].state),
        exponent: settings.exponent, bankOrigin: bankOrigin(index),
        nonce: environment.newUUID())
    }
    switch (segments[0], segments.count > 2 ? segments[2] : "", visit.isPost) {
    case ("pay", "", false), ("pay", "choose", false), ("pay", "result", false):
      if segments.count == 2 { note(index, "page_opened") }
      if segments.last == "choose" { payments[index].waitsForBank = false }
      return checkout(index, page)
    case ("pay", "phone", true):
      return atOpenPage(index, page) { phone(index, visit.field("msisdn"), page) }
    case ("pay", "bank", true): return atOpenPage(index, page) { leaveForBank(index) }
    case ("pay", "return", false): return leave(index)
    case ("pay", "cancel", false):
      return atOpenPage(index, page) {
        note(index, "cancel_followed")
        if settings.cancelEnds { setStatus(index, .cancelled, at: now) }
        return leave(index)
      }
    case ("receipts", "", false):
      note(index, "receipt_opened")
      return page().receipt()
    case ("bank", "", false): return atBank(index, page) { page().bank() }
    case ("bank", "", true):
      return atBank(index, page) { decide(index, visit.field("decision"), page) }
    default: return FutaPage.unknown(texts)
    }
  }

  // MARK: Steps

  /// The page as it stands: the choice, waiting, or how it ended.
  private func checkout(_ index: Int, _ page: () -> FutaPage) -> HTTPResponse {
    let payment = payments[index]
    if payment.state == .processing || payment.waitsForBank && payment.state == .created {
      return page().wait()
    }
    return payment.isOpen(at: now) ? page().choose() : page().result()
  }

  private func phone(
    _ index: Int, _ text: String, _ page: () -> FutaPage
  ) -> HTTPResponse {
    guard (7...15).contains(text.filter(\.isNumber).count), text.count <= 24 else {
      return page().choose(error: page().texts.phoneError)
    }
    payments[index].lastTryFailed = false
    payByPhone(index, text)
    return .seeOther("\(links.prefix)/pay/\(payments[index].id)/result")
  }

  /// The bank lies on another origin, so an app's web view opens it outside.
  private func leaveForBank(_ index: Int) -> HTTPResponse {
    note(index, "bank_chosen")
    payments[index].waitsForBank = true
    payments[index].lastTryFailed = false
    return .seeOther("\(bankOrigin(index))\(links.prefix)/bank/\(payments[index].id)")
  }

  private func decide(
    _ index: Int, _ decision: String, _ page: () -> FutaPage
  ) -> HTTPResponse {
    switch decision {
    case "approve":
      note(index, "bank_approved")
      conclude(index, .paid)
      return page().bankDone(isApproved: true)
    case "decline":
      note(index, "bank_declined")
      payments[index].waitsForBank = false
      payments[index].lastTryFailed = true
      return page().bankDone(isApproved: false)
    default: return page().bank()
    }
  }

  // MARK: Ways on

  private func leave(_ index: Int) -> HTTPResponse {
    note(index, "returned")
    let url = payments[index].terms.returnURL
    return .seeOther(
      settings.addsReturnParameters
        ? QueryText.append("payment_id", payments[index].id, to: url) : url)
  }

  private func atOpenPage(
    _ index: Int, _ page: () -> FutaPage, _ content: () -> HTTPResponse
  ) -> HTTPResponse {
    payments[index].isOpen(at: now) ? content() : checkout(index, page)
  }

  /// The bank answers as long as the payment can still change, even if the page is long gone.
  private func atBank(
    _ index: Int, _ page: () -> FutaPage, _ content: () -> HTTPResponse
  ) -> HTTPResponse {
    let payment = payments[index]
    let isAlive =
      payment.isOpen(at: now) || payment.state == .expired && settings.allowsLatePayment
    guard isAlive, payment.waitsForBank else { return page().result() }
    return content()
  }

  /// This machine by its other name, unless a setting says where the bank is.
  private func bankOrigin(_ index: Int) -> String {
    if let origin = settings.bankOrigin { return origin }
    let parts = payments[index].base.split(
      separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    let origin = parts.prefix(3).joined(separator: "/")
    let names = ("//127.0.0.1", "//localhost")
    return origin.contains(names.0)
      ? origin.replacing(names.0, with: names.1) : origin.replacing(names.1, with: names.0)
  }
}
