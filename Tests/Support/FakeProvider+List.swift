public import PaymentModels
public import ProviderInterface
import SystemRuntime

/// Its list of payments; a test that wants one says so in the capabilities.
extension FakeProvider: PaymentListing {
  /// Payments that hold money, newest first, three a page so that there are pages.
  public func payments(
    since: Instant, cursor: String?
  ) async throws(ProviderError) -> PaymentPage {
    let fault = state.withLock { state -> Fault? in
      state.calls.append((.list, cursor ?? ""))
      return state.lastingFaults[.list]
    }
    if case .fail(let error) = fault { throw error }
    let all = payments.filter(\.status.holdsMoney).reversed().map(\.self)
    let start = cursor.flatMap { Int($0) } ?? 0
    let page = Array(all.dropFirst(start).prefix(3))
    return PaymentPage(
      readings: page, unreadableCount: 0,
      next: start + page.count < all.count ? String(start + page.count) : nil)
  }
}
