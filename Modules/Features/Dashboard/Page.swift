import HTTPExchange
import MerchantAPI
import PaymentModels

extension Dashboard {
  /// What a page of the dashboard lets a browser do: its own style, script and events, forms to
  /// itself, and nothing else.
  static let contentPolicy =
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

  /// A whole document.
  func document(
    title: String, body: HTML, status: Int = 200, isLive: Bool = false
  ) -> HTTPResponse {
    let html: HTML = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title) · Tillkit</title>
      <link rel="icon" href="\(assets.path(.icon))" type="image/svg+xml">
      <link rel="stylesheet" href="\(assets.path(.style))">
      <script src="\(assets.path(.script))" defer></script>
      </head>
      <body>
      \(body)
      </body>
      </html>

      """
    return HTTPResponse(
      status: status,
      headers: [
        "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": Self.contentPolicy,
        // Forms must tell where they come from, and no other site is told of a page.
        "Referrer-Policy": "same-origin",
      ], body: Array(html.text.utf8))
  }

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
    let body: HTML = """
      <a class="skip" href="#main">Skip to content</a>
      <header class="top">
      <a class="brand" href="\(DashboardRoute.root)">\(Self.mark)<span>Tillkit</span></a>
      <nav aria-label="Main"><ul>\(menu(section, visit))</ul></nav>
      <form class="who" method="post" action="\(DashboardRoute.signOut.path)">
      \(formToken(visit))<span class="soft" title="Signed in as">\(visit.session.name)</span>
      <button type="submit" class="quiet">Sign out</button>
      </form>
      </header>
      <main id="main" tabindex="-1"\(if: events != nil, " data-events=\"\(events ?? "")\"")>
      \(content)
      </main>
      <p class="live-status"><span id="live-status" role="status" aria-live="polite"></span> \
      <span id="live-time" aria-hidden="true"></span></p>
      """
    return document(title: title, body: body, status: status)
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
      response = document(
        title: refusal.title,
        body: """
          <main id="main" class="sign-in">\(content)
          <p><a href="\(DashboardRoute.root)">Go to the dashboard</a></p></main>
          """, status: refusal.status)
    }
    if let header = refusal.header { response.headers.add(header.name, header.value) }
    return response
  }

  /// The sign of the kit: three lanes and a proof.
  static let mark: HTML = """
    <svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <path d="M4 3v18M12 3v18M20 3v18" class="mark-lanes"/><path d="M4 8h8M20 15h-8"
     class="mark-steps"/><rect x="9" y="12" width="6" height="6" rx="1.5" class="mark-proof"/></svg>
    """
}
