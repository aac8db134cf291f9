import HTTPExchange

/// The page that brings a browser back to the app.
///
/// A page and no redirect: a browser follows a redirect to an app's own scheme only sometimes.
/// Without a tap Android's may refuse it, and the payer looks at an empty tab; where the app is
/// missing, iOS shows an error. The page makes the same attempt at once and leaves a button, which
/// is the tap that every browser asks for. It needs no script, says no outcome, and is read aloud
/// as what it is.
struct ReturnPage {
  /// Where the app is opened, byte for byte.
  let link: String

  var response: HTTPResponse {
    HTTPResponse(
      status: 200,
      headers: [
        "Content-Type": "text/html; charset=utf-8",
        // The query may name a payment: no cache keeps it, no other site is told of it.
        "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
        "Content-Security-Policy":
          "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
          + "frame-ancestors 'none'",
      ], body: Array(document.utf8))
  }

  private var document: String {
    let link = HTMLText.escaped(link)
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="refresh" content="0; url=\(link)">
      <title>Back to the app</title>
      <style>
      :root { color-scheme: light dark }
      body { font: 1.125rem/1.5 system-ui, sans-serif; margin: 0; padding: 2rem 1.25rem }
      main { max-width: 26rem; margin: 0 auto }
      a { display: block; padding: .875rem 1rem; border-radius: .5rem; text-align: center;
        font-weight: 600; text-decoration: none; background: #0a4fb4; color: #fff }
      a:focus-visible { outline: 3px solid CanvasText; outline-offset: 3px }
      </style>
      </head>
      <body>
      <main>
      <h1>Back to the app</h1>
      <p>The app shows how your payment stands.</p>
      <p><a href="\(link)">Open the app</a></p>
      <p>If nothing opens, start the app yourself. Nothing is lost.</p>
      </main>
      </body>
      </html>

      """
  }
}
