import HTTPExchange
import KitEnvironment
import MerchantServer
import PaymentModels

extension Dashboard {
  /// Longest wait for a change: below the minute after which proxies cut a silent answer.
  static let eventWait: Duration = .seconds(25)
  /// How long a browser rests before it asks again.
  private static let retryMilliseconds = 500
  /// The same where it could not wait, since too many do or the server is about to end: asking
  /// again at once would cost more than waiting.
  private static let crowdedRetryMilliseconds = 10_000

  /// Server-sent events, one an answer: it comes with the first change and ends, and the browser
  /// asks again by itself with the place that it has reached. So a page that is looked at costs one
  /// waiting request, as an app's does, and a slow reader holds nothing.
  func showEvents(_ visit: Visit) async -> HTTPResponse {
    let text = visit.request.headers["Last-Event-ID"] ?? visit.query("after") ?? ""
    let known = Int64(text) ?? 0
    let order = visit.query("order").flatMap { isCanonicalUUID($0) ? OrderID($0) : nil }
    let askedAt = environment.clock.uptime()
    let isChanged = await waiters.isChanged(
      after: known, of: order, within: Self.eventWait, environment.clock)
    let hasWaited = environment.clock.uptime() - askedAt >= Self.eventWait
    let retry =
      isChanged || hasWaited ? Self.retryMilliseconds : Self.crowdedRetryMilliseconds
    let position = await waiters.position
    let body = """
      retry: \(retry)
      id: \(position)
      event: \(isChanged ? "change" : "rest")
      data: \(position)


      """
    return HTTPResponse(
      status: 200, headers: ["Content-Type": "text/event-stream"], body: Array(body.utf8))
  }
}
