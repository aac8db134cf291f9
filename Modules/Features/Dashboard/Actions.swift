import HTTPExchange
import KitEnvironment
import MerchantAPI
import PaymentModels
import PaymentStore
import StrictJSON
import WebPages

/// What a form says that asks for an action, or came back because of a problem.
struct ActionForm {
  var amount: String
  var reason: String
  /// Made with the page: sending the form twice does the thing once.
  var key: String
  var problem: Problem?
}

extension Dashboard {
  /// The page on which an action is confirmed.
  func showAction(
    _ action: PaymentAction, _ id: PaymentID, _ visit: Visit
  ) async throws -> HTTPResponse {
    let file = try await file(id)
    let form = ActionForm(
      amount: left(action, file)?.decimal ?? "", reason: "", key: environment.newUUID())
    return actionPage(action, file, form, visit)
  }

  /// Has the API do it, with the key of whoever signed in.
  func take(
    _ action: PaymentAction, _ id: PaymentID, _ visit: Visit
  ) async throws -> HTTPResponse {
    let amount = visit.field("amount").split(separator: " ").joined()
    var form = ActionForm(amount: amount, reason: visit.field("reason"), key: visit.field("key"))
    let takesAmount = action == .capture || action == .refund
    let body = OperationBody(amount: takesAmount ? amount : nil, reason: form.reason)
    let response = await call(
      action.route(id), body: action == .read ? [] : body.json.serialized(), key: form.key, visit)
    guard let problem = Problem(response: response) else {
      let isOld = action == .read && !Self.isFresh(response)
      return redirect(
        to: QueryText.append(
          "done", isOld ? "unread" : action.rawValue, to: DashboardRoute.payment(id).path))
    }
    form.problem = problem
    // Whether it was done is not known then: only the same key makes the repeat safe.
    if problem.code != .unavailable { form.key = environment.newUUID() }
    return actionPage(action, try await file(id), form, visit)
  }

  /// A request to the API in the name of whoever signed in.
  func call(_ route: Route, body: [UInt8], key: String?, _ visit: Visit) async -> HTTPResponse {
    var headers: HTTPHeaders = ["Authorization": "Bearer \(visit.session.key.reveal())"]
    if !body.isEmpty { headers.add("Content-Type", "application/json") }
    if let key { headers.add("Idempotency-Key", key) }
    return await api.respond(
      to: HTTPRequest(method: route.method, target: route.path, headers: headers, body: body))
  }

  /// A problem as people read it, above the form that it is about.
  func alert(_ problem: Problem?) -> HTML? {
    problem.map {
      """
      <p class="alert" role="alert" id="problem"><strong>Not done.</strong> \($0.detail)</p>
      """
    }
  }

  private static func isFresh(_ response: HTTPResponse) -> Bool {
    (try? JSONValue(parsing: response.body))?["fresh"]?.boolean ?? false
  }

  private func left(_ action: PaymentAction, _ file: PaymentFile) -> Money? {
    let currency = file.payment.amount.currency
    return switch action {
    case .capture: Money(minorUnits: file.limit.capturable, currency: currency)
    case .refund: Money(minorUnits: file.limit.refundable, currency: currency)
    case .read, .close: nil
    }
  }

  private func actionPage(
    _ action: PaymentAction, _ file: PaymentFile, _ form: ActionForm, _ visit: Visit
  ) -> HTTPResponse {
    let payment = file.payment
    let back = DashboardRoute.payment(payment.id).path
    let left = left(action, file)
    let rows: [(String, HTML?)] = [
      ("Payment", "<code class=\"whole\">\(payment.id)</code>"),
      ("State", Wording.pill(payment)), ("Order", Wording.pill(file.order.state)),
      ("Provider", "\(payment.provider), \(payment.mode.rawValue)"),
      ("Asked", Wording.money(payment.amount)),
      ("Left", left.map { Wording.money($0) }),
    ]
    let status = form.problem?.code.status ?? 200
    return page(
      "\(action.verb) a payment", .payments, visit, status: status,
      """
      <p class="crumb"><a href="\(back)">Payment \(Wording.short(payment.id))</a></p>
      <h1>\(action.verb) this payment?</h1>
      \(alert(form.problem))
      <div class="cards ask"><section class="card">\(PageWording.facts(rows))</section>
      <section class="card"><p>\(action.meaning)</p>
      <form method="post" class="stack">
      \(formToken(visit))<input type="hidden" name="key" value="\(form.key)">
      \(fields(action, left, form))
      <div class="row"><button class="\(action == .read ? "primary" : "danger")" type="submit">\
      \(action.verb)</button> <a class="button" href="\(back)">Back</a></div>
      </form></section></div>
      """)
  }

  private func fields(_ action: PaymentAction, _ left: Money?, _ form: ActionForm) -> HTML? {
    guard action != .read else { return nil }
    let isBad = form.problem?.path == "amount"
    let amount: HTML? = left.map { left in
      """
      <label for="amount">Amount in \(left.currency.code)</label>
      <input id="amount" name="amount" inputmode="decimal" required autocomplete="off"
       value="\(form.amount)"\(if: isBad, " aria-invalid=\"true\" aria-describedby=\"problem\"")>
      """
    }
    return "\(amount)\(reasonField(form.reason))"
  }

  /// Why somebody does it.
  ///
  /// - Parameter goesOn: whether it is said to the provider too.
  func reasonField(_ reason: String, goesOn: Bool = true) -> HTML {
    """
    <label for="reason">Reason</label>
    <input id="reason" name="reason" required maxlength="200" autocomplete="off" value="\(reason)"
     aria-describedby="reason-note">
    <p class="soft" id="reason-note">Stands in the journal beside your name\
    \(if: goesOn, " and may go to the provider"): nothing about the buyer, please.</p>
    """
  }
}

extension PaymentAction {
  /// What it does, before it is done.
  fileprivate var meaning: HTML {
    switch self {
    case .read:
      """
      The provider is asked now how the payment stands, and its answer counts. Nothing is asked of
      it beyond that.
      """
    case .capture: "The money that is held is taken, up to what is left."
    case .refund:
      "The money goes back to the payer. Nobody can take it back from there."
    case .close: "What is held and not captured is let go, and nobody can pay any more."
    }
  }
}
