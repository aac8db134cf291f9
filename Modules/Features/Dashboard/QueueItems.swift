import HTTPExchange
import MerchantAPI
import PaymentModels
import PaymentStore
import StrictJSON
import WebPages

extension Dashboard {
  /// A row of a queue on a page of its own.
  func showItem(_ route: DashboardRoute, _ visit: Visit) async throws -> HTTPResponse {
    itemPage(try await item(route, visit), reason: "", nil, visit)
  }

  /// Has the API put a delivery back into the queue or send a message again, with the key of
  /// whoever signed in.
  func workOnItem(_ route: DashboardRoute, _ visit: Visit) async throws -> HTTPResponse {
    let item = try await item(route, visit)
    let body = ReasonBody(reason: visit.field("reason")).json.serialized()
    let response = await call(.operator(item.work), body: body, key: nil, visit)
    guard let problem = Problem(response: response) else {
      return redirect(to: route.path + "?done=1")
    }
    return itemPage(item, reason: visit.field("reason"), problem, visit)
  }

  private func item(_ route: DashboardRoute, _ visit: Visit) async throws -> QueueItem {
    switch route {
    case .delivery(let id): try await delivery(id, visit)
    case .message(let id): try await message(id, visit)
    default: throw PageRefusal.notFound
    }
  }

  private func delivery(_ id: WebhookID, _ visit: Visit) async throws -> QueueItem {
    let found = try await store.read { transaction in
      try transaction.webhook(id).map { row in
        let known = try row.providerPaymentID.flatMap {
          try transaction.payment(row.provider, $0)?.id
        }
        return (row: row, payment: row.paymentReference ?? known)
      }
    }
    guard let (row, payment) = found else { throw PageRefusal.notFound }
    let facts: [(String, HTML?)] = [
      ("Delivery", "<code class=\"whole\">\(row.id)</code>"),
      ("State", "<span class=\"pill w-\(row.state.rawValue)\">\(row.state.rawValue)</span>"),
      ("Provider", "\(row.provider), \(row.account)"), ("Payment", payment.map(Self.link)),
      ("What came of it", (row.detail ?? row.topic).map { "\($0)" }),
      ("Tries", "\(row.tries)"), ("Received", PageWording.age(row.receivedAt, visit.now)),
    ]
    let canBeRequeued = row.state == .parked || row.state == .unmatched
    return QueueItem(
      title: "Delivery \(Wording.short(row.id))", queue: .inbox, facts: facts,
      work: .requeueWebhook(id), verb: canBeRequeued ? "Put it back" : nil,
      meaning: """
        It goes back into the queue with all its tries, and is worked on by the settings as they
        are now.
        """,
      done: "It is in the queue again, and the journal says why.")
  }

  private func message(_ id: MessageID, _ visit: Visit) async throws -> QueueItem {
    guard let row = try await store.read({ try $0.message(id) }) else {
      throw PageRefusal.notFound
    }
    let facts: [(String, HTML?)] = [
      ("Message", "<code class=\"whole\">\(row.id)</code>"),
      ("State", "<span class=\"pill m-\(row.state.rawValue)\">\(row.state.rawValue)</span>"),
      ("Kind", "\(PageWording.words(row.kind.rawValue))"), ("Amount", Wording.money(row.amount)),
      ("Order", "<code class=\"whole\">\(row.orderID)</code>, its message \(row.sequence)"),
      ("Payment", row.paymentID.map(Self.link)), ("Tries", "\(row.tries)"),
      ("Next try", row.nextTryAt.map { PageWording.due($0, visit.now) }),
      ("Delivered", row.deliveredAt.map { PageWording.age($0, visit.now) }),
      ("Created", PageWording.age(row.createdAt, visit.now)),
    ]
    return QueueItem(
      title: "Message \(Wording.short(row.id))", queue: .outbox, facts: facts,
      work: .redeliver(id), verb: "Send it again",
      meaning: """
        It is sent now, with all its tries, under the same id: a receiver that has it already
        sees that by the id.
        """,
      done: "It is due now, and the journal says why.")
  }

  private static func link(_ payment: PaymentID) -> HTML {
    """
    <a href="\(DashboardRoute.payment(payment).path)"><code class="whole">\(payment)</code></a>
    """
  }

  private func itemPage(
    _ item: QueueItem, reason: String, _ problem: Problem?, _ visit: Visit
  ) -> HTTPResponse {
    let back = item.queue.path
    let name = item.queue == .inbox ? "Inbox" : "Outbox"
    let done: HTML = "<p class=\"notice\" role=\"status\">\(item.done)</p>"
    let form: HTML? = item.verb.map { verb in
      """
      <section class="card"><p>\(item.meaning)</p>
      <form method="post" class="stack">\(formToken(visit))\(reasonField(reason, goesOn: false))
      <div class="row"><button class="danger" type="submit">\(verb)</button>
      <a class="button" href="\(back)">Back</a></div></form></section>
      """
    }
    return page(
      item.title, item.queue, visit, status: problem?.code.status ?? 200,
      """
      \(if: visit.query("done") != nil && problem == nil, done)
      <p class="crumb"><a href="\(back)">\(name)</a></p>
      <h1>\(item.title)</h1>
      \(alert(problem))
      <div class="cards ask"><section class="card">\(PageWording.facts(item.facts))</section>
      \(form)</div>
      """)
  }
}

/// One row of a queue, on a page of its own.
private struct QueueItem {
  let title: String
  let queue: DashboardRoute
  let facts: [(String, HTML?)]
  /// What the API is asked for.
  let work: OperatorRoute
  /// As the button says it; nil if nothing can be done.
  let verb: String?
  let meaning: HTML
  let done: HTML
}
