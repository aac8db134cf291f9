import HTTPExchange
import MerchantAPI
import PaymentModels
import PaymentStore
import WebPages

/// Everything that a payment's page shows, as it was at one moment.
struct PaymentFile: Sendable {
  let payment: PaymentRow
  let order: OrderRow
  let attempts: [PaymentRow]
  let providerIDs: [ProviderPaymentID]
  let items: [PaymentItem]
  let operations: [OperationRow]
  let reviews: [ReviewRow]
  let messages: [MessageRow]
  let journal: [JournalEntry]
  /// From where the journal goes on, if it does.
  let journalNext: Int64?
  let change: JournalEntry?

  /// Lines of the journal on one page: a device alone may write as many.
  static let journalMax = 500

  init?(_ id: PaymentID, after: Int64, _ transaction: any PaymentTransaction) throws {
    guard let payment = try transaction.payment(id),
      let order = try transaction.order(payment.orderID)
    else { return nil }
    self.payment = payment
    self.order = order
    attempts = try transaction.payments(of: order.id)
    providerIDs = try transaction.providerPaymentIDs(of: id)
    items = try transaction.items(of: id)
    operations = try transaction.operations(of: id)
    reviews = try transaction.reviews(of: order.id).filter {
      $0.paymentID == nil || $0.paymentID == id
    }
    messages = try transaction.messages(of: order.id)
    let lines = try transaction.journal(of: order.id, after: after, limit: Self.journalMax)
    journal = lines.filter { $0.paymentID == nil || $0.paymentID == id }
    journalNext = lines.count == Self.journalMax ? lines.last?.sequence : nil
    change = try transaction.lastChange(of: id)
  }

  var limit: OperationLimit { OperationLimit(payment, items, operations) }

  func sum(_ kind: PaymentItem.Kind) -> Money {
    let total = items.filter { $0.kind == kind }.reduce(0) { $0 + $1.amount.minorUnits }
    return Money(minorUnits: total, currency: payment.amount.currency)
  }
}

extension Dashboard {
  func file(_ id: PaymentID, after: Int64 = 0) async throws -> PaymentFile {
    guard let file = try await store.read({ try PaymentFile(id, after: after, $0) }) else {
      throw PageRefusal.notFound
    }
    return file
  }

  func showPayment(_ id: PaymentID, _ visit: Visit) async throws -> HTTPResponse {
    let after = visit.query("after").flatMap { Int64($0) } ?? 0
    let file = try await file(id, after: after)
    let payment = file.payment
    return page(
      "Payment \(Wording.short(id))", .payments, visit, live: .some(payment.orderID),
      """
      \(notice(visit))
      <div data-live id="payment">
      <div class="head">
      <div><p class="crumb"><a href="\(DashboardRoute.payments.path)">Payments</a></p>
      <h1>\(Wording.money(payment.amount)) \(Wording.pill(payment))\
      \(if: payment.mode == .test, " <span class=\"pill mode\">test</span>")</h1>
      <p class="soft"><code class="whole">\(id)</code></p></div>
      \(actions(file))
      </div>
      \(cases(file, visit))
      <div class="cards">
      \(summary(file, visit.now))
      \(money(file))
      \(orderCard(file))
      </div>
      \(Timeline(file: file).html)
      \(operations(file, visit.now))
      </div>
      """)
  }

  /// What the last form came to, by a word in the query: no text of anybody else's.
  private func notice(_ visit: Visit) -> HTML? {
    let text: String? =
      switch visit.query("done") {
      case "read": "The provider was asked; what it said is below."
      case "capture": "The capture is on its way or done; see the operations below."
      case "refund": "The refund is on its way or done; see the operations below."
      case "close": "The close is on its way or done; see the operations below."
      case "unread": "The provider could not be read just now. What is below was known before."
      default: nil
      }
    return text.map { "<p class=\"notice\" role=\"status\">\($0)</p>" }
  }

  private func actions(_ file: PaymentFile) -> HTML {
    let links = PaymentAction.allCases.filter { $0.fits(file.payment.status) }.map {
      action -> HTML in
      let path = DashboardRoute.action(action, file.payment.id).path
      return """
        <a class="button" id="do-\(action.rawValue)" href="\(path)">\(action.verb)…</a>
        """
    }
    return "<nav class=\"actions\" aria-label=\"Actions\">\(links)</nav>"
  }

  private func cases(_ file: PaymentFile, _ visit: Visit) -> HTML? {
    let open = file.reviews.filter(\.isOpen)
    guard !open.isEmpty else { return nil }
    let items = open.map { review -> HTML in
      let kind = PageWording.words(review.kind.rawValue)
      let age = PageWording.span(visit.now.since(review.openedAt))
      return """
        <li><a href="\(DashboardRoute.review(review.number).path)">\(kind)</a>: \
        \(review.detail) <span class="soft">open for \(age)</span></li>
        """
    }
    return """
      <section class="alert" aria-label="Open cases"><strong>A person should look.</strong>
      <ul>\(items)</ul></section>
      """
  }

