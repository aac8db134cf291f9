import KitEnvironment
public import PaymentModels
import PaymentStore
import ProviderInterface

/// A request for a checkout, as the server has checked it.
public struct CheckoutRequest: Hashable, Sendable {
  /// Who asks.
  public var subject: Subject
  /// At which provider.
  public var provider: ProviderName
  /// What is to be paid.
  public var purchase: Purchase
  /// The caller's own key, made and stored before it asked.
  public var idempotencyKey: String

  /// Builds a request.
  public init(
    subject: Subject, provider: ProviderName, purchase: Purchase, idempotencyKey: String
  ) {
    self.subject = subject
    self.provider = provider
    self.purchase = purchase
    self.idempotencyKey = idempotencyKey
  }

  /// Longest idempotency key, bytes.
  public static let keyBytesMax = 64

  /// Whether `text` can be an idempotency key: 1 to ``keyBytesMax`` visible ASCII characters.
  public static func isKey(_ text: String) -> Bool {
    (1...keyBytesMax).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// A text that is the same for the same terms, whatever order their JSON came in.
  var terms: String {
    switch purchase {
    case .items(let items): "\(provider)\nitems\n\(Self.text(items))"
    case .order(let id): "\(provider)\norder\n\(id)"
    case .edited(let id, let items): "\(provider)\nedited\n\(id)\n\(Self.text(items))"
    }
  }

  private static func text(_ items: [PurchaseItem]) -> String {
    // Each id with its length, so that no id can look like two items.
    items.sorted { $0.productID < $1.productID }
      .map { "\($0.productID.utf8.count):\($0.productID)\n\($0.quantity)" }
      .joined(separator: "\n")
  }
}

/// What a request for a checkout came to.
public struct Checkout: Hashable, Sendable {
  /// The payment; it is in the store.
  public let paymentID: PaymentID
  /// Whether the store holds what the provider says of it now. If not, its page must not be
  /// handed out: it may be paid or over already.
  public let isFresh: Bool
}

extension CheckoutService {
  /// Makes a checkout, or finds the one that the same key made before.
  ///
  /// A payment that was there before is read first. If the provider has not answered the create
  /// yet, the create goes on by itself.
  ///
  /// - Throws: ``CheckoutError``.
  public func checkout(_ request: CheckoutRequest) async throws(CheckoutError) -> Checkout {
    try check(key: request.idempotencyKey)
    let scope = scope(of: request)
    let hash = hexText(environment.hashing.sha256(Array(request.terms.utf8)))
    if let known = try await known(scope, request.idempotencyKey, hash) {
      return try await finished(known)
    }
    switch request.purchase {
    case .items(let items):
      let lines = try await orders.lines(for: items, subject: request.subject)
      let order = try newOrder(of: lines, subject: request.subject)
      return try await finished(try await begin(order, read: nil, request, scope, hash))
    case .order(let id):
      let order = try await ownOrder(id, of: request.subject)
      return try await again(order, request, scope, hash)
    case .edited(let id, let items):
      var order = try await ownOrder(id, of: request.subject)
      let lines = try await orders.lines(for: items, subject: request.subject)
      order.total = try Self.total(of: lines)
      order.lines = lines
      return try await again(order, request, scope, hash)
    }
  }

  /// Among which keys the request's own is looked up.
  private func scope(of request: CheckoutRequest) -> String {
    #if FaultInjection
      if SeededFault.active == .keepsNoKey { return environment.newUUID() }
    #endif
    return "checkouts/\(request.subject)"
  }

  /// Another try at an order, whose lines are those that are wanted now.
  private func again(
    _ order: OrderRow, _ request: CheckoutRequest, _ scope: String, _ hash: String
  ) async throws(CheckoutError) -> Checkout {
    let isFresh = try await refreshOpen(order)
    let read = Set(isFresh.filter(\.value).keys)
    let id = try await begin(order, read: read, request, scope, hash)
    return try await finished(id, isFresh: isFresh[id])
  }

  func check(key: String) throws(CheckoutError) {
    guard CheckoutRequest.isKey(key) else {
      throw CheckoutError(
        .invalid,
        "Idempotency-Key must be 1 to \(CheckoutRequest.keyBytesMax) visible ASCII characters.")
    }
  }

