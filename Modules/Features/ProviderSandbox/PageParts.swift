/// Parts that the pages of all fake providers are made of, as HTML. Arguments are text, and made
/// safe here, unless their names end in `HTML`.
enum PageParts {
  /// What is paid, to whom.
  static func purchase(
    _ label: String, shop: String, detailHTML: String, amountHTML: String
  ) -> String {
    let detail = detailHTML.isEmpty ? "" : #"\#n<small class="ref">\#(detailHTML)</small>"#
    return """
      <section class="card sum">
      <div><small>\(escaped(label))</small>\(escaped(shop))</div>
      <b>\(amountHTML)</b>\(detail)
      </section>
      """
  }

  /// Something to be done by the payer, and what went wrong the last time.
  static func step(
    _ title: String, _ hint: String, notice: String?, contentHTML: String,
    cancel: (path: String, label: String)
  ) -> String {
    """
    <section class="card">
    <h1>\(escaped(title))</h1>
    <p>\(escaped(hint))</p>
    \(notice.map { #"<p class="error" id="notice" role="alert">\#(escaped($0))</p>"# } ?? "")
    \(contentHTML)
    </section>
    <a id="cancel" href="\(cancel.path)">\(escaped(cancel.label))</a>
    """
  }

  /// How it ended.
  static func end(
    _ sign: String, _ title: String, _ hint: String, isBad: Bool = false, linksHTML: String
  ) -> String {
    """
    <section class="card end">
    <div class="sign\(isBad ? " bad" : "")" aria-hidden="true">\(sign)</div>
    <h1>\(escaped(title))</h1>
    <p>\(escaped(hint))</p>
    \(linksHTML)
    </section>
    """
  }

  /// A link that looks like a button.
  static func button(id: String, path: String, _ label: String) -> String {
    #"<a class="button" id="\#(id)" href="\#(escaped(path))">\#(escaped(label))</a>"#
  }

  /// An input and its label.
  ///
  /// - Parameters:
  ///   - attributesHTML: its attributes but for id and name.
  ///   - isWrong: the notice of the step is about what was entered here.
  static func field(
    _ name: String, _ label: String, attributesHTML: String, isWrong: Bool
  ) -> String {
    let problem = isWrong ? #" aria-invalid="true" aria-describedby="notice""# : ""
    return """
      <label for="\(name)">\(escaped(label))</label>
      <input id="\(name)" name="\(name)" \(attributesHTML)\(problem)>
      """
  }

  /// Attributes of a field for a code of four digits.
  static let oneTimeCode = """
    class="code" type="text" dir="ltr" inputmode="numeric" autocomplete="one-time-code" required \
    maxlength="4" placeholder="••••" value="" autofocus
    """

  static func form(action: String, fieldsHTML: String, buttonHTML: String) -> String {
    """
    <form method="post" action="\(action)">
    \(fieldsHTML)
    <button type="submit">\(buttonHTML)</button>
    </form>
    """
  }

  /// The bank's question, in its own app or on its own page.
  static func bankQuestion(
    _ texts: BankTexts, shop: String, amountHTML: String, action: String
  ) -> String {
    func decision(_ value: String, _ label: String, _ style: String) -> String {
      """
      <form method="post" action="\(action)">
      <input type="hidden" name="decision" value="\(value)">
      <button type="submit"\(style)>\(escaped(label))</button>
      </form>
      """
    }
    return """
      <section class="card">
      <h1>\(escaped(texts.title))</h1>
      <p>\(escaped(shop))</p>
      <p class="due">\(amountHTML)</p>
      <p>\(escaped(texts.question))</p>
      \(decision("approve", texts.approve, ""))
      \(decision("decline", texts.decline, #" class="plain""#))
      </section>
      """
  }
}

/// Words of a bank's question in one language.
struct BankTexts {
  let title: String
  let question: String
  let approve: String
  let decline: String
}
