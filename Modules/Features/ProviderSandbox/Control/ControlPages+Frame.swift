import HTTPExchange
import WebPages

extension ControlPages {
  /// A page with the menu around it.
  func page(
    _ title: String, _ section: ControlRoute, status: Int = 200, isLive: Bool = true,
    _ content: HTML
  ) -> HTTPResponse {
    let entries =
      [(ControlRoute.overview, "Overview")] + sandboxes.map { (.provider($0.name), $0.name) }
    let menu = entries.map { route, name -> HTML in
      """
      <li><a href="\(route.path)"\(if: route == section, " aria-current=\"page\"")>\(name)</a></li>
      """
    }
    return assets.document(
      title: "\(title) · sandbox",
      body: """
        \(HTML.skipLink)
        <header class="top">
        <a class="brand" href="\(ControlRoute.root)">\(HTML.mark)<span>Tillkit sandbox</span></a>
        <nav aria-label="Main"><ul>\(menu)</ul></nav>
        </header>
        <main id="main" tabindex="-1"\(if: isLive, " data-poll=\"\(Self.pollMs)\"")>
        \(content)
        </main>
        \(HTML.liveStatus)
        """, status: status)
  }

  var missing: HTTPResponse {
    refusal(404, "Not found", "There is no such page, payment or provider in this sandbox.")
  }

  func refusal(_ status: Int, _ title: String, _ detail: String) -> HTTPResponse {
    page(
      title, .clock, status: status, isLive: false,
      """
      <h1>\(title)</h1>
      <p>\(detail)</p>
      """)
  }

  /// What was done, or why not, above everything else.
  func outcome(_ done: String?, _ problem: ControlProblem?) -> HTML? {
    if let problem {
      return """
        <p class="alert" role="alert" id="problem"><strong>Not done.</strong> \(problem.text)</p>
        """
    }
    let text: String? =
      switch done {
      case "clock": "The clock was moved."
      case "pay": "Paid, as on the hosted page."
      case "decline": "Declined, as on the hosted page."
      case "status": "The status was set, and its webhook is queued."
      case "faults": "The faults were set."
      case "no-faults": "It has the faults of all payments again."
      case "resend": "The webhook goes out once more."
      case "settings": "The settings were changed."
      default: nil
      }
    return text.map { "<p class=\"notice\" role=\"status\">\($0)</p>" }
  }

  /// A form that is one button.
  func button(
    _ deed: ControlRoute.PaymentDeed, _ label: String, _ sheet: PaymentSheet, style: String = "",
    isOfList: Bool = false, fields: HTML? = nil
  ) -> HTML {
    let from: HTML = "<input type=\"hidden\" name=\"from\" value=\"list\">"
    return """
      <form method="post" action="\(ControlRoute.paymentAction(sheet.id, deed).path)">\
      \(if: isOfList, from)\(fields)<button type="submit" class="\(style)" \
      id="\(deed.rawValue)-\(sheet.id)">\(label)\
      <span class="unseen"> \(sheet.provider) \(sheet.id)</span></button></form>
      """
  }

  /// A status in the colour of what it means: each provider has words of its own.
  func pill(_ status: String) -> HTML {
    let word = status.lowercased()
    let tones = [
      ("refund", "refunded"), ("dispute", "needs_review"), ("reject", "rejected"),
      ("fail", "rejected"), ("expire", "expired"), ("cancel", "cancelled"),
      ("author", "authorized"), ("process", "pending"), ("captur", "captured"),
      ("paid", "captured"), ("complete", "captured"), ("closed", "captured"),
    ]
    let tone = tones.first { word.contains($0.0) }?.1 ?? "created"
    return "<span class=\"pill s-\(tone)\">\(status)</span>"
  }

  /// A sum in the currency of a payment.
  func money(_ name: String, _ sheet: PaymentSheet) -> HTML? {
    let sum = sheet.term(name)
    guard !sum.isEmpty else { return nil }
    return "<span class=\"money\">\(sum) <abbr>\(sheet.term("currency"))</abbr></span>"
  }

  /// The faults that are on, by their names.
  func names(of faults: [FieldSheet]) -> String {
    faults.filter(\.isChanged).map { ControlForm.label($0.name).lowercased() }
      .joined(separator: ", ")
  }
}

/// What the control pages need beyond the common look.
enum ControlStyle {
  static let text = """
    .providers { grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); }
    .clock { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: end;
      justify-content: space-between; margin-bottom: 1rem; }
    .clock p { margin: 0; } .clock b { font-size: 1.25rem; font-variant-numeric: tabular-nums; }
    .clock > div { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; }
    .inline { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; }
    .inline label { display: block; margin-bottom: .125rem; }
    .inline input { width: 6rem; } .inline select { width: auto; }
    .sandbox-actions { display: flex; flex-wrap: wrap; gap: .375rem; position: relative;
      z-index: 1; }
    div.sandbox-actions { margin-bottom: 1rem; } 
    .stack + form { margin-top: .5rem; } #events + form { margin-top: 1rem; }
    .list td.sandbox-actions { display: table-cell; }
    .list td.sandbox-actions form, .list td.sandbox-actions .button { display: inline-block; }
    .list td.sandbox-actions button, .list td.sandbox-actions .button { min-height: 2rem;
      padding: .1875rem .625rem; font-size: .875rem; }
    .answer { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem; padding: .5rem 0;
      border-top: 1px solid var(--line); }
    .answer label { margin: 0; font-weight: 400; color: var(--soft); }
    .stack .choice input { width: auto; min-height: 0; }
    .events { margin: 0; padding: 0; list-style: none; display: grid; gap: .25rem; }
    .events li { display: flex; justify-content: space-between; gap: 1rem; }
    details pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0 0;
      max-height: 24rem; overflow: auto; font-size: .8125rem; }
    details summary { cursor: pointer; padding: .125rem 0; min-height: 1.5rem; }
    .list td[data-name="Body"], .list td.sandbox-actions { position: relative; z-index: 1; }
    @media (min-width: 70rem) { .list th[scope], .list .sandbox-actions,
      .list td:not([data-name="Faults"], [data-name="Body"]) { white-space: nowrap; }
      .list .number, .list th.number { padding-right: .75rem; }
      .list td pre { white-space: pre-wrap; } }
    @media (max-width: 48rem) { .list td[data-name="Body"], .list td[data-name="Answers"],
      .list td[data-name="Reference"], .list td.sandbox-actions { grid-column: 1 / -1; }
      .list td.sandbox-actions { display: flex; padding-top: .375rem; }
      .list td.sandbox-actions::before { display: none; }
      .list td[data-name="Due"] time { white-space: normal; } }

    """
}
