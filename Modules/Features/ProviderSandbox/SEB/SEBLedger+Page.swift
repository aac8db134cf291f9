import HTTPExchange
import KitEnvironment
import PaymentModels

/// What the payer does on the fake SEB's page: a method is chosen, and another one after a try that
/// failed, until one works.
extension SEBLedger {
  func page(_ request: HTTPRequest, _ segments: [String]) -> HTTPResponse {
    guard let visit = PageRequest(request) else { return .methodNotAllowed }
    guard segments.count >= 2, segments[0] == "checkout", let index = position(segments[1]) else {
      return SEBPage.unknown(SEBTexts.language(nil))
    }
    switch (segments.count > 2 ? segments[2] : "", visit.isPost) {
    case ("", false):
      note(index, "page_opened")
      return open(index, at: hint(request))
    case ("choose", false): return atOpenPage(index) { pageOf(index).choose() }
    case ("card", false): return atOpenPage(index) { pageOf(index).card() }
    case ("card", true): return atOpenPage(index) { enterCard(index, visit) }
    case ("secure", false): return at(index, .waitingChallenge) { pageOf(index).secure() }
    case ("secure", true):
      return at(index, .waitingChallenge) { enterCode(index, visit.field("otp")) }
    case ("bank", false): return atOpenPage(index) { pageOf(index).bank() }
    case ("bank", true): return atOpenPage(index) { chooseBank(index) }
    case ("sca", false): return at(index, .waitingSCA) { pageOf(index).sca() }
    case ("sca", true): return at(index, .waitingSCA) { decide(index, visit.field("decision")) }
    case ("click-to-pay", false): return atOpenPage(index) { pageOf(index).clickToPay() }
    case ("click-to-pay", true):
      return atOpenPage(index) { clickToPay(index, visit.field("email")) }
    case ("result", false): return atOpenPage(index) { pageOf(index).choose() }
    case ("return", false): return leave(index, "returned")
    case ("cancel", false): return leave(index, "cancel_followed")
    default: return SEBPage.unknown(SEBTexts.language(payments[index].terms.locale))
    }
  }

  private func pageOf(_ index: Int) -> SEBPage {
    SEBPage(payment: payments[index], prefix: links.prefix)
  }

  // MARK: Steps

  /// The method that the address asks for; nil shows the chooser.
  private func hint(_ request: HTTPRequest) -> SEBMethod? {
    request.query.first { $0.name == settings.methodParameter }
      .flatMap { SEBMethod(rawValue: $0.value) }
  }

  private func open(_ index: Int, at method: SEBMethod?) -> HTTPResponse {
    atOpenPage(index) {
      switch method {
      case .card: pageOf(index).card()
      case .bank: pageOf(index).bank()
      case .clickToPay: pageOf(index).clickToPay()
      case nil: pageOf(index).choose()
      }
    }
  }

  /// Expiry and code are checked where they are sent: any future date, any three digits. A program
  /// may send the number alone.
  private func enterCard(_ index: Int, _ visit: PageRequest) -> HTTPResponse {
    let code = visit.field("cvv")
    guard let card = SEBCard(number: visit.field("card_number")),
      code.isEmpty || code.utf8.count == 3 && code.utf8.allSatisfy({ (48...57).contains($0) })
    else { return pageOf(index).card(isError: true) }
    begin(index, .card, card == .fails ? .initialized : .waitingChallenge)
    if card == .fails {
      endSession(index, .failed)
      return go(index, "choose")
    }
    return go(index, "secure")
  }

  /// Always 1234, as the page says.
  private func enterCode(_ index: Int, _ text: String) -> HTTPResponse {
    guard text == "1234" else { return pageOf(index).secure(isError: true) }
    succeed(index, at: now)
    return go(index, "result")
  }

  private func chooseBank(_ index: Int) -> HTTPResponse {
    begin(index, .bank, .waitingSCA)
    return go(index, "sca")
  }

  private func decide(_ index: Int, _ decision: String) -> HTTPResponse {
    switch decision {
    case "approve":
      sendForProcessing(index)
      return go(index, "result")
    case "decline":
      endSession(index, .failed)
      return go(index, "choose")
    default: return pageOf(index).sca()
    }
  }

  private func clickToPay(_ index: Int, _ email: String) -> HTTPResponse {
    guard email.contains("@"), email.count <= SandboxLimits.textMax else {
      return pageOf(index).clickToPay(isError: true)
    }
    begin(index, .clickToPay, .waitingAuthentication)
    succeed(index, at: now)
    return go(index, "result")
  }

  // MARK: Ways on

  /// The address as it was written: nothing is added to it, whatever happened.
  private func leave(_ index: Int, _ event: String) -> HTTPResponse {
    note(index, event)
    return .seeOther(payments[index].terms.shopRedirectURL)
  }

  private func go(_ index: Int, _ step: String) -> HTTPResponse {
    .seeOther("\(links.prefix)/checkout/\(payments[index].id)/\(step)")
  }

  private func atOpenPage(_ index: Int, _ content: () -> HTTPResponse) -> HTTPResponse {
    payments[index].isOpen(at: now) ? content() : pageOf(index).result()
  }

  private func at(
    _ index: Int, _ status: SEBSessionStatus, _ content: () -> HTTPResponse
  ) -> HTTPResponse {
    atOpenPage(index) {
      payments[index].session?.status == status ? content() : go(index, "choose")
    }
  }
}
