import HTTPExchange
import StrictJSON

/// Answers of every fake provider.
extension HTTPResponse {
  static func json(_ value: JSONValue, status: Int = 200) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["Content-Type": "application/json"], body: value.serialized())
  }

  static func plain(_ status: Int, _ text: String) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["Content-Type": "text/plain; charset=utf-8"],
      body: Array(text.utf8))
  }

  /// A short page of the kind that a proxy in front of the API answers with.
  static func proxyPage(_ status: Int, _ title: String) -> HTTPResponse {
    let page = "<html><head><title>\(title)</title></head><body><h1>\(title)</h1></body></html>\n"
    return HTTPResponse(
      status: status, headers: ["Content-Type": "text/html; charset=utf-8"],
      body: Array(page.utf8))
  }

  /// One of the sandbox's own bounds is reached.
  static let full = plain(503, "the sandbox is full: restart it")

  static let methodNotAllowed = plain(405, "method not allowed")

  static func seeOther(_ location: String) -> HTTPResponse {
    HTTPResponse(status: 303, headers: ["Location": location, "Cache-Control": "no-store"])
  }
}

extension JSONValue {
  /// The same object with another value for one of its members; nil leaves it as it is.
  func replacing(_ name: String, with value: JSONValue?) -> JSONValue {
    guard let value, let members else { return self }
    return .object(
      members.map { $0.name == name ? JSONMember(name: name, value: value) : $0 })
  }
}
