import HTTPExchange
import KitEnvironment
import PaymentModels
import PaymentStore
import WebPages

/// A payment as one row of a list.
struct PaymentListRow: Sendable {
  let payment: PaymentRow
  let order: OrderRow?
  let change: JournalEntry?
  let hasReview: Bool

  init(_ payment: PaymentRow, _ transaction: any PaymentTransaction) throws {
    self.payment = payment
    order = try transaction.order(payment.orderID)
    change = try transaction.lastChange(of: payment.id)
    hasReview = try transaction.reviews(of: payment.orderID).contains {
      $0.isOpen && ($0.paymentID == nil || $0.paymentID == payment.id)
    }
  }

  /// The head of the table.
  static let head: HTML = """
    <thead><tr><th scope="col">Payment</th><th scope="col">State</th><th scope="col">Order</th>\
    <th scope="col" class="number">Amount</th><th scope="col">Provider</th>\
    <th scope="col">Learned by</th><th scope="col">Age</th></tr></thead>
    """

  func html(_ now: Instant) -> HTML {
    let path = DashboardRoute.payment(payment.id).path
    let flag: HTML = " <span class=\"pill s-needs_review\">review</span>"
    let learned: HTML =
      change.map { "\(Wording.channel($0.channel)), \(PageWording.age($0.at, now))" }
      ?? "<span class=\"soft\">nothing yet</span>"
    return """
      <tr data-key="\(payment.id)" data-version="\(payment.version + (order?.version ?? 0))">
      <th scope="row"><a id="p-\(payment.id)" class="row-link" href="\(path)">\
      <code>\(Wording.short(payment.id))</code></a></th>
      <td data-name="State">\(Wording.pill(payment))\(if: hasReview, flag)</td>
      <td data-name="Order">\(order.map { Wording.pill($0.state) })</td>
      <td data-name="Amount" class="number">\(Wording.money(payment.amount))</td>
      <td data-name="Provider">\(payment.provider)\
      \(if: payment.attempt > 1, " <span class=\"soft\">attempt \(payment.attempt)</span>")</td>
      <td data-name="Learned by">\(learned)</td>
      <td data-name="Age">\(PageWording.age(payment.createdAt, now))</td>
      </tr>
      """
  }
}

extension Dashboard {
  /// Payments on one page.
  static let pageSize = 50
  /// Bytes of a search that are looked at: the longest id of any provider is shorter.
  static let searchBytesMax = 200
  /// Payments that a search shows.
  private static let foundMax = 50

  func showPayments(_ visit: Visit) async throws -> HTTPResponse {
    let search = (visit.query("q") ?? "").split(separator: " ").joined(separator: " ")
    if !search.isEmpty { return try await showFound(search, visit) }
    let filter = PaymentFilter(
      state: visit.query("state").flatMap { PaymentFilter.State(rawValue: $0) },
      provider: visit.query("provider").map { ProviderName($0) })
    let before = visit.query("before").flatMap { isCanonicalUUID($0) ? PaymentID($0) : nil }
    let (rows, providers) = try await store.read { transaction in
      // One more than is shown tells whether there is a next page.
      let payments = try transaction.payments(
        matching: filter, before: before, limit: Self.pageSize + 1)
      return (
        try payments.map { try PaymentListRow($0, transaction) },
        try transaction.paymentProviders()
      )
    }
    let shown = rows.prefix(Self.pageSize)
    let older: String? =
      rows.count > shown.count
      ? shown.last.map { listTarget(filter, before: $0.payment.id) } : nil
    let pages = pager(
      newest: before == nil ? nil : listTarget(filter, before: nil), older: older)
    return page(
      "Payments", .payments, visit, live: before == nil ? .some(nil) : nil,
      """
      <h1>Payments</h1>
      \(filters(filter, providers, search: ""))
      <section data-live id="list" aria-label="Payments, newest first">
      \(table(Array(shown), visit.now, none: "No payment is like that."))
      </section>
      \(pages)
      """)
  }

  /// A table of payments.
  func table(_ rows: [PaymentListRow], _ now: Instant, none: HTML) -> HTML {
    guard !rows.isEmpty else { return "<p class=\"empty\">\(none)</p>" }
    return """
      <table class="list payments">\(PaymentListRow.head)
      <tbody>\(rows.map { $0.html(now) })</tbody></table>
      """
  }

