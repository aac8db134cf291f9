import HTTPExchange
import MerchantAPI
import StrictJSON

extension MerchantServer {
  /// The API as it is here, for tools that read OpenAPI.
  func showOpenAPI() -> HTTPResponse {
    HTTPResponse(
      status: 200,
      // An hour: it changes with the program alone.
      headers: ["Content-Type": "application/json", "Cache-Control": "public, max-age=3600"],
      body: Self.openAPI)
  }

  private static let openAPI = OpenAPIDocument.json.serialized()

  /// What an error means, for whoever follows the `type` of its document.
  func showProblemPage(_ word: String) throws(Problem) -> HTTPResponse {
    guard let page = ProblemPage(word: word) else {
      throw Problem(.notFound, "There is no such problem.")
    }
    return HTTPResponse(
      status: 200,
      headers: [
        "Content-Type": "text/html; charset=utf-8", "Cache-Control": "public, max-age=3600",
        "Content-Security-Policy":
          "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
          + "frame-ancestors 'none'",
      ], body: Array(page.document.utf8))
  }
}

extension ProblemPage {
  /// A page without scripts, in light and dark, for any width.
  fileprivate var document: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(HTMLText.escaped(title))</title>
    <style>
    :root { color-scheme: light dark }
    body { font: 1.0625rem/1.55 system-ui, sans-serif; margin: 0; padding: 2rem 1.25rem }
    main { max-width: 38rem; margin: 0 auto }
    </style>
    </head>
    <body>
    <main>
    <h1>\(HTMLText.escaped(title))</h1>
    <p>Status \(status), type <code>\(HTMLText.escaped(path))</code></p>
    <h2>What it means</h2>
    <p>\(HTMLText.escaped(meaning))</p>
    <h2>What to do</h2>
    <p>\(HTMLText.escaped(remedy))</p>
    </main>
    </body>
    </html>

    """
  }
}
