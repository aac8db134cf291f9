import HTTPExchange
import PaymentModels

/// The pages that the payer of the fake Raïs sees. Forms and links have stable names, so that a
/// program can go through them as a person does: a link `cancel` while there is something to
/// cancel, a link `continue` on the result, which stays until it is pressed.
struct RaisPage {
  let payment: RaisPayment
  let prefix: String
  let currency: String
  let exponent: Int64

  private var texts: RaisTexts { RaisTexts.language(payment.terms.language) }

  func card(error: Bool = false) -> HTTPResponse {
    let notice = error ? texts.cardError : payment.lastCardDeclined ? texts.declined : nil
    let form = PageParts.form(
      action: path("card"),
      fieldsHTML: PageParts.field(
        "card_number", texts.cardLabel,
        attributesHTML: """
          type="text" dir="ltr" inputmode="numeric" autocomplete="off" required maxlength="23" \
          placeholder="4000 0000 0000 0001" value="" autofocus
          """, isWrong: error), buttonHTML: "\(escaped(texts.pay)) \(amountText)")
    return step(texts.cardTitle, texts.cardHint, notice, isError: error, form, frame: frame())
  }

  /// The bank's page: 3-D Secure.
  func secure(error: Bool = false) -> HTTPResponse {
    let form = PageParts.form(
      action: path("secure"),
      fieldsHTML: PageParts.field(
        "otp", texts.codeLabel, attributesHTML: PageParts.oneTimeCode, isWrong: error),
      buttonHTML: escaped(texts.confirm))
    let bank = PageFrame(
      code: texts.code, mark: texts.bankName, footer: texts.footer, isBank: true)
    return step(
      texts.secureTitle, texts.secureHint, error ? texts.codeError : nil, isError: error, form,
      frame: bank)
  }

  /// The last screen: no redirect, no timer.
  func result() -> HTTPResponse {
    let isPaid = payment.status == .paid || payment.paidAt != nil
    let details = """
      <p><bdi>\(escaped(payment.orderNumber))</bdi></p>
      \(isPaid
        ? PageParts.button(id: "continue", path: path("return"), texts.returnTo)
        : PageParts.button(id: "cancel", path: path("cancel"), texts.backTo))
      """
    let (title, hint) =
      isPaid ? (texts.paidTitle, texts.paidHint) : (texts.endedTitle, texts.endedHint)
    let end = PageParts.end(
      isPaid ? "✓" : "!", title, hint, isBad: !isPaid, linksHTML: details)
    return frame().response(title: title, body: "\(purchase)\n\(end)")
  }

  static func unknown(_ texts: RaisTexts) -> HTTPResponse {
    PageFrame(code: texts.code, mark: "raïs", footer: texts.footer)
      .unknown(texts.unknownTitle, texts.unknownHint)
  }

  // MARK: Parts

  private func path(_ step: String) -> String { "\(prefix)/checkout/\(payment.id)/\(step)" }

  private func frame() -> PageFrame {
    PageFrame(code: texts.code, mark: "raïs", footer: texts.footer)
  }

  private func step(
    _ title: String, _ hint: String, _ notice: String?, isError: Bool, _ form: String,
    frame: PageFrame
  ) -> HTTPResponse {
    let body = PageParts.step(
      title, hint, notice: notice, contentHTML: form, cancel: (path("cancel"), texts.backTo))
    return frame.response(
      status: isError ? 422 : 200, title: title, body: "\(purchase)\n\(body)")
  }

  private var purchase: String {
    PageParts.purchase(
      texts.payTo, shop: "Till & Co",
      detailHTML: "\(escaped(texts.reference)) <bdi>\(escaped(payment.terms.reference))</bdi>",
      amountHTML: amountText)
  }

  /// `GNF 500 000`, digits grouped as in French.
  private var amountText: String {
    amountHTML(
      currency, decimalText(payment.terms.amount, currency, exponent: exponent),
      separator: "\u{202F}")
  }
}
