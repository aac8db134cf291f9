import CheckoutService
import HTTPExchange
import KitEnvironment
import MerchantAPI
import PaymentModels
import PaymentStore
import StatusSync
import StrictJSON

extension MerchantServer {
  func createCheckout(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard case .user(let subject) = try await caller(of: request) else {
      throw Problem(.forbidden, "A checkout takes a payer's app token.")
    }
    let key = try idempotencyKey(of: request)
    let body = try CheckoutBody(json: try body(of: request))
    let purchase: Purchase =
      switch body.purchase {
      case .items(let items): .items(items.map { PurchaseItem($0) })
      case .order(let id): .order(id)
      case .edited(let id, let items): .edited(id, items.map { PurchaseItem($0) })
      }
    let checkout = try await checkouts.checkout(
      CheckoutRequest(
        subject: subject, provider: body.provider, purchase: purchase, idempotencyKey: key))
    var view = try await view(
      of: checkout.paymentID, isFresh: checkout.isFresh, showsKey: checkout.isFresh)
    // Nobody knows now whether it can still be paid.
    if !checkout.isFresh { view.checkoutURL = nil }
    return json(view.json, status: checkout.isFresh ? 201 : 202)
  }

  /// Shows a payment as its provider has it now; with `?wait=`, once it differs from the version
  /// in `If-None-Match`.
  func showPayment(_ request: HTTPRequest, _ id: String) async throws -> HTTPResponse {
    let caller = try await caller(of: request)
    let (payment, settled) = try await ownPayment(id, caller)
    let wish = Duration.seconds(min(try number("wait", of: request) ?? 0, 3_600))
    let known = request.headers["If-None-Match"]
    if wish == .zero, let settled { return answer(settled, unlike: known) }
    // Registered before the row is looked at, so that no commit falls between.
    let waiter = wish > .zero ? await waiters.register(payment.orderID) : nil
    let view: PaymentView
    do {
      view = try await self.view(
        of: payment, unlike: known, waiter, within: min(wish, settings.waitMax),
        showsKey: caller.isUser)
    } catch {
      if let waiter { await waiters.remove(waiter) }
      throw error
    }
    if let waiter { await waiters.remove(waiter) }
    return answer(view, unlike: known)
  }

  private func answer(_ view: PaymentView, unlike known: String?) -> HTTPResponse {
    let tag = eTag(view)
    if tag == known { return HTTPResponse(status: 304, headers: ["ETag": tag]) }
    return HTTPResponse(
      status: 200,
      headers: ["Content-Type": "application/json", "Cache-Control": "no-store", "ETag": tag],
      body: view.text)
  }

  /// The payment as it is now, or once it differs from the version `known`.
  private func view(
    of payment: ShownPayment, unlike known: String?, _ waiter: WaiterTable.Waiter?,
    within wait: Duration, showsKey: Bool
  ) async throws -> PaymentView {
    let deadline = environment.clock.uptime() + wait
    let isFresh = await refresh(payment)
    var view = try await view(of: payment.id, isFresh: isFresh, showsKey: showsKey)
    guard let waiter else { return view }
    await waiters.limit(waiter, to: deadline - environment.clock.uptime(), environment.clock)
    while eTag(view) == known, !isFinal(view) {
      let isTold = await waiter.changes.first { _ in true } != nil
      // Looked at once more at the end too: no waiter hears what another process commits.
      view = try await self.view(of: payment.id, isFresh: isFresh, showsKey: showsKey)
      guard isTold else { break }
    }
    return view
  }