  private func known(
    _ scope: String, _ key: String, _ hash: String
  ) async throws(CheckoutError) -> PaymentID? {
    let row = try await stored { try await $0.read { try $0.idempotency(scope, key) } }
    guard let row else { return nil }
    guard row.termsHash == hash else {
      throw CheckoutError(
        .keyReused, "This Idempotency-Key was used for another purchase. Use a new key.")
    }
    return row.paymentID
  }

  /// Waits for a create that is under way or was left behind, and reads a payment that was made
  /// before, so that a replay sees the present state.
  private func finished(
    _ id: PaymentID, isFresh: Bool? = nil
  ) async throws(CheckoutError) -> Checkout {
    let before = try await payment(id)
    if let before, before.createState == .intent {
      environment.reached(.intentCommitted)
      await awaitCreate(before)
      let isAnswered = try await payment(id)?.createState != .intent
      return Checkout(paymentID: id, isFresh: isAnswered)
    }
    if let isFresh { return Checkout(paymentID: id, isFresh: isFresh) }
    let isOpen = before.map { $0.createState == .created && !$0.status.isFinalForPayer } ?? false
    return Checkout(paymentID: id, isFresh: isOpen ? await refresh(id) : true)
  }

  private func payment(_ id: PaymentID) async throws(CheckoutError) -> PaymentRow? {
    try await stored { try await $0.read { try $0.payment(id) } }
  }

  private func newOrder(
    of lines: [OrderLine], subject: Subject
  ) throws(CheckoutError) -> OrderRow {
    OrderRow(
      id: OrderID(environment.newUUID()), subject: subject, lines: lines,
      total: try Self.total(of: lines), createdAt: environment.clock.now())
  }

  private static func total(of lines: [OrderLine]) throws(CheckoutError) -> Money {
    guard let currency = lines.first?.unitPrice.currency else {
      throw CheckoutError(.invalid, "There is nothing to pay for.", path: "items")
    }
    var total = Money.zero(currency)
    for line in lines {
      guard let price = line.unitPrice.multiplied(by: line.quantity),
        let sum = total.adding(price)
      else {
        throw CheckoutError(.invalid, "The total is too large, or mixes currencies.", path: "items")
      }
      total = sum
    }
    guard total.minorUnits > 0 else {
      throw CheckoutError(.invalid, "The total is zero.", path: "items")
    }
    return total
  }

  private func ownOrder(
    _ id: OrderID, of subject: Subject
  ) async throws(CheckoutError) -> OrderRow {
    let order = try await stored { try await $0.read { try $0.order(id) } }
    guard let order, order.subject == subject else {
      throw CheckoutError(.notFound, "There is no such order.")
    }
    return order
  }

  /// Reads the order's payments that may have come to an end unseen.
  private func refreshOpen(
    _ order: OrderRow
  ) async throws(CheckoutError) -> [PaymentID: Bool] {
    let payments = try await stored { try await $0.read { try $0.payments(of: order.id) } }
    var isFresh: [PaymentID: Bool] = [:]
    for payment in payments where payment.createState == .created && Self.isOpen(payment) {
      isFresh[payment.id] = await refresh(payment.id)
    }
    return isFresh
  }

  static func isOpen(_ payment: PaymentRow) -> Bool {
    !payment.status.isFinalUnpaid && !payment.lapsed
  }

