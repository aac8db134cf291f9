import HTTPExchange
import KitEnvironment
import MerchantServer
import PaymentModels
import PaymentStore
import WebPages

/// A request of somebody who is signed in.
struct Visit: Sendable {
  let request: HTTPRequest
  let session: Sessions.Session
  let sessionID: Secret
  /// When the page is made.
  let now: Instant
  /// Open cases, for the menu; not more than are counted.
  let openReviews: Int
  /// What the page knows of, as a place in the feed of changes.
  let position: Int64

  /// Cases that are counted for the menu.
  static let reviewsCountMax = 100

  /// A parameter of the query; nil if it is not there or empty.
  func query(_ name: String) -> String? {
    let value = request.query.first { $0.name == name }?.value ?? ""
    return value.isEmpty ? nil : value
  }

  /// A field of the form that was sent; empty if it is not there.
  func field(_ name: String) -> String { request.form(name) ?? "" }
}

extension HTTPRequest {
  /// Whether the script of a page sent it, without anybody's doing.
  var isByItself: Bool {
    headers["Dashboard-Live"] != nil || path == DashboardRoute.events.path
  }

  /// The session that the browser says it has.
  var sessionID: Secret? { cookie(sessionCookie).map { Secret($0) } }

  /// The name of the session's cookie. With its prefix a browser takes it from this very host over
  /// TLS alone, so another host of the same domain cannot plant a session of its own.
  var sessionCookie: String { isOfThisMachine ? "till_session" : "__Host-till_session" }

  /// Whether browser and server are on one machine, where there may be no TLS. A proxy on this
  /// machine may ask by a local name too, and says then which one the browser used.
  var isOfThisMachine: Bool {
    let hosts = headers.values("Host") + headers.values("X-Forwarded-Host")
    return !hosts.isEmpty
      && hosts.allSatisfy { host in
        let end = host.hasPrefix("[") ? host.firstIndex(of: "]").map { host.index(after: $0) } : nil
        let name = end.map { String(host[..<$0]) } ?? String(host.prefix { $0 != ":" })
        return ["127.0.0.1", "[::1]", "localhost"].contains(name)
      }
  }

  /// A cookie by its name; nil if there is none, or several that disagree.
  func cookie(_ name: String) -> String? {
    let pairs = headers.values("Cookie").flatMap { $0.split(separator: ";") }
    let values = Set(
      pairs.compactMap { pair -> String? in
        let text = String(pair.drop { $0 == " " })
        return text.hasPrefix("\(name)=") ? String(text.dropFirst(name.count + 1)) : nil
      })
    return values.count == 1 ? values.first : nil
  }
}

extension Dashboard {
  /// The visit that a request belongs to; nil if nobody is signed in.
  func visit(of request: HTTPRequest) async throws -> Visit? {
    guard let id = request.sessionID,
      let session = await sessions.session(id, isUse: !request.isByItself)
    else { return nil }
    // The key may have been taken back since.
    guard await authenticator.caller(of: session.key) == .operator(session.name) else {
      await sessions.close(id)
      return nil
    }
    let position = await waiters.position
    let count = try await store.read {
      try $0.openReviews(after: 0, limit: Visit.reviewsCountMax).count
    }
    return Visit(
      request: request, session: session, sessionID: id, now: environment.clock.now(),
      openReviews: count, position: position)
  }

  /// Refuses a form that another site's page sent.
  func requireOwnForm(_ request: HTTPRequest) throws(PageRefusal) {
    guard request.body.count <= Self.formBytesMax else {
      throw PageRefusal(413, "Too long", "The form is over \(Self.formBytesMax) bytes.")
    }
    guard request.isFromOwnPage else {
      throw PageRefusal(
        403, "Sent from elsewhere", "The form did not come from a page of this dashboard.")
    }
  }

  /// Refuses a form that was not made for this session.
  func requireFormToken(_ request: HTTPRequest, _ visit: Visit) throws(PageRefusal) {
    let token = Array((request.form("form_token") ?? "").utf8)
    guard environment.hashing.areEqual(token, Array(visit.session.formToken.reveal().utf8)) else {
      throw PageRefusal(
        403, "An old page", "The form belongs to another session. Load the page again.")
    }
  }
}