  private func summary(_ file: PaymentFile, _ now: Instant) -> HTML {
    let payment = file.payment
    let learned: HTML? = file.change.map {
      "\(Wording.channel($0.channel)), \(PageWording.age($0.at, now))"
    }
    let failed: HTML? =
      payment.schedule.failedReads > 0 ? "\(payment.schedule.failedReads) in a row" : nil
    let ids = file.providerIDs.map { "<code class=\"whole\">\($0)</code> " as HTML }
    let rows: [(String, HTML?)] = [
      ("Provider", "\(payment.provider), \(payment.mode.rawValue)"),
      ("Account", "\(payment.account)"),
      ("Provider’s id", ids.isEmpty ? nil : "\(ids)"),
      ("Transaction", payment.transactionID.map { "<code class=\"whole\">\($0)</code>" }),
      ("Made", PageWording.age(payment.createdAt, now)),
      ("Learned by", learned),
      ("Last proven", payment.schedule.lastProofAt.map { PageWording.age($0, now) }),
      ("Next read", payment.schedule.nextReadAt.map { PageWording.due($0, now) }),
      ("Failed reads", failed),
      ("Refused because", payment.rejectionReason.map { "\($0)" }),
      ("Dispute", payment.dispute.map { "\($0.rawValue)" }),
      ("Waited for", payment.lapsed ? "no longer; read once a day" : nil),
    ]
    return "<section class=\"card\"><h2>Payment</h2>\(PageWording.facts(rows))</section>"
  }

  private func money(_ file: PaymentFile) -> HTML {
    let (captured, refunded) = (file.sum(.capture), file.sum(.refund))
    let taken = file.sum(.chargeback)
    let currency = file.payment.amount.currency
    let rows: [(String, HTML?)] = [
      ("Asked", Wording.money(file.payment.amount)),
      ("Captured", Wording.money(captured)),
      ("Refunded", Wording.money(refunded)),
      ("Charged back", taken.minorUnits > 0 ? Wording.money(taken) : nil),
      (
        "Left to capture",
        file.payment.status == .authorized
          ? Wording.money(Money(minorUnits: file.limit.capturable, currency: currency)) : nil
      ),
      (
        "Left to refund",
        captured.minorUnits > 0
          ? Wording.money(Money(minorUnits: file.limit.refundable, currency: currency)) : nil
      ),
    ]
    return """
      <section class="card"><h2>Money</h2>\(MoneyBar(file).html)
      \(PageWording.facts(rows, areSums: true))</section>
      """
  }

  private func orderCard(_ file: PaymentFile) -> HTML {
    let lines = file.order.lines.map { line -> HTML in
      """
      <li>\(line.quantity) × \(line.title)
      <span class="soft">\(Wording.money(line.unitPrice))</span></li>
      """
    }
    let attempts = file.attempts.map { attempt -> HTML in
      let isThis = attempt.id == file.payment.id
      return """
        <li>\(attempt.attempt). <a href="\(DashboardRoute.payment(attempt.id).path)"\
        \(if: isThis, " aria-current=\"true\"")>\(attempt.provider) \
        <code>\(Wording.short(attempt.id))</code></a> \(Wording.pill(attempt))</li>
        """
    }
    let told = file.messages.map { message -> HTML in
      """
      <li>\(PageWording.words(message.kind.rawValue)) \
      <span class="pill m-\(message.state.rawValue)">\(message.state.rawValue)</span></li>
      """
    }
    let rows: [(String, HTML?)] = [
      ("State", Wording.pill(file.order.state)),
      ("Total", Wording.money(file.order.total)),
      ("Order", "<code class=\"whole\">\(file.order.id)</code>"),
      ("Lines", "<ul class=\"plain\">\(lines)</ul>"),
      ("Attempts", "<ul class=\"plain\">\(attempts)</ul>"),
      ("Told the shop", told.isEmpty ? nil : "<ul class=\"plain\">\(told)</ul>"),
    ]
    return "<section class=\"card\"><h2>Order</h2>\(PageWording.facts(rows))</section>"
  }

  private func operations(_ file: PaymentFile, _ now: Instant) -> HTML? {
    guard !file.operations.isEmpty || !file.items.isEmpty else { return nil }
    let rows = file.operations.map { operation -> HTML in
      let isAccepted = operation.isInFlight && operation.acceptedAt != nil
      let state = isAccepted ? "accepted" : operation.state.rawValue
      let amount: HTML? = operation.kind == .close ? nil : Wording.money(operation.amount)
      return """
        <tr><th scope="row">\(operation.kind.rawValue)</th>
        <td data-name="State"><span class="pill o-\(state)">\(state)</span></td>
        <td data-name="Amount" class="number">\(amount)</td>
        <td data-name="Why">\(operation.reason ?? "") \
        <span class="soft">\(operation.detail ?? "")</span></td>
        <td data-name="Id"><code class="whole">\(operation.id)</code></td>
        <td data-name="Age">\(PageWording.age(operation.createdAt, now))</td></tr>
        """
    }
    let items = file.items.map { item -> HTML in
      """
      <tr><th scope="row">\(item.kind.rawValue)</th>
      <td data-name="State"><span class="pill o-done">proven</span></td>
      <td data-name="Amount" class="number">\(Wording.money(item.amount))</td>
      <td data-name="Why"><span class="soft">as the provider reports it</span></td>
      <td data-name="Id"><code class="whole">\(item.providerItemID)</code></td>
      <td data-name="Age">\(item.createdAt.map { PageWording.age($0, now) })</td></tr>
      """
    }
    return """
      <section><h2>Operations and money moved</h2>
      <table class="list"><thead><tr><th scope="col">What</th><th scope="col">State</th>\
      <th scope="col" class="number">Amount</th><th scope="col">Why</th><th scope="col">Id</th>\
      <th scope="col">Age</th></tr></thead><tbody>\(rows)\(items)</tbody></table></section>
      """
  }
}
