import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON
import WebPages

extension ControlPages {
  /// Bytes of a webhook's body that are shown.
  private static let bodyShownMax = 4_096
  /// Webhooks of one payment that are shown; a person reads no more.
  private static let webhooksShownMax = 100

  /// What is known of a payment, what can be done to it, its faults, webhooks and story.
  func payment(
    _ id: String, done: String?, problem: ControlProblem? = nil, patch: JSONValue? = nil
  ) async -> HTTPResponse {
    guard let sheet = await sheet(of: id) else { return missing }
    let fields = patch.map { ControlForm.filled(sheet.faults, $0) } ?? sheet.faults
    return page(
      "Payment", .provider(sheet.provider), status: problem?.status ?? 200,
      isLive: problem == nil,
      """
      \(outcome(done, problem))
      <p class="crumb"><a href="\(ControlRoute.root)">Payments</a></p>
      <div class="head" data-live id="head"><h1>\(sheet.provider) payment \
      \(pill(sheet.term("status")))</h1></div>
      <div class="sandbox-actions" data-live id="ways">
      <a class="button primary" id="open-page" href="\(sheet.webURL)">Open its page</a>
      \(ways(sheet))</div>
      <div class="cards ask">
      <section class="card" data-live id="terms" aria-label="Terms">\(terms(sheet))</section>
      <section class="card" aria-labelledby="faults-title"><h2 id="faults-title">Faults \
      <span class="soft">\(sheet.hasOwnFaults ? "of its own" : "of all payments")</span></h2>
      \(faultForm(.paymentAction(sheet.id, .faults), fields, problem?.field))
      \(if: sheet.hasOwnFaults, button(.noFaults, "As all others", sheet))
      </section>
      <section class="card" aria-labelledby="story"><h2 id="story">What happened</h2>
      <div data-live id="events">\(events(sheet))</div>
      \(statusForm(sheet))</section>
      </div>
      <section aria-labelledby="webhooks-title"><h2 id="webhooks-title">Webhooks, newest first</h2>
      <div data-live id="webhooks">\(webhooks(sheet))</div></section>
      """)
  }

  private func ways(_ sheet: PaymentSheet) -> HTML? {
    guard sheet.isPageOpen else { return nil }
    return "\(button(.pay, "Pay", sheet)) \(button(.decline, "Decline", sheet, style: "danger"))"
  }

  func faultForm(_ route: ControlRoute, _ fields: [FieldSheet], _ wrong: String?) -> HTML {
    """
    <form method="post" class="stack" action="\(route.path)">
    \(ControlForm.inputs(fields, wrong: wrong))
    <div class="row"><button type="submit" class="primary" id="set-faults">Set faults</button></div>
    </form>
    """
  }

  private func terms(_ sheet: PaymentSheet) -> HTML {
    let sums = ["amount", "captured", "refunded", "charged_back"]
    let all = sheet.terms.filter { $0.name != "currency" && $0.value.elements == nil }
    let rows =
      [("Payment", "<code class=\"whole\">\(sheet.id)</code>" as HTML?)]
      + all.map { term in
        (
          ControlForm.label(term.name),
          sums.contains(term.name) ? money(term.name, sheet) : plain(term.value)
        )
      } + sheet.progress.map { (ControlForm.label($0.name), plain($0.value)) }
    return PageWording.facts(rows)
  }

  private func plain(_ value: JSONValue) -> HTML? {
    switch value {
    case .null: nil
    case .bool(let isSo): isSo ? "yes" : "no"
    case .string(let text): "\(text)"
    case .number(let text): "\(text)"
    case .array, .object: "\(String(decoding: value.serialized(), as: UTF8.self))"
    }
  }

  private func events(_ sheet: PaymentSheet) -> HTML {
    let items = sheet.events.map { event in
      """
      <li><span>\(PageWording.words(event.event))</span> \
      <time class="soft" datetime="\(event.at)">\(clockText(event.at))</time></li>
      """ as HTML
    }
    return "<ol class=\"events\">\(items)</ol>"
  }

  /// Any status, with its webhook, whether or not the page could lead there.
  private func statusForm(_ sheet: PaymentSheet) -> HTML {
    """
    <form method="post" class="inline" \
    action="\(ControlRoute.paymentAction(sheet.id, .status).path)">
    <div><label for="status">Status</label><select id="status" name="status">\
    \(ControlForm.options(sheet.statuses, chosen: sheet.term("status")))</select></div>
    <button type="submit">Set</button></form>
    """
  }

  private func webhooks(_ sheet: PaymentSheet) -> HTML {
    PageWording.list(
      ["Webhook", "State", "Says", "Due", "Answers", "Body", ""],
      sheet.webhooks.prefix(Self.webhooksShownMax).map { webhook($0, sheet) },
      none: "None so far.")
  }

  private func webhook(_ delivery: WebhookDelivery, _ sheet: PaymentSheet) -> HTML {
    let tones: [WebhookDelivery.State: String] = [
      .waiting: "m-waiting", .sending: "m-waiting", .delivered: "m-delivered", .lost: "m-dead",
      .dropped: "w-parked",
    ]
    let answers = delivery.attempts.map { $0.status.map(String.init) ?? "none" }
    let body = String(decoding: delivery.body.prefix(Self.bodyShownMax), as: UTF8.self)
    let number: HTML = "<input type=\"hidden\" name=\"number\" value=\"\(delivery.number)\">"
    let isWaiting = delivery.state == .waiting
    return """
      <tr data-key="\(delivery.number)" data-version="\(delivery.state.rawValue)\(answers.count)">
      <th scope="row">\(delivery.number)</th>
      <td data-name="State"><span class="pill \(tones[delivery.state] ?? "")">\
      \(delivery.state.rawValue)</span></td>
      <td data-name="Says">\(delivery.status)</td>
      <td data-name="Due"><time datetime="\(delivery.due)">\(clockText(delivery.due))</time></td>
      <td data-name="Answers">\(answers.joined(separator: ", "))</td>
      <td data-name="Body"><details id="body-\(delivery.number)"><summary>\
      \(delivery.body.count) bytes</summary><pre>\(body)</pre></details></td>
      <td class="sandbox-actions">\(if: delivery.state != .sending, resend(
        isWaiting ? "Send now" : "Send again", delivery.number, sheet, number))</td></tr>
      """
  }

  private func resend(
    _ label: String, _ number: Int, _ sheet: PaymentSheet, _ field: HTML
  ) -> HTML {
    """
    <form method="post" action="\(ControlRoute.paymentAction(sheet.id, .resend).path)">\(field)\
    <button type="submit" id="resend-\(number)">\(label)\
    <span class="unseen"> webhook \(number)</span></button></form>
    """
  }
}
