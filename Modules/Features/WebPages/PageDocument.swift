public import HTTPExchange

extension PageAssets {
  /// What a page lets a browser do: its own style, script and events, forms to itself, and nothing
  /// else.
  public static let contentPolicy =
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

  /// A whole document.
  public func document(title: String, body: HTML, status: Int = 200) -> HTTPResponse {
    let html: HTML = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title) · Tillkit</title>
      <link rel="icon" href="\(path(.icon))" type="image/svg+xml">
      <link rel="stylesheet" href="\(path(.style))">
      <script src="\(path(.script))" defer></script>
      </head>
      <body>
      \(body)
      </body>
      </html>

      """
    return HTTPResponse(
      status: status,
      headers: [
        "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store",
        "Content-Security-Policy": Self.contentPolicy,
        // Forms must tell where they come from, and no other site is told of a page.
        "Referrer-Policy": "same-origin", "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
      ], body: Array(html.text.utf8))
  }
}

extension HTML {
  /// The sign of the kit: three lanes and a proof.
  public static let mark: HTML = """
    <svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <path d="M4 3v18M12 3v18M20 3v18" class="mark-lanes"/><path d="M4 8h8M20 15h-8"
     class="mark-steps"/><rect x="9" y="12" width="6" height="6" rx="1.5" class="mark-proof"/></svg>
    """

  /// The place where a page that keeps itself up to date says so.
  public static let liveStatus: HTML = """
    <p class="live-status"><span id="live-status" role="status" aria-live="polite"></span> \
    <span id="live-time" aria-hidden="true"></span></p>
    """

  /// The first stop of the Tab key, past the menu.
  public static let skipLink: HTML = "<a class=\"skip\" href=\"#main\">Skip to content</a>"
}
