import HTTPExchange
import KitEnvironment
import MerchantAPI
import PaymentModels
import PaymentStore
import StrictJSON
import WebPages

extension Dashboard {
  /// Open cases, the oldest first.
  func showReviews(_ visit: Visit) async throws -> HTTPResponse {
    let after = visit.query("after").flatMap { Int64($0) } ?? 0
    let found = try await store.read {
      try $0.openReviews(after: after, limit: Self.pageSize + 1)
    }
    let shown = found.prefix(Self.pageSize)
    let rows = shown.map { review -> HTML in
      let payment: HTML? = review.paymentID.map {
        "<a href=\"\(DashboardRoute.payment($0).path)\"><code>\(Wording.short($0))</code></a>"
      }
      return """
        <tr data-key="\(review.number)" data-version="1"><th scope="row">\
        <a id="r-\(review.number)" class="row-link" \
        href="\(DashboardRoute.review(review.number).path)">Case \(review.number)</a></th>
        <td data-name="State"><span class="pill s-needs_review">\
        \(PageWording.words(review.kind.rawValue))</span></td>
        <td data-name="What">\(review.detail)</td>
        <td data-name="Payment">\(payment)</td>
        <td data-name="Open for">\(PageWording.age(review.openedAt, visit.now))</td></tr>
        """
    }
    let next: String? =
      found.count > shown.count
      ? shown.last.map {
        QueryText.append("after", "\($0.number)", to: DashboardRoute.reviews.path)
      } : nil
    let more: HTML? = next.map { "<a class=\"button\" rel=\"next\" href=\"\($0)\">Younger</a>" }
    return page(
      "Reviews", .reviews, visit, live: .some(nil),
      """
      <h1>Reviews</h1>
      <p class="soft">What the server must not decide alone, the oldest first.</p>
      <section data-live id="list" aria-label="Open cases">
      \(PageWording.list(["Case", "Kind", "What", "Payment", "Opened"], Array(rows),
        none: "No case is open."))
      </section>
      <nav class="pager" aria-label="Pages">\(more)</nav>
      """)
  }

  func showReview(_ number: Int64, _ visit: Visit) async throws -> HTTPResponse {
    let form = ActionForm(amount: "", reason: "", key: environment.newUUID())
    return try await reviewPage(number, form, decision: nil, visit)
  }

  /// Has the API decide, with the key of whoever signed in.
  func resolve(_ number: Int64, _ visit: Visit) async throws -> HTTPResponse {
    var form = ActionForm(amount: "", reason: visit.field("reason"), key: visit.field("key"))
    guard let decision = ReviewDecision(rawValue: visit.field("decision")) else {
      form.problem = Problem(.invalidBody, "Choose what is decided.")
      return try await reviewPage(number, form, decision: nil, visit)
    }
    let response = await call(
      .operator(.resolveReview(number)),
      body: ResolveBody(decision: decision, reason: form.reason).json.serialized(), key: form.key,
      visit)
    guard let problem = Problem(response: response) else {
      return redirect(to: DashboardRoute.review(number).path + "?done=1")
    }
    form.problem = problem
    if problem.code != .unavailable { form.key = environment.newUUID() }
    return try await reviewPage(number, form, decision: decision, visit)
  }

  private func reviewPage(
    _ number: Int64, _ form: ActionForm, decision: ReviewDecision?, _ visit: Visit
  ) async throws -> HTTPResponse {
    // The API knows what may be decided.
    let response = await call(.operator(.review(number)), body: [], key: nil, visit)
    guard response.status == 200, let json = try? JSONValue(parsing: response.body) else {
      throw response.status == 404 ? PageRefusal.notFound : PageRefusal.unavailable
    }
    guard let review = try await store.read({ try $0.review(number) }) else {
      throw PageRefusal.notFound
    }
    let offered = (json["decisions"]?.elements ?? []).compactMap {
      $0.text.flatMap { ReviewDecision(rawValue: $0) }
    }
    let payment: HTML? = review.paymentID.map {
      "<a href=\"\(DashboardRoute.payment($0).path)\"><code class=\"whole\">\($0)</code></a>"
    }
    let decided: HTML? = review.decision.map {
      let name = $0.operatorName?.rawValue ?? "the shop’s policy"
      return "\($0.decision.rawValue), by \(name): \($0.reason)"
    }
    let rows: [(String, HTML?)] = [
      ("What", "\(review.detail)"), ("Payment", payment),
      ("Order", "<code class=\"whole\">\(review.orderID)</code>"),
      ("Opened", PageWording.age(review.openedAt, visit.now)), ("Last decision", decided),
      ("Closed", review.resolvedAt.map { PageWording.age($0, visit.now) }),
    ]
    let done: HTML = "<p class=\"notice\" role=\"status\">Decided. It stands in the journal.</p>"
    return page(
      "Case \(number)", .reviews, visit, status: form.problem?.code.status ?? 200,
      """
      \(if: visit.query("done") != nil, done)
      <p class="crumb"><a href="\(DashboardRoute.reviews.path)">Reviews</a></p>
      <h1>Case \(number): \(PageWording.words(review.kind.rawValue))</h1>
      \(alert(form.problem))
      <div class="cards ask"><section class="card">\(PageWording.facts(rows))</section>
      \(offered.isEmpty ? nil : decisionForm(offered, decision, form, visit))</div>
      """)
  }

  private func decisionForm(
    _ offered: [ReviewDecision], _ chosen: ReviewDecision?, _ form: ActionForm, _ visit: Visit
  ) -> HTML {
    let choices = offered.map { decision -> HTML in
      """
      <label class="choice"><input type="radio" name="decision" value="\(decision.rawValue)"
       required\(if: decision == chosen, " checked")> <span><b>\(decision.rawValue)</b>
      <span class="soft">\(decision.meaning)</span></span></label>
      """
    }
    return """
      <section class="card"><form method="post" class="stack">
      \(formToken(visit))<input type="hidden" name="key" value="\(form.key)">
      <fieldset><legend>Decision</legend>\(choices)</fieldset>
      \(reasonField(form.reason))
      <div class="row"><button class="danger" type="submit">Decide</button>
      <a class="button" href="\(DashboardRoute.reviews.path)">Back</a></div>
      </form></section>
      """
  }
}

extension ReviewDecision {
  /// What comes of it.
  fileprivate var meaning: HTML {
    switch self {
    case .accept: "The money pays the order as far as it goes."
    case .refund: "What is held is let go, what was captured is refunded."
    case .keep: "Somebody has looked; the case stays."
    case .dismiss: "Nothing more to do; the money is settled elsewhere."
    }
  }
}