  func takeSignal(_ request: HTTPRequest, _ id: String) async throws -> HTTPResponse {
    let (payment, _) = try await ownPayment(id, try await caller(of: request))
    let signal = try SignalBody(json: try body(of: request)).signal
    let now = environment.clock.now()
    let entriesMax = settings.signalEntriesMax
    try await store.write { transaction in
      // A hint is told, but a device that says it for ever does not fill the disk.
      guard try transaction.journal(of: payment.orderID, limit: entriesMax).count < entriesMax
      else { return }
      try transaction.appendJournal(
        JournalEntry(
          at: now, orderID: payment.orderID, paymentID: payment.id, channel: .device, trust: .hint,
          event: signal.rawValue))
    }
    // Also of one that ended unpaid: money may come late, and who comes back may have paid.
    if signal != .opened, !payment.status.holdsMoney { await sync.startRefresh(payment.id) }
    return HTTPResponse(status: 202)
  }

  func listPayments(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await requireOperator(request)
    let (before, limit) = try page(of: request)
    let now = environment.clock.now()
    let views = try await store.read { transaction in
      let rows = try transaction.payments(before: before.map { PaymentID($0) }, limit: limit)
      return try rows.map {
        try Views(transaction: transaction, now: now).payment($0, isFresh: false)
      }
    }
    return json(
      .object([
        "payments": .array(views.map(\.json)),
        "next_before": .optional(views.count == limit ? views.last?.paymentID.rawValue : nil),
      ]))
  }

  /// Reads the payment at its provider unless it has come to its end; false if the answer is
  /// only what was known before.
  func refresh(_ payment: ShownPayment) async -> Bool {
    guard payment.mayChange else { return payment.createState != .intent }
    return await read(payment.id)
  }

  /// Reads the payment at its provider, and waits for a while; false if that brought nothing.
  func read(_ id: PaymentID) async -> Bool {
    let clock = environment.clock
    let limit = settings.freshWaitMax
    return await withTaskGroup(of: Bool.self) { group in
      group.addTask { await sync.refresh(id, because: .read) == .fresh }
      group.addTask {
        try? await clock.sleep(for: limit)
        return false
      }
      let isFresh = await group.next() ?? false
      group.cancelAll()
      return isFresh
    }
  }

  /// A payment that the caller may see; and how it is shown, if no read could tell more of it.
  private func ownPayment(
    _ id: String, _ caller: Caller
  ) async throws -> (payment: ShownPayment, settled: PaymentView?) {
    let names = checkouts.providerNames
    let now = environment.clock.now()
    return try await store.read { transaction in
      var payment = try transaction.shownPayment(PaymentID(id))
      for name in names where payment == nil {
        payment = try transaction.payment(name, ProviderPaymentID(id)).flatMap {
          try transaction.shownPayment($0.id)
        }
      }
      guard let payment, caller.maySeeOrder(of: payment.subject) else {
        throw Problem(.notFound, "There is no such payment.")
      }
      if payment.mayChange { return (payment, nil) }
      let view = try Views(transaction: transaction, now: now).payment(
        payment, isFresh: payment.createState != .intent, showsKey: caller.isUser)
      return (payment, view)
    }
  }

  func view(
    of id: PaymentID, isFresh: Bool, showsKey: Bool
  ) async throws -> PaymentView {
    let now = environment.clock.now()
    return try await store.read { transaction in
      guard let payment = try transaction.shownPayment(id) else {
        throw Problem(.notFound, "There is no such payment.")
      }
      return try Views(transaction: transaction, now: now)
        .payment(payment, isFresh: isFresh, showsKey: showsKey)
    }
  }

  /// Whether there is nothing to wait for. A merchant still waits at `authorized`: a capture is
  /// owed; and who waits with that version in hand wants the next one.
  private func isFinal(_ view: PaymentView) -> Bool {
    if case .known(let status) = view.state {
      status.isFinalForPayer && status != .authorized
    } else {
      false
    }
  }

  private func eTag(_ view: PaymentView) -> String { "\"\(view.version)\"" }
}

extension Caller {
  func maySeeOrder(of subject: Subject) -> Bool {
    switch self {
    case .user(let caller): caller == subject
    case .operator: true
    case .monitor: false
    }
  }
}

extension PurchaseItem {
  fileprivate init(_ item: CheckoutBody.Item) {
    self.init(productID: item.productID, quantity: item.quantity)
  }
}
