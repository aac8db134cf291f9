import HTTPExchange
import PaymentModels

/// The pages that the payer sees. Each holds at most two plain forms, a link `cancel` while there
/// is something to cancel and a link `continue` once it is over, so that a program can go through
/// them as a person does.
struct TabbyPage {
  let payment: TabbyPayment
  private let texts: TabbyTexts

  init(_ payment: TabbyPayment) {
    self.payment = payment
    texts = TabbyTexts.language(payment.request.language)
  }

  func phone(error: Bool = false) -> HTTPResponse {
    step(
      1, texts.phoneTitle, texts.phoneHint, error: error ? texts.phoneError : nil,
      form(
        "phone",
        PageParts.field(
          "phone", texts.phoneLabel,
          attributesHTML: """
            type="tel" dir="ltr" autocomplete="tel" required maxlength="24" \
            value="\(escaped(String(payment.request.buyerPhone.prefix(24))))"
            """, isWrong: error), texts.next))
  }

  func code(error: Bool = false) -> HTTPResponse {
    step(
      2, texts.codeTitle, "\(texts.codeHint) \u{2066}\(payment.page.phone ?? "")\u{2069}",
      error: error ? texts.codeError : nil,
      form(
        "otp",
        PageParts.field(
          "otp", texts.codeLabel, attributesHTML: PageParts.oneTimeCode, isWrong: error),
        texts.next))
  }

