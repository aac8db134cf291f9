import HTTPExchange
import PaymentModels
import PaymentStore
import WebPages

extension Dashboard {
  /// Deliveries of providers, newest first. Their bytes may name the buyer, so no page has them.
  func showInbox(_ visit: Visit) async throws -> HTTPResponse {
    let state = visit.query("state").flatMap { WebhookRow.State(rawValue: $0) }
    let before = visit.query("before").flatMap { isCanonicalUUID($0) ? WebhookID($0) : nil }
    let found = try await store.read { transaction in
      try transaction.webhooks(in: state, at: nil, before: before, limit: Self.pageSize + 1).map {
        row in
        var row = row
        row.eraseBody(at: row.receivedAt)
        let known = try row.providerPaymentID.flatMap {
          try transaction.payment(row.provider, $0)?.id
        }
        return (row: row, payment: row.paymentReference ?? known)
      }
    }
    let shown = found.prefix(Self.pageSize)
    let rows = shown.map { Self.webhookRow($0.row, $0.payment, visit.now) }
    return queuePage(
      QueuePage(
        title: "Inbox", route: .inbox, states: WebhookRow.State.allCases.map(\.rawValue),
        state: state?.rawValue, note: "What providers sent, newest first.",
        head: ["Delivery", "State", "Provider", "Payment", "Counts as", "What came of it", "Age"],
        rows: rows, isNewest: before == nil,
        next: found.count > shown.count ? shown.last?.row.id.rawValue : nil), visit)
  }

  private static func webhookRow(
    _ row: WebhookRow, _ payment: PaymentID?, _ now: Instant
  ) -> HTML {
    let link: HTML? = payment.map {
      "<a href=\"\(DashboardRoute.payment($0).path)\"><code>\(Wording.short($0))</code></a>"
    }
    let trust = row.isProof ? "proof" : "notification"
    let times: HTML? = row.deliveries > 1 ? " <span class=\"soft\">×\(row.deliveries)</span>" : nil
    return """
      <tr data-key="\(row.id)" data-version="\(row.state.rawValue)\(row.deliveries)">
      <th scope="row"><a id="w-\(row.id)" class="row-link" \
      href="\(DashboardRoute.delivery(row.id).path)"><code>\(Wording.short(row.id))</code></a>\
      \(times)</th>
      <td data-name="State">\
      <span class="pill w-\(row.state.rawValue)">\(row.state.rawValue)</span></td>
      <td data-name="Provider">\(row.provider)</td>
      <td data-name="Payment">\(link)</td>
      <td data-name="Counts as"><span class="trust-\(trust)">\(trust)</span></td>
      <td data-name="What came of it">\(row.detail ?? row.topic ?? "")</td>
      <td data-name="Age">\(PageWording.age(row.receivedAt, now))</td></tr>
      """
  }

  /// Messages to the shop's own systems, newest first.
  func showOutbox(_ visit: Visit) async throws -> HTTPResponse {
    let state = visit.query("state").flatMap { MessageRow.State(rawValue: $0) }
    let before = visit.query("before").flatMap { isCanonicalUUID($0) ? MessageID($0) : nil }
    let found = try await store.read {
      try $0.messages(in: state, before: before, limit: Self.pageSize + 1)
    }
    let shown = found.prefix(Self.pageSize)
    let rows = shown.map { Self.messageRow($0, visit.now) }
    return queuePage(
      QueuePage(
        title: "Outbox", route: .outbox, states: MessageRow.State.allCases.map(\.rawValue),
        state: state?.rawValue, note: "What the shop’s systems are told, newest first.",
        head: ["Message", "State", "Kind", "Payment", "Amount", "Tries", "Age"], rows: rows,
        isNewest: before == nil, next: found.count > shown.count ? shown.last?.id.rawValue : nil),
      visit)
  }

  private static func messageRow(_ row: MessageRow, _ now: Instant) -> HTML {
    let link: HTML? = row.paymentID.map {
      "<a href=\"\(DashboardRoute.payment($0).path)\"><code>\(Wording.short($0))</code></a>"
    }
    let next: HTML? =
      row.state == .waiting
      ? row.nextTryAt.map { " <span class=\"soft\">next \(PageWording.due($0, now))</span>" } : nil
    return """
      <tr data-key="\(row.id)" data-version="\(row.state.rawValue)\(row.tries)">
      <th scope="row"><a id="m-\(row.id)" class="row-link" \
      href="\(DashboardRoute.message(row.id).path)"><code>\(Wording.short(row.id))</code></a></th>
      <td data-name="State">\
      <span class="pill m-\(row.state.rawValue)">\(row.state.rawValue)</span></td>
      <td data-name="Kind">\(PageWording.words(row.kind.rawValue))</td>
      <td data-name="Payment">\(link)</td>
      <td data-name="Amount" class="number">\(Wording.money(row.amount))</td>
      <td data-name="Tries">\(row.tries)\(next)</td>
      <td data-name="Age">\(PageWording.age(row.createdAt, now))</td></tr>
      """
  }

  private func queuePage(_ queue: QueuePage, _ visit: Visit) -> HTTPResponse {
    let states = queue.states.map { state -> HTML in
      "<option\(if: state == queue.state, " selected")>\(state)</option>"
    }
    let here =
      queue.state.map { QueryText.append("state", $0, to: queue.route.path) }
      ?? queue.route.path
    return page(
      queue.title, queue.route, visit, live: queue.isNewest ? .some(nil) : nil,
      """
      <h1>\(queue.title)</h1>
      <p class="soft">\(queue.note)</p>
      <form class="filters" method="get" action="\(queue.route.path)">
      <div><label for="state">State</label><select id="state" name="state" data-submits>
      <option value="">any</option>\(states)</select></div>
      <button type="submit">Show</button></form>
      <section data-live id="list" aria-label="\(queue.title), newest first">
      \(PageWording.list(queue.head, queue.rows, none: "Nothing is here."))
      </section>
      \(pager(
        newest: queue.isNewest ? nil : here,
        older: queue.next.map { QueryText.append("before", $0, to: here) }))
      """)
  }
}

/// One page of a queue.
private struct QueuePage {
  let title: String
  let route: DashboardRoute
  let states: [String]
  let state: String?
  let note: HTML
  let head: [String]
  let rows: [HTML]
  let isNewest: Bool
  let next: String?
}