  /// Commits the intent: order, payment, exact request bytes and key in one transaction.
  ///
  /// - Parameter read: payments of the order that were read just now; nil for a new order.
  private func begin(
    _ order: OrderRow, read: Set<PaymentID>?, _ request: CheckoutRequest, _ scope: String,
    _ hash: String
  ) async throws(CheckoutError) -> PaymentID {
    let provider = try await provider(request.provider, for: order.total.currency)
    let now = environment.clock.now()
    let id = PaymentID(environment.newUUID())
    let urls = settings.returnURLs(id)
    let terms = CheckoutTerms(
      orderID: order.id, paymentID: id, lines: order.lines, total: order.total,
      buyer: try await buyers.buyer(request.subject), returnURLs: urls,
      language: settings.language, placedAt: order.createdAt)
    let bytes: [UInt8]
    do {
      bytes = try provider.prepareCreate(terms)
    } catch {
      throw CheckoutError(.invalid, "\(provider.name) cannot take this order: \(error.detail)")
    }
    let payment = PaymentRow(
      id: id, orderID: order.id, attempt: 1, provider: request.provider,
      account: provider.account, mode: provider.mode, amount: order.total, createKey: "",
      createRequest: bytes, returnURLs: urls, createdAt: now)
    let key = IdempotencyRow(
      scope: scope, key: request.idempotencyKey, termsHash: hash, orderID: order.id,
      paymentID: id, createdAt: now)
    if let read { try await endOffered(insteadOf: payment, for: order, read: read) }
    #if FaultInjection
      // Asked for first, and written down together with its answer.
      var created: CreatedPayment?
      if SeededFault.active == .dropsIntent {
        created = try? await provider.create(bytes, idempotencyKey: id.rawValue)
      }
    #endif
    let settings = settings
    let begun = try await stored { store in
      try await store.write { transaction in
        if let first = try transaction.idempotency(scope, key.key) {
          return try Self.same(first, hash)
        }
        if read == nil { try transaction.insertOrder(order) }
        return try Self.insert(
          payment, key, for: order, read: read ?? [], settings, transaction)
      }
    }
    #if FaultInjection
      if let created, begun == id {
        let call = CreateCall(
          store: store, providers: providers, settings: settings, environment: environment)
        try await stored { _ in try await call.commit(created, of: id, provider) }
      }
    #endif
    return begun
  }

  /// Adds an attempt, unless the order has one that can still be paid; the key names what came
  /// of it either way.
  private static func insert(
    _ payment: PaymentRow, _ key: IdempotencyRow, for wanted: OrderRow,
    read: Set<PaymentID>, _ settings: CheckoutSettings, _ transaction: any PaymentTransaction
  ) throws -> PaymentID {
    guard let order = try transaction.order(payment.orderID), order.state == .pending,
      order.cancelRequestedAt == nil
    else {
      throw CheckoutError(.conflict, "The order takes no payment now; read it again.")
    }
    let earlier = try transaction.payments(of: order.id)
    var key = key
    if let open = offered(of: earlier) {
      if open.provider == payment.provider, order.hasCart(of: wanted) {
        key.paymentID = open.id
        try transaction.insertIdempotency(key)
        return open.id
      }
      guard settings.supersede == .allow, read.contains(open.id), !open.status.holdsMoney
      else { throw beingPaid(open) }
    }
    try requireNoPause(of: payment, transaction)
    guard earlier.count < settings.attemptsMax else {
      throw CheckoutError(
        .conflict, "This order was tried \(settings.attemptsMax) times; place it anew.")
    }
    if !order.hasCart(of: wanted) {
      try bind(order, to: wanted, at: payment.createdAt, transaction)
    }
    var payment = payment
    payment.attempt = (earlier.last?.attempt ?? 0) + 1
    payment.createKey = "\(order.id).\(payment.attempt).c"
    try transaction.insertPayment(payment)
    try transaction.insertIdempotency(key)
    try transaction.appendJournal(
      JournalEntry(
        at: payment.createdAt, orderID: order.id, paymentID: payment.id, channel: .device,
        trust: .hint, event: "checkout",
        note: "attempt \(payment.attempt) at \(payment.provider)"))
    return payment.id
  }

  private static func same(_ row: IdempotencyRow, _ hash: String) throws(CheckoutError) -> PaymentID
  {
    guard row.termsHash == hash else {
      throw CheckoutError(.keyReused, "This Idempotency-Key was used for another purchase.")
    }
    return row.paymentID
  }

  /// Runs store work and turns its errors into the service's own.
  func stored<Result>(
    _ work: (any PaymentStore) async throws -> Result
  ) async throws(CheckoutError) -> Result {
    do {
      return try await work(store)
    } catch let error as CheckoutError {
      throw error
    } catch {
      environment.log(.error, "the store failed", ("error", "\(error)"))
      throw CheckoutError(
        .unavailable, "The store cannot take this now; nothing was changed. Try again.")
    }
  }
}
