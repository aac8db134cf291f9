import HTTPExchange

/// The frame around every page: head, style, marks, footer.
struct PageFrame {
  /// Language of the page, as in `lang`.
  var code = "en"
  /// `ltr` or `rtl`.
  var direction = "ltr"
  /// Whose page it is.
  let mark: String
  let footer: String
  /// Goes to this address by itself after so many seconds.
  var refresh: (seconds: Int, url: String)?
  /// The bank's app looks like another app.
  var isBank = false
  /// What the page tells a program that shows it, as attributes of `main`.
  var facts: [(name: String, value: String)] = []
  /// A script that may run, and the nonce that lets it.
  var script: (nonce: String, text: String)?
  /// Another origin that a form of the page may lead to by a redirect.
  var formTarget: String?
  /// Whether no website may show the page in a frame.
  var refusesFrames = false

  /// The document; `title` is text, `body` is HTML.
  func response(status: Int = 200, title: String, body: String) -> HTTPResponse {
    let refreshTag =
      refresh.map {
        #"<meta http-equiv="refresh" content="\#($0.seconds); url=\#(escaped($0.url))">"#
      }
      ?? ""
    let attributes = facts.map { " data-\($0.name)=\"\(escaped($0.value))\"" }.joined()
    let scriptTag = script.map { "<script nonce=\"\($0.nonce)\">\($0.text)</script>\n" } ?? ""
    let document = """
      <!doctype html>
      <html lang="\(code)" dir="\(direction)">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <link rel="icon" href="data:,">
      <title>\(escaped(title))</title>
      \(refreshTag)<style>\(PageStyle.sheet)</style>
      </head>
      <body\(isBank ? #" class="bank""# : "")>
      <main\(attributes)>
      <header><span class="mark">\(escaped(mark))</span><span class="pill">sandbox</span></header>
      \(body)
      <footer>\(escaped(footer))</footer>
      </main>
      \(scriptTag)</body>
      </html>

      """
    return HTTPResponse(status: status, headers: headers, body: Array(document.utf8))
  }

  private var headers: HTTPHeaders {
    var policy =
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
      + "form-action 'self'\(formTarget.map { " \($0)" } ?? "")"
    if let script { policy += "; script-src 'nonce-\(script.nonce)'" }
    if refusesFrames { policy += "; frame-ancestors 'none'" }
    var headers: HTTPHeaders = [
      "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": policy,
    ]
    if refusesFrames { headers.add("X-Frame-Options", "DENY") }
    return headers
  }
}

extension PageFrame {
  /// The page for an address that leads nowhere.
  func unknown(_ title: String, _ hint: String) -> HTTPResponse {
    response(
      status: 404, title: title,
      body: """
        <section class="card end"><div class="sign bad" aria-hidden="true">!</div>
        <h1>\(escaped(title))</h1><p>\(escaped(hint))</p></section>
        """)
  }
}

/// Text made safe for HTML content and for quoted attributes.
func escaped(_ text: String) -> String { HTMLText.escaped(text) }
