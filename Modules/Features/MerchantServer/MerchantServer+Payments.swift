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

  func takeSignal(_ request: HTTPRequest, _ id: String) async throws -> HTTPResponse {
    let payment = try await ownPayment(id, try await caller(of: request))
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
    payment.mayChange ? await read(payment.id) : payment.createState != .intent
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

  /// A payment that the caller may see.
  func ownPayment(_ id: String, _ caller: Caller) async throws -> ShownPayment {
    let names = checkouts.providerNames
    return try await store.read { try $0.ownPayment(id, caller, among: names) }
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
}

extension PaymentTransaction {
  /// A payment by the kit's id or any that a provider gave it, if the caller may see it.
  func ownPayment(
    _ id: String, _ caller: Caller, among providers: [ProviderName]
  ) throws -> ShownPayment {
    var payment = try shownPayment(PaymentID(id))
    for name in providers where payment == nil {
      payment = try self.payment(name, ProviderPaymentID(id)).flatMap { try shownPayment($0.id) }
    }
    guard let payment, caller.maySeeOrder(of: payment.subject) else {
      throw Problem(.notFound, "There is no such payment.")
    }
    return payment
  }
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
