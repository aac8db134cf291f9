import HTTPExchange
import MerchantAPI
import PaymentModels
import WebPages

extension Dashboard {
  /// How often a page of all orders asks, beside the events: what concerns no order, such as a
  /// delivery that names none, causes no event.
  private static let pollMilliseconds = 5_000

  /// A page with the menu around it.
  ///
  /// - Parameters:
  ///   - live: of which order's changes the page is kept up to date; `.some(nil)` for all orders'.
  func page(
    _ title: String, _ section: DashboardRoute, _ visit: Visit, live: OrderID?? = nil,
    status: Int = 200, _ content: HTML
  ) -> HTTPResponse {
    let events = live.map { order -> String in
      let target = QueryText.append("after", "\(visit.position)", to: DashboardRoute.events.path)
      return order.map { QueryText.append("order", $0.rawValue, to: target) } ?? target
    }
    let polls = live == .some(nil)
    let body: HTML = """
      \(HTML.skipLink)
      <header class="top">
      <a class="brand" href="\(DashboardRoute.root)">\(HTML.mark)<span>Tillkit</span></a>
      <nav aria-label="Main"><ul>\(menu(section, visit))</ul></nav>
      <form class="who" method="post" action="\(DashboardRoute.signOut.path)">
      \(formToken(visit))<span class="soft" title="Signed in as">\(visit.session.name)</span>
      <button type="submit" class="quiet">Sign out</button>
      </form>
      </header>
      <main id="main" tabindex="-1"\(if: events != nil, " data-events=\"\(events ?? "")\"")\
      \(if: polls, " data-poll=\"\(Self.pollMilliseconds)\"")>
      \(content)
      </main>
      \(HTML.liveStatus)
      """
    return assets.document(title: title, body: body, status: status)
  }

  private func menu(_ section: DashboardRoute, _ visit: Visit) -> [HTML] {
    let entries: [(DashboardRoute, String)] = [
      (.overview, "Overview"), (.payments, "Payments"), (.reviews, "Reviews"), (.inbox, "Inbox"),
      (.outbox, "Outbox"),
    ]
    return entries.map { route, name in
      let more = visit.openReviews == Visit.reviewsCountMax ? "+" : ""
      let count: HTML = """
        <b class="count"><span class="unseen"> open: </span>\(visit.openReviews)\(more)</b>
        """
      return """
        <li><a href="\(route.path)"\(if: route == section, " aria-current=\"page\"")>\(name)\
        \(if: route == .reviews && visit.openReviews > 0, count)</a></li>
        """
    }
  }

  /// The field that each form sends along.
  func formToken(_ visit: Visit) -> HTML {
    """
    <input type="hidden" name="form_token" value="\(visit.session.formToken.reveal())">
    """
  }

  /// The page of a refusal, with the menu if somebody is signed in.
  func page(of refusal: PageRefusal, to request: HTTPRequest) async -> HTTPResponse {
    let content: HTML = """
      <h1>\(refusal.title)</h1>
      <p>\(refusal.detail)</p>
      """
    var response: HTTPResponse
    // What failed may be the store, without which there is no menu.
    if let visit = try? await visit(of: request) {
      response = page(refusal.title, .signOut, visit, status: refusal.status, content)
    } else {
      response = assets.document(
        title: refusal.title,
        body: """
          <main id="main" class="sign-in">\(content)
          <p><a href="\(DashboardRoute.root)">Go to the dashboard</a></p></main>
          """, status: refusal.status)
    }
    if let header = refusal.header { response.headers.add(header.name, header.value) }
    return response
  }
}