  func document(error: Bool = false) -> HTTPResponse {
    step(
      2, texts.documentTitle, texts.documentHint, error: error ? texts.documentError : nil,
      form(
        "document",
        PageParts.field(
          "id_image", texts.documentLabel,
          attributesHTML: #"type="file" accept="image/*" required"#, isWrong: error), texts.next))
  }

  func plan() -> HTTPResponse {
    let parts = InstalmentPlan(amount: payment.amount, start: payment.createdAt).parts
    let rows = parts.enumerated().map { index, part in
      """
      <li><span class="pie q\(index + 1)"></span>\
      <span class="when">\(escaped(texts.dueLabels[index]))\
      <small>\(dateText(part.dueDate))</small></span>\
      <b>\(amountText(part.amount))</b></li>
      """
    }
    let schedule = """
      <ul class="plan">\(rows.joined())</ul>
      <p class="total"><span>\(escaped(texts.total))</span>\
      <span>\(amountText(payment.amount))</span></p>
      """
    let ways = """
      <fieldset><legend>\(escaped(texts.methodLabel))</legend>
      \(way("card", texts.card, texts.cardHint, isChecked: true))
      \(way("bank", texts.bank, texts.bankHint, isChecked: false))
      </fieldset>
      """
    return step(
      3, texts.planTitle, texts.planHint,
      error: payment.page.bankDeclines > 0 ? texts.bankDeclined : nil,
      schedule + form("plan", ways, "\(texts.pay) \(amountText(parts[0].amount))", isHTML: true))
  }

  /// Shown while the payer is away in the bank's app; looks again by itself.
  func bankWait() -> HTTPResponse {
    step(
      3, texts.waitTitle, texts.waitHint, error: nil,
      """
      <a class="button" id="bank" href="/bank/\(payment.sessionID)">\(escaped(texts.openBank))</a>
      """,
      refresh: (3, path("bank")))
  }

  /// The bank's app, a place of its own: it works after the checkout page is long gone.
  func bank() -> HTTPResponse {
    let first = InstalmentPlan(amount: payment.amount, start: payment.createdAt).parts[0].amount
    let body = PageParts.bankQuestion(
      texts.bankTexts, shop: payment.merchant.name, amountHTML: amountText(first),
      action: "/bank/\(payment.sessionID)")
    return PageFrame(texts: texts, isBank: true).response(title: texts.bankTitle, body: body)
  }

  func bankDone() -> HTTPResponse {
    end(
      "✓", texts.bankDoneTitle, texts.bankDoneHint, isBank: true,
      link: (path("result"), texts.backToCheckout))
  }

  /// The last screen; takes the payer to the shop by itself.
  func result(_ outcome: TabbyStatus) -> HTTPResponse {
    let link = (path("return"), texts.backToShop)
    return switch outcome {
    case .authorized, .closed:
      end("✓", texts.successTitle, texts.successHint, link: link, isAutomatic: true, step: 4)
    case .rejected:
      end(
        "!", texts.rejectedTitle, texts.rejectedHint, isBad: true, link: link, isAutomatic: true)
    case .created, .expired:
      end("!", texts.expiredTitle, texts.expiredHint, isBad: true, link: link)
    }
  }

  /// Instead of a redirect, for a merchant that gave no return URL.
  func close() -> HTTPResponse { end("✓", texts.closeTitle, texts.closeHint, link: nil) }

  static func unknown() -> HTTPResponse {
    let texts = TabbyTexts.english
    return PageFrame(texts: texts).unknown(texts.unknownTitle, texts.unknownHint)
  }

  // MARK: Parts

  private func path(_ step: String) -> String { "/checkout/\(payment.sessionID)/\(step)" }

  private func step(
    _ number: Int, _ title: String, _ hint: String, error: String?, _ content: String,
    refresh: (seconds: Int, url: String)? = nil
  ) -> HTTPResponse {
    let body = PageParts.step(
      title, hint, notice: error, contentHTML: content, cancel: (path("cancel"), texts.cancel))
    return PageFrame(texts: texts, refresh: refresh).response(
      status: error == nil || number == 3 ? 200 : 422, title: title,
      body: "\(purchase())\n\(progress(number))\n\(body)")
  }

  private func end(
    _ sign: String, _ title: String, _ hint: String, isBad: Bool = false, isBank: Bool = false,
    link: (path: String, label: String)?, isAutomatic: Bool = false, step: Int? = nil
  ) -> HTTPResponse {
    let button = link.map { PageParts.button(id: "continue", path: $0.path, $0.label) } ?? ""
    let body = """
      \(isBank ? "" : purchase())
      \(step.map(progress) ?? "")
      \(PageParts.end(sign, title, hint, isBad: isBad, linksHTML: button))
      """
    let refresh = isAutomatic ? link.map { (seconds: 3, url: $0.path) } : nil
    return PageFrame(texts: texts, refresh: refresh, isBank: isBank)
      .response(title: title, body: body)
  }

  private func purchase() -> String {
    let order =
      payment.reference.isEmpty
      ? "" : "\(escaped(texts.order)) <bdi>\(escaped(payment.reference))</bdi>"
    return PageParts.purchase(
      texts.payTo, shop: payment.merchant.name, detailHTML: order,
      amountHTML: amountText(payment.amount))
  }

  private func progress(_ number: Int) -> String {
    let steps = texts.steps.enumerated().map { index, name in
      let done = index < number ? #" class="on""# : ""
      let current = index == number - 1 ? #" aria-current="step""# : ""
      return "<li\(done)\(current)>\(escaped(name))</li>"
    }
    return #"<ol class="steps">\#(steps.joined())</ol>"#
  }

  private func form(
    _ step: String, _ fields: String, _ button: String, isHTML: Bool = false
  ) -> String {
    PageParts.form(
      action: path(step), fieldsHTML: fields, buttonHTML: isHTML ? button : escaped(button))
  }

  private func way(_ value: String, _ name: String, _ hint: String, isChecked: Bool) -> String {
    """
    <label class="way"><input type="radio" name="method" value="\(value)"\
    \(isChecked ? " checked" : "")>\
    <span>\(escaped(name))<small><bdi>\(escaped(hint))</bdi></small></span></label>
    """
  }

  private func amountText(_ amount: Money) -> String {
    amountHTML(amount.currency.code, amount.decimal)
  }

  /// `30 Dec 2026` for `2026-12-30`.
  private func dateText(_ date: String) -> String {
    let parts = date.split(separator: "-").compactMap { Int($0) }
    return "\(parts[2]) \(texts.months[parts[1] - 1]) \(parts[0])"
  }
}

extension PageFrame {
  fileprivate init(
    texts: TabbyTexts, refresh: (seconds: Int, url: String)? = nil, isBank: Bool = false
  ) {
    self.init(
      code: texts.code, direction: texts.direction, mark: isBank ? texts.bankName : "tabby",
      footer: texts.footer, refresh: refresh, isBank: isBank)
  }
}
