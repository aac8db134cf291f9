import HTTPExchange
import KitEnvironment
import PaymentModels
import WebPages

extension ControlPages {
  /// Clock, providers, and the payments of all, newest first.
  func overview(_ request: HTTPRequest, problem: ControlProblem?) async -> HTTPResponse {
    let name = request.parameter("provider").flatMap { wish in
      sandboxes.first { $0.name == wish }?.name
    }
    let before = request.parameter("before")
    var providers: [ProviderSheet] = []
    for sandbox in sandboxes { providers.append(await sandbox.providerSheet) }
    let (sheets, hasMore) = await list(of: name, before: before)
    let now = await sandboxes.first?.now ?? environment.clock.now()
    let here = name.map { QueryText.append("provider", $0, to: ControlRoute.root) }
    let newest: HTML = "<a class=\"button\" href=\"\(here ?? ControlRoute.root)\">Newest</a>"
    let older = (hasMore ? sheets.last : nil).map { last -> HTML in
      let target = QueryText.append("before", last.id, to: here ?? ControlRoute.root)
      return "<a class=\"button\" rel=\"next\" href=\"\(target)\">Older</a>"
    }
    let filter = ControlForm.options(sandboxes.map(\.name), chosen: name)
    return page(
      "Overview", .overview, status: problem?.status ?? 200, isLive: problem == nil,
      """
      \(outcome(request.parameter("done"), problem))
      <h1>Sandbox</h1>
      \(clock(now))
      <section aria-label="Providers" data-live id="providers">
      <ul class="tiles providers">\(providers.map(tile))</ul></section>
      <section aria-labelledby="payments-title"><h2 id="payments-title">Payments</h2>
      <form class="filters" method="get" action="\(ControlRoute.root)">
      <div><label for="provider">Provider</label>\
      <select id="provider" name="provider" data-submits><option value="">any</option>\
      \(filter)</select></div><button type="submit">Show</button></form>
      <div data-live id="list">\(PageWording.list(
        ["Payment", "State", "Reference", "Amount", "Webhooks", "Faults", "Made", ""],
        sheets.map { row($0, now) }, none: "No payment was made yet: make a checkout at the shop."))
      </div>
      <nav class="pager" aria-label="Pages">\(if: before != nil, newest)\(older)</nav></section>
      """)
  }

  private func clock(_ now: Instant) -> HTML {
    let steps: [(Int, ClockUnit, String)] = [
      (1, .minutes, "1 min"), (20, .minutes, "20 min"), (1, .hours, "1 h"), (1, .days, "1 d"),
    ]
    let offset = now.since(environment.clock.now())
    let buttons = steps.map { amount, unit, label -> HTML in
      """
      <form method="post" action="\(ControlRoute.clock.path)">\
      <input type="hidden" name="amount" value="\(amount)">\
      <input type="hidden" name="unit" value="\(unit.rawValue)">\
      <button type="submit" id="clock-\(amount)-\(unit.rawValue)">\
      <span class="unseen">Move the clock by </span>+\(label)</button></form>
      """
    }
    let ahead: HTML = " <span class=\"soft\">\(PageWording.span(offset)) ahead</span>"
    return """
      <section class="card clock" aria-label="Clock"><p data-live id="clock">\
      <span class="soft">Clock of the sandbox</span><br><b>\(clockText(now))</b>\
      \(if: offset > .seconds(1), ahead)</p>
      <div>\(buttons)
      <form method="post" action="\(ControlRoute.clock.path)" class="inline">
      <div><label for="amount">Move by</label>\
      <input id="amount" name="amount" inputmode="numeric" required autocomplete="off"></div>
      <div><label for="unit">Unit</label><select id="unit" name="unit">\
      \(ControlForm.options(ClockUnit.allCases.map(\.rawValue), chosen: "minutes"))</select></div>
      <button type="submit">Move</button></form></div></section>
      """
  }

  /// Day and time to the second.
  func clockText(_ moment: Instant) -> String {
    let text = moment.description
    let day = text.prefix { $0 != "T" }
    return "\(day) \(text.dropFirst(day.count + 1).prefix(8)) UTC"
  }

  private func tile(_ sheet: ProviderSheet) -> HTML {
    let faults = names(of: sheet.faults)
    return """
      <li\(if: !faults.isEmpty, " class=\"hot\"")>\
      <a href="\(ControlRoute.provider(sheet.name).path)">\
      <b>\(sheet.payments)</b><span>\(sheet.name)\
      \(if: sheet.webhooksWaiting > 0, "<small>\(sheet.webhooksWaiting) webhooks wait</small>")\
      <small>\(faults.isEmpty ? "no faults" : faults)</small></span></a></li>
      """
  }

  private func row(_ sheet: PaymentSheet, _ now: Instant) -> HTML {
    let delivered = sheet.webhooks.count { $0.state == .delivered }
    let whole = sheet.term("reference_id")
    let reference = whole.count > 12 ? "…\(whole.suffix(8))" : whole
    let version = "\(sheet.term("status")) \(sheet.webhooks.count) \(delivered)"
    let buttons: HTML = """
      \(button(.pay, "Pay", sheet, isOfList: true)) \
      \(button(.decline, "Decline", sheet, isOfList: true))
      """
    return """
      <tr data-key="\(sheet.id)" data-version="\(version)">
      <th scope="row"><a id="p-\(sheet.id)" class="row-link" \
      href="\(ControlRoute.payment(sheet.id).path)">\(sheet.provider)</a> \
      <code class="soft">…\(sheet.id.suffix(8))</code></th>
      <td data-name="State">\(pill(sheet.term("status")))</td>
      <td data-name="Reference"><code>\(reference)</code></td>
      <td data-name="Amount" class="number">\(money("amount", sheet))</td>
      <td data-name="Webhooks">\(delivered) of \(sheet.webhooks.count) taken</td>
      <td data-name="Faults">\(sheet.hasOwnFaults ? names(of: sheet.faults) : "")</td>
      <td data-name="Made">\(PageWording.span(now.since(sheet.createdAt))) ago</td>
      <td class="sandbox-actions"><a class="button" href="\(sheet.webURL)">Open page</a>
      \(sheet.isPageOpen ? buttons : nil)</td></tr>
      """
  }
}
