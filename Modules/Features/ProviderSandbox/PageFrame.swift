import HTTPExchange

/// The frame around every page: head, style, the purchase, footer.
struct PageFrame {
  let texts: PageTexts
  /// Goes to this address by itself after so many seconds.
  var refresh: (seconds: Int, url: String)?
  /// The bank's app looks like another app.
  var isBank = false

  /// The document; `title` is text, `body` is HTML.
  func response(status: Int = 200, title: String, body: String) -> HTTPResponse {
    let refreshTag =
      refresh.map {
        #"<meta http-equiv="refresh" content="\#($0.seconds); url=\#(escaped($0.url))">"#
      }
      ?? ""
    let mark = isBank ? escaped(texts.bankName) : "tabby"
    let document = """
      <!doctype html>
      <html lang="\(texts.code)" dir="\(texts.direction)">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <link rel="icon" href="data:,">
      <title>\(escaped(title))</title>
      \(refreshTag)<style>\(PageStyle.sheet)</style>
      </head>
      <body\(isBank ? #" class="bank""# : "")>
      <main>
      <header><span class="mark">\(mark)</span><span class="pill">sandbox</span></header>
      \(body)
      <footer>\(escaped(texts.footer))</footer>
      </main>
      </body>
      </html>

      """
    return HTTPResponse(
      status: status,
      headers: [
        "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy":
          "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; "
          + "base-uri 'none'",
      ],
      body: Array(document.utf8))
  }
}

/// Text made safe for HTML content and for quoted attributes.
func escaped(_ text: String) -> String {
  text.unicodeScalars.reduce(into: "") { result, scalar in
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "'": result += "&#39;"
    default: result.unicodeScalars.append(scalar)
    }
  }
}