  /// Links to other pages of a list.
  func pager(newest: String?, older: String?) -> HTML {
    guard newest != nil || older != nil else { return "" }
    let first: HTML? = newest.map { "<a class=\"button\" href=\"\($0)\">Newest</a>" }
    let next: HTML? = older.map { "<a class=\"button\" rel=\"next\" href=\"\($0)\">Older</a>" }
    return "<nav class=\"pager\" aria-label=\"Pages\">\(first)\(next)</nav>"
  }

  private func listTarget(_ filter: PaymentFilter, before: PaymentID?) -> String {
    let parts = [
      ("state", filter.state?.rawValue), ("provider", filter.provider?.rawValue),
      ("before", before?.rawValue),
    ]
    return parts.reduce(DashboardRoute.payments.path) { target, part in
      part.1.map { QueryText.append(part.0, $0, to: target) } ?? target
    }
  }

  private func filters(
    _ filter: PaymentFilter, _ providers: [ProviderName], search: String
  ) -> HTML {
    let states = PaymentFilter.State.allCases.map { state -> HTML in
      """
      <option\(if: state == filter.state, " selected")>\(state.rawValue)</option>
      """
    }
    let names = providers.map { name -> HTML in
      "<option\(if: name == filter.provider, " selected")>\(name)</option>"
    }
    return """
      <form class="filters" method="get" action="\(DashboardRoute.payments.path)" role="search">
      <div><label for="state">State</label><select id="state" name="state" data-submits>
      <option value="">any</option>\(states)</select></div>
      <div><label for="provider">Provider</label><select id="provider" name="provider"
       data-submits><option value="">any</option>\(names)</select></div>
      <div class="wide"><label for="q">Any id</label><input id="q" name="q" type="search"
       value="\(search)" maxlength="\(Self.searchBytesMax)" spellcheck="false"
       autocapitalize="none" placeholder="payment, order, provider, operation, webhook"></div>
      <button type="submit">Show</button>
      </form>
      """
  }

  // MARK: Search

  private func showFound(_ search: String, _ visit: Visit) async throws -> HTTPResponse {
    let text = String(search.utf8.prefix(Self.searchBytesMax)) ?? ""
    let (found, providers) = try await store.read { transaction in
      (
        try Search(transaction: transaction, limit: Self.foundMax).rows(text),
        try transaction.paymentProviders()
      )
    }
    if found.count == 1 { return redirect(to: DashboardRoute.payment(found[0].payment.id).path) }
    return page(
      "Search", .payments, visit,
      """
      <h1>Payments</h1>
      \(filters(PaymentFilter(), providers, search: text))
      <section aria-label="Found payments">
      <p role="status">\(found.count) payments belong to <code>\(text)</code>.</p>
      \(table(found, visit.now, none: "Look for a whole id, or the beginning of a payment’s."))
      </section>
      """)
  }
}

/// Finds payments by any id that belongs to them.
struct Search {
  let transaction: any PaymentTransaction
  let limit: Int
  /// Shorter beginnings of an id belong to a whole day's payments.
  private static let prefixMin = 6

  func rows(_ text: String) throws -> [PaymentListRow] {
    var payments = try ids(text.lowercased()).compactMap { try transaction.payment($0) }
    for name in try transaction.paymentProviders() {
      if let row = try transaction.payment(name, ProviderPaymentID(text)) { payments.append(row) }
    }
    if payments.isEmpty, (Self.prefixMin..<36).contains(text.utf8.count),
      text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0 | 0x20) || $0 == 45 })
    {
      payments = try transaction.payments(idPrefix: text.lowercased(), limit: limit)
    }
    var seen: Set<PaymentID> = []
    return try payments.filter { seen.insert($0.id).inserted }.prefix(limit).map {
      try PaymentListRow($0, transaction)
    }
  }

  /// Payments that one of the kit's own ids leads to.
  private func ids(_ id: String) throws -> [PaymentID] {
    guard isCanonicalUUID(id) else { return [] }
    var found = [PaymentID(id)]
    found += try transaction.payments(of: OrderID(id)).map(\.id)
    if let operation = try transaction.operation(OperationID(id)) {
      found.append(operation.paymentID)
    }
    if let message = try transaction.message(MessageID(id)) {
      found += try transaction.payments(of: message.orderID).map(\.id)
    }
    if let webhook = try transaction.webhook(WebhookID(id)) {
      if let reference = webhook.paymentReference { found.append(reference) }
      if let known = webhook.providerPaymentID,
        let row = try transaction.payment(webhook.provider, known)
      {
        found.append(row.id)
      }
    }
    return found
  }
}
