public import HTTPExchange

/// A browser just good enough for the hosted pages of sandboxes: forms, named links, redirects
/// inside one origin.
public struct Browser: Sendable {
  private let transport: any HTTPTransport
  private let origin: String
  /// The page that is shown.
  public private(set) var page = ""
  /// The status that it came with; 0 if nothing came.
  public private(set) var status = 0
  /// Where a redirect out of the sandbox led.
  public private(set) var left: String?

  /// Shows pages of `http://sandbox.test`, by a sandbox that is asked in process.
  public init(_ sandbox: any HTTPHandler) {
    self.init(HandlerTransport(sandbox), origin: "http://sandbox.test")
  }

  /// Shows pages of one origin.
  public init(_ transport: any HTTPTransport, origin: String) {
    self.transport = transport
    self.origin = origin
  }

  /// Goes to an address, or to a path of the origin.
  public mutating func open(_ url: String) async { await go("GET", url) }

  /// Sends the form number `index` of the page, its own values replaced by the given ones.
  public mutating func submit(_ values: [String: String] = [:], form index: Int = 0) async {
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
    await go("POST", attribute("action", of: form) ?? "", body.joined(separator: "&"))
  }

  /// Follows the link with that id.
  public mutating func follow(_ id: String) async {
    let link = page.components(between: "<a", ">").first { attribute("id", of: $0) == id }
    await open(link.flatMap { attribute("href", of: $0) } ?? "/no-such-link")
  }

  /// Phone and code; the plan is shown then.
  public mutating func logIn(_ url: String) async {
    await open(url)
    await submit()
    await submit(["otp": "8888"])
  }

  /// The whole way with a card, back to the shop.
  public mutating func pay(_ url: String) async {
    await logIn(url)
    await submit()
    await follow("continue")
  }

  private mutating func go(_ method: String, _ address: String, _ form: String = "") async {
    let url = address.hasPrefix("/") ? origin + address : address
    let request = HTTPOutgoing(method: method, url: url, body: Array(form.utf8))
    guard let response = try? await transport.send(request) else {
      (status, page) = (0, "")
      return
    }
    status = response.status
    guard response.status == 303, let location = response.headers["Location"] else {
      page = String(decoding: response.body, as: UTF8.self)
      return
    }
    if location.hasPrefix("/") {
      await open(location)
    } else {
      left = location
    }
  }

  private func attribute(_ name: String, of tag: String) -> String? {
    tag.components(between: " \(name)=\"", "\"").first
  }
}

extension String {
  /// The texts between each `start` and the next `end`.
  public func components(between start: String, _ end: String) -> [String] {
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
