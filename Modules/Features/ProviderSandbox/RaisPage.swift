import HTTPExchange
import PaymentModels

/// The pages that the payer of the fake Raïs sees. Forms and links have stable names, so that a
/// program can go through them as a person does: a link `cancel` while there is something to
/// cancel, a link `continue` on the result, which stays until it is pressed.
struct RaisPage {
  let payment: RaisPayment
  let prefix: String
  let currency: String
  let exponent: Int

  private var texts: RaisTexts { RaisTexts.language(payment.terms.language) }

  func card(error: Bool = false) -> HTTPResponse {
    let notice = error ? texts.cardError : payment.lastCardDeclined ? texts.declined : nil
    let form = """
      <form method="post" action="\(path("card"))">
      <label for="card_number">\(escaped(texts.cardLabel))</label>
      <input id="card_number" name="card_number" type="text" dir="ltr" inputmode="numeric" \
      autocomplete="off" required maxlength="23" placeholder="4000 0000 0000 0001" value="" \
      autofocus>
      <button type="submit">\(escaped(texts.pay)) \(amountText)</button>
      </form>
      """
    return step(texts.cardTitle, texts.cardHint, notice, isError: error, form, frame: frame())
  }

  /// The bank's page: 3-D Secure.
  func secure(error: Bool = false) -> HTTPResponse {
    let form = """
      <form method="post" action="\(path("secure"))">
      <label for="otp">\(escaped(texts.codeLabel))</label>
      <input id="otp" class="code" name="otp" type="text" dir="ltr" inputmode="numeric" \
      autocomplete="one-time-code" required maxlength="4" placeholder="••••" value="" autofocus>
      <button type="submit">\(escaped(texts.confirm))</button>
      </form>
      """
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
      <a class="button" id="\(isPaid ? "continue" : "cancel")" \
      href="\(path(isPaid ? "return" : "cancel"))">\
      \(escaped(isPaid ? texts.returnTo : texts.backTo))</a>
      """
    let (title, hint) =
      isPaid ? (texts.paidTitle, texts.paidHint) : (texts.endedTitle, texts.endedHint)
    let sign = isPaid ? "✓" : "!"
    return frame().response(
      title: title,
      body: """
        \(purchase)
        <section class="card end">
        <div class="sign\(isPaid ? "" : " bad")" aria-hidden="true">\(sign)</div>
        <h1>\(escaped(title))</h1>
        <p>\(escaped(hint))</p>
        \(details)
        </section>
        """)
  }

  static func unknown(_ texts: RaisTexts) -> HTTPResponse {
    PageFrame(code: texts.code, mark: "raïs", footer: texts.footer).response(
      status: 404, title: texts.unknownTitle,
      body: """
        <section class="card end"><div class="sign bad">!</div>
        <h1>\(escaped(texts.unknownTitle))</h1><p>\(escaped(texts.unknownHint))</p></section>
        """)
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
    let alert = notice.map { #"<p class="error" role="alert">\#(escaped($0))</p>"# } ?? ""
    return frame.response(
      status: isError ? 422 : 200, title: title,
      body: """
        \(purchase)
        <section class="card">
        <h1>\(escaped(title))</h1>
        <p>\(escaped(hint))</p>
        \(alert)
        \(form)
        </section>
        <a id="cancel" href="\(path("cancel"))">\(escaped(texts.backTo))</a>
        """)
  }

  private var purchase: String {
    """
    <section class="card sum">
    <div><small>\(escaped(texts.payTo))</small>Till &amp; Co\
    <small>\(escaped(texts.reference)) <bdi>\(escaped(payment.terms.reference))</bdi></small></div>
    <b>\(amountText)</b>
    </section>
    """
  }

  /// `GNF 500 000`, digits grouped as in French.
  private var amountText: String {
    let decimal =
      Currency(code: currency, exponent: exponent)
      .map { Money(minorUnits: payment.terms.amount, currency: $0).decimal }
      ?? "\(payment.terms.amount)"
    let whole = decimal.prefix { $0 != "." }
    let grouped = whole.reversed().enumerated().map { index, digit in
      index > 0 && index % 3 == 0 ? "\(digit)\u{202F}" : "\(digit)"
    }
    let figures = grouped.reversed().joined() + decimal.dropFirst(whole.count)
    return #"<bdi dir="ltr">\#(escaped(currency)) \#(figures)</bdi>"#
  }
}
