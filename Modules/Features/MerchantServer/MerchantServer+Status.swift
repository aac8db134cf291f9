import CheckoutService
import HTTPExchange
import KitEnvironment
import MerchantAPI
import PaymentModels
import PaymentStore

/// What devices ask most: how a payment stands. Ten thousand of them may wait at once, so what is
/// kept of a question meanwhile is little.
extension MerchantServer {
  /// What is left of a question once it is known that it may be asked.
  private struct Asked: Sendable {
    let payment: PaymentID
    let order: OrderID
    /// Whether its provider may know more of it than the store.
    let mayChange: Bool
    /// Whether the provider has answered its create.
    let isCreated: Bool
    let showsKey: Bool
    /// The version that the asker has.
    let known: String?
  }

  /// Shows a payment as its provider has it now; with `?wait=`, once it differs from the version
  /// in `If-None-Match`.
  func showPayment(_ request: HTTPRequest, _ id: String) async throws -> HTTPResponse {
    let caller = try await caller(of: request)
    let (asked, settled) = try await look(id, caller, request.headers["If-None-Match"])
    let wish = Duration.seconds(min(try number("wait", of: request) ?? 0, 3_600))
    if wish == .zero, let settled { return settled }
    // Registered before the row is looked at again, so that no commit falls between.
    let waiter = wish > .zero ? await waiters.register(asked.order) : nil
    do {
      return try await answer(asked, waiter, within: min(wish, settings.waitMax))
    } catch {
      if let waiter { await waiters.remove(waiter) }
      throw error
    }
  }

  /// Looks the payment up; and how it is shown, if no read could tell more of it.
  private func look(
    _ id: String, _ caller: Caller, _ known: String?
  ) async throws -> (Asked, settled: HTTPResponse?) {
    let names = checkouts.providerNames
    let now = environment.clock.now()
    return try await store.read { transaction in
      let payment = try transaction.ownPayment(id, caller, among: names)
      let asked = Asked(
        payment: payment.id, order: payment.orderID, mayChange: payment.mayChange,
        isCreated: payment.createState != .intent, showsKey: caller.isUser, known: known)
      if payment.mayChange { return (asked, nil) }
      let view = try Views(transaction: transaction, now: now).payment(
        payment, isFresh: asked.isCreated, showsKey: asked.showsKey)
      return (asked, Self.answer(view, unlike: known))
    }
  }

  /// The payment as it is now, or once it differs from the version that the asker has.
  private func answer(
    _ asked: Asked, _ waiter: WaiterTable.Waiter?, within wait: Duration
  ) async throws -> HTTPResponse {
    let deadline = environment.clock.uptime() + wait
    let key = SharedAnswers.Key(
      payment: asked.payment, showsKey: asked.showsKey,
      isFresh: asked.mayChange ? await read(asked.payment) : asked.isCreated)
    let first = try await seen(key, unlike: asked.known)
    guard let waiter else { return first.response }
    guard first.isSame else {
      await waiters.remove(waiter)
      return first.response
    }
    await waiters.limit(waiter, to: deadline - environment.clock.uptime(), environment.clock)
    return try await news(key, asked.known, waiter, behind: first.version)
  }

  private func news(
    _ key: SharedAnswers.Key, _ known: String?, _ waiter: WaiterTable.Waiter,
    behind version: Int64
  ) async throws -> HTTPResponse {
    while await waiter.changes.first(where: { _ in true }) != nil {
      switch await waiters.news(key, behind: version, for: waiter) {
      case .answer(let response): return response
      case .none: continue
      case .unknown: break
      }
      let position = await waiters.position
      let seen = try await seen(key, unlike: known)
      await waiters.tell(seen, key, by: waiter, readAt: position)
      if seen.isSame { continue }
      await waiters.remove(waiter)
      return seen.response
    }
    // Looked at once more at the end: no waiter hears what another process commits.
    let last = try await seen(key, unlike: known)
    await waiters.remove(waiter)
    return last.response
  }

  /// The answer as of now.
  private func seen(
    _ key: SharedAnswers.Key, unlike known: String?
  ) async throws -> SharedAnswers.Seen {
    let view = try await view(of: key.payment, isFresh: key.isFresh, showsKey: key.showsKey)
    return SharedAnswers.Seen(
      response: Self.answer(view, unlike: known), version: view.version,
      isSame: Self.eTag(view) == known && !Self.isFinal(view))
  }

  private static func answer(_ view: PaymentView, unlike known: String?) -> HTTPResponse {
    let tag = eTag(view)
    if tag == known { return HTTPResponse(status: 304, headers: ["ETag": tag]) }
    return HTTPResponse(
      status: 200,
      headers: ["Content-Type": "application/json", "Cache-Control": "no-store", "ETag": tag],
      body: view.text)
  }

  /// Whether there is nothing to wait for. A merchant still waits at `authorized`: a capture is
  /// owed; and who waits with that version in hand wants the next one.
  private static func isFinal(_ view: PaymentView) -> Bool {
    if case .known(let status) = view.state {
      status.isFinalForPayer && status != .authorized
    } else {
      false
    }
  }

  private static func eTag(_ view: PaymentView) -> String { "\"\(view.version)\"" }
}
