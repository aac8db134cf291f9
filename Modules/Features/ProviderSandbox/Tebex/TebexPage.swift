import HTTPExchange

/// The pages that the payer of the fake Tebex sees. Forms and links have stable names, so that a
/// program can go through them as a person does: a field `method`, a link `cancel` while the basket
/// is open, a link `continue` once it is paid.
struct TebexPage {
  let basket: TebexBasket
  let prefix: String
  let currency: String
  /// Hundredths.
  let price: Int64
  let tax: Int64

  func methods(error: Bool = false) -> HTTPResponse {
    let wasDeclined = basket.transactions.last?.status == .declined
    let notice =
      error
      ? "Choose how to pay."
      : wasDeclined ? "Your bank declined this payment. Nothing was charged; try again." : nil
    let form = PageParts.form(
      action: path("method"), fieldsHTML: "<fieldset><legend>Pay with</legend>\(ways)</fieldset>",
      buttonHTML: "Pay \(amount(price + tax))")
    let body = PageParts.step(
      "Checkout", "Sold by Tebex on behalf of the store.", notice: notice,
      contentHTML: "\(lines)\(form)",
      cancel: (path("cancel"), "Cancel and return to the store"))
    return Self.frame.response(
      status: error ? 422 : 200, title: "Checkout", body: "\(purchase)\n\(body)")
  }

  /// Goes back by itself only if the basket says so; the button is there all the same.
  func result() -> HTTPResponse {
    var frame = Self.frame
    let hasReturn = basket.request.completeURL != nil
    if hasReturn, basket.request.redirectsByItself {
      frame.refresh = (seconds: 2, url: path("return"))
    }
    let hint =
      frame.refresh == nil
      ? "You can close this page." : "You are taken back to the store in a moment."
    let end = PageParts.end(
      "✓", "Payment complete", hint,
      linksHTML: hasReturn
        ? PageParts.button(id: "continue", path: path("return"), "Return to the store") : "")
    return frame.response(title: "Payment complete", body: "\(purchase)\n\(end)")
  }

  static func unknown() -> HTTPResponse {
    frame.unknown("Basket not found", "Go back to the store to start again.")
  }

  // MARK: Parts

  private static let frame = PageFrame(
    mark: "tebex", footer: "Sandbox: no money moves, whatever you choose.")

  private func path(_ step: String) -> String { "\(prefix)/pay/\(basket.id)/\(step)" }

  private func amount(_ hundredths: Int64) -> String {
    amountHTML(currency, decimalText(hundredths, currency, exponent: 2))
  }

  private var purchase: String {
    PageParts.purchase(
      "Pay", shop: "Till & Co", detailHTML: escaped(basket.request.username ?? ""),
      amountHTML: amount(price + tax))
  }

  private var ways: String {
    let labels: [(TebexMethod, String, String)] = [
      (.test, "Test Payments", "always succeeds"),
      (.card, "Credit/Debit Card", "as a live store sees it"),
      (.declined, "Credit/Debit Card", "declined by the bank"),
    ]
    return labels.map { method, name, hint in
      """
      <label class="way"><input type="radio" name="method" value="\(method.rawValue)" \
      required\(method == .test ? " checked" : "")>\
      <span>\(name)<small>\(hint)</small></span></label>
      """
    }.joined(separator: "\n")
  }

  private var lines: String {
    let rows = basket.lines.map { line in
      """
      <li><span class="when">\(line.quantity) × \(escaped(line.package.name))</span>\
      <b>\(amount(line.package.price * line.quantity))</b></li>
      """
    }
    let taxRow =
      tax == 0
      ? "" : #"<li><span class="when">Sales tax</span><b>\#(amount(tax))</b></li>"#
    return """
      <ul class="plan">\(rows.joined(separator: "\n"))\(taxRow)</ul>
      <p class="total"><span>Total</span><b>\(amount(price + tax))</b></p>
      """
  }
}
