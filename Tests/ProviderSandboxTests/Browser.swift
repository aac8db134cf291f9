import HTTPExchange

/// A browser just good enough for the hosted page: forms, named links, redirects inside it.
struct Browser {
  let sandbox: any HTTPHandler
  /// The page that is shown.
  var page = ""
  var status = 0
  /// Where a redirect out of the sandbox led.
  var left: String?

  init(_ sandbox: any HTTPHandler) { self.sandbox = sandbox }

  mutating func open(_ url: String) async {
    await go(HTTPRequest(method: "GET", target: target(url)))
  }

  /// Sends the form number `index` of the page, its own values replaced by the given ones.
  mutating func submit(_ values: [String: String] = [:], form index: Int = 0) async {
    let forms = page.components(between: "<form", "</form>")
    guard index < forms.count else { return }
    let form = forms[index]
    var fields: [(String, String)] = []
    for input in form.components(between: "<input", ">") {
      guard let name = attribute("name", of: input) else { continue }
      let isOff = input.contains(#"type="radio""#) && !input.contains("checked")
      if !isOff { fields.append((name, values[name] ?? attribute("value", of: input) ?? "")) }
    }
    let body = fields.map { "\(QueryText.encode($0.0))=\(QueryText.encode($0.1))" }
    await go(
      HTTPRequest(
        method: "POST", target: attribute("action", of: form) ?? "",
        body: Array(body.joined(separator: "&").utf8)))
  }

  /// Follows the link with that id.
  mutating func follow(_ id: String) async {
    let link = page.components(between: "<a", ">").first { attribute("id", of: $0) == id }
    await open(link.flatMap { attribute("href", of: $0) } ?? "/no-such-link")
  }

  /// Phone and code; the plan is shown then.
  mutating func logIn(_ url: String) async {
    await open(url)
    await submit()
    await submit(["otp": "8888"])
  }

  /// The whole way with a card, back to the shop.
  mutating func pay(_ url: String) async {
    await logIn(url)
    await submit()
    await follow("continue")
  }

  private mutating func go(_ request: HTTPRequest) async {
    let response = await sandbox.respond(to: request)
    status = response.status
    guard response.status == 303, let location = response.location else {
      page = response.text
      return
    }
    if location.hasPrefix("/") {
      await open(location)
    } else {
      left = location
    }
  }

  private func target(_ url: String) -> String {
    url.hasPrefix("http://sandbox.test") ? String(url.dropFirst(19)) : url
  }

  private func attribute(_ name: String, of tag: String) -> String? {
    tag.components(between: " \(name)=\"", "\"").first
  }
}

extension String {
  /// The texts between each `start` and the next `end`.
  func components(between start: String, _ end: String) -> [String] {
    var found: [String] = []
    var rest = self[...]
    while let from = rest.firstRange(of: start) {
      rest = rest[from.upperBound...]
      guard let to = rest.firstRange(of: end) else { break }
      found.append(String(rest[..<to.lowerBound]))
      rest = rest[to.upperBound...]
    }
    return found
  }
}

extension Substring {
  fileprivate func firstRange(of text: String) -> Range<Index>? {
    var index = startIndex
    while index < endIndex {
      if self[index...].hasPrefix(text) {
        return index..<self.index(index, offsetBy: text.count)
      }
      index = self.index(after: index)
    }
    return nil
  }
}
