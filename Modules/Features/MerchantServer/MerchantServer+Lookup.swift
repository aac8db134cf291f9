import HTTPExchange
import KitEnvironment
import MerchantAPI
import PaymentModels
import PaymentStore
import StrictJSON

extension MerchantServer {
  /// Answers a provider's own app SDK, which has no token of ours: whoever knows the provider's id
  /// learns our order number and a state, and nothing of the buyer, the amount or the page.
  func showLookup(_ request: HTTPRequest, _ id: ProviderPaymentID) async throws -> HTTPResponse {
    guard let lookup = settings.lookup else {
      throw Problem(.notFound, "There is no such path.")
    }
    if let wait = await lookups.refusal(max: lookup.requestsPerMinuteMax) {
      throw Problem(
        .tooManyRequests, "Too many lookups; ask again later.", retryAfterSeconds: Int(wait))
    }
    let row = try await store.read { try $0.payment(lookup.provider, id) }
    guard let row else { throw Problem(.notFound, "There is no such payment.") }
    if row.mayChange { _ = await read(row.id) }
    let status = try await store.read { try $0.payment(row.id)?.status } ?? row.status
    return json(
      .object([
        "paymentId": .string(id.rawValue), "orderNumber": .string(row.id.rawValue),
        "paymentStatus": .string(lookup.statusWord(row.account, status)),
      ]))
  }
}

/// Counts lookups by the minute.
actor LookupWindow {
  private let clock: KitClock
  private var startedAt: Duration?
  private var count = 0

  init(clock: KitClock) { self.clock = clock }

  /// Counts a request; seconds to wait if there were too many.
  func refusal(max: Int) -> Int64? {
    let now = clock.uptime()
    let age = startedAt.map { now - $0 } ?? Self.length
    if age >= Self.length {
      startedAt = now
      count = 0
    }
    guard count >= max else {
      count += 1
      return nil
    }
    return Swift.max(1, (Self.length - age).components.seconds)
  }

  private static let length = Duration.seconds(60)
}
