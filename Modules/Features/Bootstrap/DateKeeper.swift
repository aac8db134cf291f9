import HTTPExchange
import KitEnvironment
import PaymentModels
import SystemRuntime

/// A way out that notes by how much each host's clock differs from ours, as its Date field says.
final class DateKeeper: HTTPTransport {
  private let inner: any HTTPTransport
  private let clock: KitClock
  private let found = Locked<[(host: String, skew: Duration)]>([])

  init(_ inner: any HTTPTransport, clock: KitClock) {
    self.inner = inner
    self.clock = clock
  }

  /// How far ahead each host's clock is, in the order of the first answers.
  var skews: [(host: String, skew: Duration)] { found.withLock { $0 } }

  func send(_ request: HTTPOutgoing) async throws(HTTPTransportError) -> HTTPResponse {
    let response = try await inner.send(request)
    let host = request.url.split(separator: "/").dropFirst().first.map(String.init) ?? request.url
    if let date = response.headers["Date"].flatMap({ Instant(httpDate: $0) }) {
      let skew = date.since(clock.now())
      found.withLock { found in
        if !found.contains(where: { $0.host == host }) { found.append((host, skew)) }
      }
    }
    return response
  }
}

extension Instant {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Reads a Date field as servers send it today: `Mon, 30 Nov 2026 14:49:19 GMT`.
  init?(httpDate text: String) {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", parts[1].utf8.count == 2,
      let month = Self.months.firstIndex(where: { $0 == parts[2] })
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    self.init(iso8601: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
  }
}
