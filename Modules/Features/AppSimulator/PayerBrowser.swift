import HTTPExchange

/// The payer's browser: goes through hosted pages as a person does, by their forms and links. It
/// is a process of its own on a phone, so it lives on when the app is killed.
struct PayerBrowser: Sendable {
  /// Redirects followed in a row at the most, as browsers do.
  private static let redirectsMax = 20

  /// What a step led to.
  enum Place: Sendable {
    /// A page.
    case page(Page)
    /// A URL that the system hands to an app.
    case app(String)
  }

  struct Page: Sendable {
    let url: String
    let html: String

    /// The target of the link with this id.
    func link(_ id: String) throws -> String {
      guard let tag = html.tags("a").first(where: { $0.attribute("id") == id }),
        let target = tag.attribute("href")
      else { throw StoryFailure("\(url) has no link “\(id)”") }
      return resolve(target)
    }

    /// What the page tells a program that shows it, by an attribute of its `main`.
    func fact(_ name: String) -> String? { html.mainAttribute("data-\(name)") }

    /// The target of the first form that has a field of this name.
    func form(with field: String) throws -> String {
      for part in html.components(separatedBy: "<form ").dropFirst() {
        let form = part.components(separatedBy: "</form>")[0]
        guard form.contains("name=\"\(field)\""), let target = ("<form " + form).attribute("action")
        else { continue }
        return resolve(target)
      }
      throw StoryFailure("\(url) has no form with a field “\(field)”")
    }

    private func resolve(_ target: String) -> String {
      guard target.hasPrefix("/") else { return target }
      let origin = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
      return origin.prefix(3).joined(separator: "/") + target
    }
  }

  let transport: any HTTPTransport

  func open(_ url: String) async throws -> Place { try await go("GET", url, form: nil) }

  /// Fills one field of a page's form and submits it.
  func submit(_ page: Page, _ field: String, _ value: String) async throws -> Place {
    let body = "\(QueryText.encode(field))=\(QueryText.encode(value))"
    return try await go("POST", try page.form(with: field), form: body)
  }

  private func go(_ method: String, _ url: String, form: String?) async throws -> Place {
    var (method, url, form) = (method, url, form)
    for _ in 0..<Self.redirectsMax {
      guard url.hasPrefix("http://") || url.hasPrefix("https://") else { return .app(url) }
      let headers: HTTPHeaders =
        form == nil ? [:] : ["Content-Type": "application/x-www-form-urlencoded"]
      let response = try await transport.send(
        HTTPOutgoing(method: method, url: url, headers: headers, body: Array((form ?? "").utf8)))
      guard (300...399).contains(response.status), let target = response.headers["Location"] else {
        guard response.status < 400 else {
          throw StoryFailure("the page at \(url) answered \(response.status)")
        }
        return .page(Page(url: url, html: String(decoding: response.body, as: UTF8.self)))
      }
      let page = Page(url: url, html: "")
      (method, url, form) = ("GET", target.hasPrefix("/") ? page.origin + target : target, nil)
    }
    throw StoryFailure("too many redirects")
  }
}

extension PayerBrowser.Page {
  var origin: String {
    url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
      .joined(separator: "/")
  }
}

extension PayerBrowser.Place {
  /// The page, where one is expected.
  func page() throws -> PayerBrowser.Page {
    guard case .page(let page) = self else { throw StoryFailure("a page was expected") }
    return page
  }

  /// The app's URL, where one is expected.
  func link() throws -> String {
    guard case .app(let url) = self else { throw StoryFailure("a return to the app was expected") }
    return url
  }
}

extension String {
  /// All opening tags of a name. Enough for pages whose markup is plain.
  fileprivate func tags(_ name: String) -> [String] {
    components(separatedBy: "<\(name) ").dropFirst().map { rest in
      "<\(name) " + rest.prefix { $0 != ">" }
    }
  }

  fileprivate func mainAttribute(_ name: String) -> String? {
    tags("main").first?.attribute(name)
  }

  /// The value of a tag's attribute, entities resolved.
  fileprivate func attribute(_ name: String) -> String? {
    let parts = components(separatedBy: " \(name)=\"")
    guard parts.count > 1 else { return nil }
    return parts[1].prefix { $0 != "\"" }.description.replacing("&amp;", with: "&")
  }

  fileprivate func components(separatedBy separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}
