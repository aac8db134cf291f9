import HTTPExchange
import PaymentModels

/// The pages that the payer of the fake SEB sees, in one web view from the choice to the bank.
/// Forms and links have stable names, so that a program can go through them as a person does: links
/// `card`, `bank` and `click-to-pay` on the choice, a link `cancel` while there is something to
/// leave, a link `continue` on the result.
struct SEBPage {
  let payment: SEBPayment
  let prefix: String

  private var texts: SEBTexts { SEBTexts.language(payment.terms.locale) }

  func choose() -> HTTPResponse {
    let lastFailed = payment.sessions.last?.status == .failed
    let methods = [
      ("card", texts.card), ("bank", texts.bank), ("click-to-pay", texts.clickToPay),
    ].map { PageParts.button(id: $0.0, path: path($0.0), $0.1) }
    return step(
      texts.chooseTitle, texts.chooseHint, lastFailed ? texts.tryFailed : nil,
      methods.joined(separator: "\n"))
  }

  func card(isError: Bool = false) -> HTTPResponse {
    let form = PageParts.form(
      action: path("card"),
      fieldsHTML: [
        field("card_number", texts.cardNumber, "5186 0000 0000 0005", 23, isError),
        field("expiry", texts.expiry, "12 / 30", 7),
        field("cvv", texts.cvv, "123", 3),
      ].joined(separator: "\n"), buttonHTML: "\(escaped(texts.pay)) \(amountText)")
    return step(
      texts.card, texts.cardHint, isError ? texts.cardError : nil, form + other, isError: isError)
  }

  /// The bank's page: 3-D Secure.
  func secure(isError: Bool = false) -> HTTPResponse {
    let form = PageParts.form(
      action: path("secure"),
      fieldsHTML: PageParts.field(
        "otp", texts.codeLabel, attributesHTML: PageParts.oneTimeCode, isWrong: isError),
      buttonHTML: escaped(texts.confirm))
    return step(
      texts.secureTitle, texts.secureHint, isError ? texts.codeError : nil, form, isError: isError,
      isBank: true)
  }

  func bank() -> HTTPResponse {
    let form = """
      <form method="post" action="\(path("bank"))">
      <input type="hidden" name="bank" value="mock-bank">
      <button type="submit">\(escaped(texts.mockBank))</button>
      </form>
      """
    return step(texts.bank, texts.bankHint, nil, form + other)
  }

  /// The mock bank's question.
  func sca() -> HTTPResponse {
    let body = PageParts.bankQuestion(
      texts.bankTexts, shop: texts.shop, amountHTML: amountText, action: path("sca"))
    return frame(isBank: true).response(title: texts.bankTexts.title, body: body)
  }

  func clickToPay(isError: Bool = false) -> HTTPResponse {
    let form = PageParts.form(
      action: path("click-to-pay"),
      fieldsHTML: PageParts.field(
        "email", texts.email,
        attributesHTML: """
          type="text" dir="ltr" inputmode="email" autocomplete="email" required maxlength="255" \
          value="" autofocus
          """, isWrong: isError), buttonHTML: "\(escaped(texts.pay)) \(amountText)")
    return step(
      texts.clickToPay, texts.clickToPayHint, isError ? texts.emailError : nil, form + other,
      isError: isError)
  }

  /// How it stands when the page has no more to ask.
  func result() -> HTTPResponse {
    let button = PageParts.button(id: "continue", path: path("return"), texts.backToShop)
    let (sign, title, hint) =
      switch payment.status {
      case .authorized, .captured, .refunded: ("✓", texts.paidTitle, texts.paidHint)
      case .sentForProcessing: ("…", texts.waitTitle, texts.waitHint)
      case .initialized, .failed, .cancelled, .expired: ("!", texts.endedTitle, texts.endedHint)
      }
    let end = PageParts.end(sign, title, hint, isBad: sign == "!", linksHTML: button)
    return frame().response(title: title, body: "\(purchase)\n\(end)")
  }

  static func unknown(_ texts: SEBTexts) -> HTTPResponse {
    PageFrame(code: texts.code, mark: "SEB", footer: texts.footer)
      .unknown(texts.unknownTitle, texts.unknownHint)
  }

  // MARK: Parts

  private func path(_ step: String) -> String { "\(prefix)/checkout/\(payment.id)/\(step)" }

  private func field(
    _ name: String, _ label: String, _ example: String, _ length: Int, _ isWrong: Bool = false
  ) -> String {
    let input = PageParts.field(
      name, label,
      attributesHTML: """
        type="text" dir="ltr" inputmode="numeric" autocomplete="off" required \
        maxlength="\(length)" placeholder="\(example)" value=""
        """, isWrong: isWrong)
    return "<p>\(input)</p>"
  }

  private var other: String {
    #"<p><a id="choose" href="\#(path("choose"))">\#(escaped(texts.otherMethod))</a></p>"#
  }

  private func frame(isBank: Bool = false) -> PageFrame {
    PageFrame(
      code: texts.code, mark: isBank ? texts.bankName : "SEB", footer: texts.footer, isBank: isBank)
  }

  private func step(
    _ title: String, _ hint: String, _ notice: String?, _ content: String, isError: Bool = false,
    isBank: Bool = false
  ) -> HTTPResponse {
    let body = PageParts.step(
      title, hint, notice: notice, contentHTML: content, cancel: (path("cancel"), texts.backToShop))
    return frame(isBank: isBank).response(
      status: isError ? 422 : 200, title: title, body: "\(purchase)\n\(body)")
  }

  private var purchase: String {
    PageParts.purchase(
      texts.payTo, shop: texts.shop,
      detailHTML: "\(escaped(texts.order)) <bdi>\(escaped(payment.terms.orderNumber))</bdi>",
      amountHTML: amountText)
  }

  private var amountText: String {
    let amount = payment.terms.amount
    return amountHTML(amount.currency.code, amount.decimal)
  }
}
