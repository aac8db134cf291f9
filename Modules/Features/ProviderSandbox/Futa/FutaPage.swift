import HTTPExchange
import PaymentModels

/// The pages that the payer of the fake Futa sees. Forms and links have stable names, so that a
/// program can go through them as a person does, and they work without the script.
struct FutaPage {
  let payment: FutaPayment
  let texts: FutaTexts
  /// The state as the page tells it to the program that shows it.
  let state: String
  let exponent: Int64
  /// Where the bank's page lies.
  let bankOrigin: String
  /// Lets the page's own script run.
  let nonce: String

  func choose(error: String? = nil) -> HTTPResponse {
    let body = PageParts.step(
      texts.chooseTitle, texts.chooseHint,
      notice: error ?? (payment.lastTryFailed ? texts.tryFailed : nil),
      contentHTML: phoneForm(isWrong: error != nil) + "\n" + bankForm,
      cancel: (path("cancel"), texts.cancel))
    return frame().response(
      status: error == nil ? 200 : 422, title: texts.chooseTitle, body: "\(purchase)\n\(body)")
  }

  private func phoneForm(isWrong: Bool) -> String {
    PageParts.form(
      action: path("phone"),
      fieldsHTML: PageParts.field(
        "msisdn", texts.phoneLabel,
        attributesHTML: """
          type="tel" dir="ltr" inputmode="tel" autocomplete="off" required maxlength="24" value=""
          """, isWrong: isWrong), buttonHTML: escaped(texts.payByPhone))
  }

  private var bankForm: String {
    """
    <form method="post" action="\(path("bank"))">
    <input type="hidden" name="method" value="bank">
    <button type="submit" class="plain">\(escaped(texts.payByBank))</button>
    <p>\(escaped(texts.bankHint))</p>
    </form>
    """
  }

  /// While the payer is at the bank or the phone company works; looks again by itself.
  func wait() -> HTTPResponse {
    let isAtBank = payment.waitsForBank && payment.state == .created
    return end(
      "…", texts.waitTitle, texts.waitHint,
      links: isAtBank ? [("again", path("choose"), texts.backToChoice)] : [],
      refresh: (3, path("result")))
  }

  /// The last screen.
  func result() -> HTTPResponse {
    let back = ("continue", path("return"), texts.backToShop)
    switch payment.state {
    case .paid, .refunded:
      let receipt = "\(prefix)/receipts/\(payment.id)"
      return end(
        "✓", texts.paidTitle, texts.paidHint, links: [back, ("receipt", receipt, texts.receipt)])
    case .failed:
      return end("!", texts.failedTitle, texts.failedHint, isBad: true, links: [back])
    case .created, .processing, .expired, .cancelled:
      return end("!", texts.endedTitle, texts.endedHint, isBad: true, links: [back])
    }
  }

  func receipt() -> HTTPResponse {
    end("✓", texts.receiptTitle, payment.createdAt.description, links: [])
  }

  /// The bank's page, on another origin: it works after the checkout page is long gone.
  func bank() -> HTTPResponse {
    let body = PageParts.bankQuestion(
      texts.bankTexts, shop: texts.shop, amountHTML: amountText,
      action: "\(prefix)/bank/\(payment.id)")
    return bankFrame.response(title: texts.bankTitle, body: body)
  }

  /// Sends the payer to the shop, not to the checkout, which went when the bank's page opened.
  func bankDone(isApproved: Bool) -> HTTPResponse {
    let title = isApproved ? texts.bankDoneTitle : texts.bankDeclinedTitle
    let body = PageParts.end(
      isApproved ? "✓" : "!", title, isApproved ? texts.bankDoneHint : texts.bankDeclinedHint,
      isBad: !isApproved,
      linksHTML: PageParts.button(
        id: "continue", path: payment.terms.returnURL, texts.backToShop))
    return bankFrame.response(title: title, body: body)
  }

  static func unknown(_ texts: FutaTexts) -> HTTPResponse {
    PageFrame(code: texts.code, mark: "futa", footer: texts.footer)
      .unknown(texts.unknownTitle, texts.unknownHint)
  }

  // MARK: Parts

  /// The path of the sandbox in front of its pages.
  private var prefix: String {
    let parts = payment.base.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.count > 3 ? "/\(parts[3])" : ""
  }

  private func path(_ step: String) -> String { "\(prefix)/pay/\(payment.id)/\(step)" }

  private func frame(refresh: (seconds: Int, url: String)? = nil) -> PageFrame {
    PageFrame(
      code: texts.code, mark: "futa", footer: texts.footer, refresh: refresh,
      facts: [
        ("payment", payment.id), ("state", state), ("final", "\(payment.state.isFinal)"),
      ],
      script: (nonce, Self.script), formTarget: bankOrigin,
      refusesFrames: payment.terms.embedding != nil)
  }

  private var bankFrame: PageFrame {
    PageFrame(code: texts.code, mark: texts.bankName, footer: texts.footer, isBank: true)
  }

  /// Tells the app's web view what the page shows. How the real page does it is not documented.
  private static let script = """
    (function(){var d=document.querySelector("main").dataset;\
    var m=JSON.stringify({payment:d.payment,state:d.state,final:d.final==="true"});\
    var h=window.webkit&&window.webkit.messageHandlers&&window.webkit.messageHandlers.futa;\
    h=h||window.futa;if(h&&h.postMessage){h.postMessage(m)}\
    })()
    """

  private func end(
    _ sign: String, _ title: String, _ hint: String, isBad: Bool = false,
    links: [(id: String, url: String, label: String)],
    refresh: (seconds: Int, url: String)? = nil
  ) -> HTTPResponse {
    let buttons = links.enumerated().map { index, link in
      let style = index == 0 ? #" class="button""# : ""
      return #"<p><a\#(style) id="\#(link.id)" href="\#(link.url)">\#(escaped(link.label))</a></p>"#
    }
    let body = PageParts.end(
      sign, title, hint, isBad: isBad, linksHTML: buttons.joined(separator: "\n"))
    return frame(refresh: refresh).response(title: title, body: "\(purchase)\n\(body)")
  }

  private var purchase: String {
    PageParts.purchase(
      texts.payTo, shop: texts.shop, detailHTML: escaped(payment.terms.description),
      amountHTML: amountText)
  }

  private var amountText: String {
    let currency = payment.terms.currency
    return amountHTML(currency, decimalText(payment.terms.amount, currency, exponent: exponent))
  }
}
