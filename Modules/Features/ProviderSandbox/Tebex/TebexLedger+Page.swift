import HTTPExchange
import PaymentModels

/// What the payer does on the fake Tebex' page.
extension TebexLedger {
  func page(_ request: HTTPRequest, _ segments: [String]) -> HTTPResponse {
    guard let visit = PageRequest(request) else { return .methodNotAllowed }
    guard segments.count >= 2, segments[0] == "pay", let index = position(segments[1]),
      payments[index].id == segments[1], !payments[index].lines.isEmpty
    else { return TebexPage.unknown() }
    switch (segments.count > 2 ? segments[2] : "", visit.isPost) {
    case ("", false):
      note(index, "page_opened")
      return atOpenPage(index) { pageOf(index).methods() }
    case ("method", false): return atOpenPage(index) { pageOf(index).methods() }
    case ("method", true): return atOpenPage(index) { choose(index, visit.field("method")) }
    case ("result", false): return result(index)
    case ("return", false): return leave(index)
    case ("cancel", false): return cancel(index)
    default: return TebexPage.unknown()
    }
  }

  private func pageOf(_ index: Int) -> TebexPage {
    let price = payments[index].price
    return TebexPage(
      basket: payments[index], prefix: links.prefix, currency: currencyCode, price: price,
      tax: tax(on: price))
  }

  private func choose(_ index: Int, _ word: String) -> HTTPResponse {
    guard let method = TebexMethod(rawValue: word) else {
      return pageOf(index).methods(error: true)
    }
    guard method != .declined else {
      decline(index)
      return go(index, "method")
    }
    pay(index, by: method)
    return go(index, "result")
  }

  private func result(_ index: Int) -> HTTPResponse {
    payments[index].isOpen ? go(index, "method") : pageOf(index).result()
  }

  private func leave(_ index: Int) -> HTTPResponse {
    let basket = payments[index]
    guard !basket.isOpen, let url = basket.request.completeURL else { return go(index, "result") }
    note(index, "returned")
    return .seeOther(link(url))
  }

  /// A basket that was left stays open: there is no other page to come back to.
  private func cancel(_ index: Int) -> HTTPResponse {
    let basket = payments[index]
    guard basket.isOpen, let url = basket.request.cancelURL else { return go(index, "result") }
    note(index, "cancel_followed")
    return .seeOther(link(url))
  }

  private func link(_ url: String) -> String {
    guard let query = settings.returnQuery else { return url }
    return url + (url.contains("?") ? "&" : "?") + query
  }

  private func go(_ index: Int, _ step: String) -> HTTPResponse {
    .seeOther("\(links.prefix)/pay/\(payments[index].id)/\(step)")
  }

  private func atOpenPage(_ index: Int, _ content: () -> HTTPResponse) -> HTTPResponse {
    payments[index].isOpen ? content() : pageOf(index).result()
  }
}
