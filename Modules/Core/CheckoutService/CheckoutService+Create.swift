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

  /// A text that is the same for the same terms, whatever order their JSON came in.
  var terms: String {
    switch purchase {
    case .items(let items):
      let sorted = items.sorted { $0.productID < $1.productID }
      return "\(provider)\nitems\n"
        + sorted.map { "\($0.productID)\n\($0.quantity)" }.joined(separator: "\n")
    case .order(let id):
      return "\(provider)\norder\n\(id)"
    }
  }
}

extension CheckoutService {
  /// Makes a checkout, or finds the one that the same key made before.
  ///
  /// When this returns, the payment is in the store. Its `createState` tells whether the provider
  /// has answered; if not, the create goes on by itself.
  ///
  /// - Throws: ``CheckoutError``.
  public func checkout(_ request: CheckoutRequest) async throws(CheckoutError) -> PaymentID {
    try check(key: request.idempotencyKey)
    let scope = "checkouts/\(request.subject)"
    let hash = hexText(environment.hashing.sha256(Array(request.terms.utf8)))
    if let known = try await known(scope, request.idempotencyKey, hash) {
      return await finished(known)
    }
    switch request.purchase {
    case .items(let items):
      let lines = try await orders.lines(for: items, subject: request.subject)
      let order = try newOrder(of: lines, subject: request.subject)
      return await finished(try await begin(order, isNew: true, request, scope, hash))
    case .order(let id):
      let order = try await ownOrder(id, of: request.subject)
      if let payable = try await payable(order) { return payable }
      return await finished(try await begin(order, isNew: false, request, scope, hash))
    }
  }

  func check(key: String) throws(CheckoutError) {
    let isPlain = key.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    guard !key.isEmpty, key.utf8.count <= CheckoutRequest.keyBytesMax, isPlain else {
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

  /// Waits for a create that is under way or was left behind, so that a replay sees its end.
  private func finished(_ id: PaymentID) async -> PaymentID {
    environment.reached(.intentCommitted)
    await awaitCreate(id)
    return id
  }

  private func newOrder(
    of lines: [OrderLine], subject: Subject
  ) throws(CheckoutError) -> OrderRow {
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
    return OrderRow(
      id: OrderID(environment.newUUID()), subject: subject, lines: lines, total: total,
      createdAt: environment.clock.now())
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

  /// Reads the order's payments and gives the one that can still be paid; nil if a new one may
  /// be made.
  private func payable(_ order: OrderRow) async throws(CheckoutError) -> PaymentID? {
    let open = try await openPayments(of: order.id)
    for payment in open { _ = await refresh(payment.id) }
    let state = try await stored { try await $0.read { try $0.order(order.id)?.state } }
    guard state == .pending else {
      throw CheckoutError(.conflict, "The order is \(state?.rawValue ?? "gone"); read it again.")
    }
    guard let payment = try await openPayments(of: order.id).last else { return nil }
    return payment.id
  }

  private func openPayments(of order: OrderID) async throws(CheckoutError) -> [PaymentRow] {
    let payments = try await stored { try await $0.read { try $0.payments(of: order) } }
    return payments.filter { !$0.status.isFinalUnpaid && !$0.lapsed }
  }

  /// Commits the intent: order, payment, exact request bytes and key in one transaction.
  private func begin(
    _ order: OrderRow, isNew: Bool, _ request: CheckoutRequest, _ scope: String, _ hash: String
  ) async throws(CheckoutError) -> PaymentID {
    let provider = try provider(request.provider, for: order.total.currency)
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
    let (account, mode, attemptsMax) = (provider.account, provider.mode, settings.attemptsMax)
    return try await stored { store in
      try await store.write { transaction in
        if let first = try transaction.idempotency(scope, request.idempotencyKey) {
          return try Self.same(first, hash)
        }
        if isNew { try transaction.insertOrder(order) }
        let earlier = try transaction.payments(of: order.id)
        if let open = earlier.first(where: { !$0.status.isFinalUnpaid && !$0.lapsed }) {
          return open.id
        }
        guard earlier.count < attemptsMax else {
          throw CheckoutError(
            .conflict, "This order was tried \(attemptsMax) times; place it anew.")
        }
        let attempt = (earlier.last?.attempt ?? 0) + 1
        try transaction.insertPayment(
          PaymentRow(
            id: id, orderID: order.id, attempt: attempt, provider: request.provider,
            account: account, mode: mode, amount: order.total,
            createKey: "\(order.id).\(attempt).c", createRequest: bytes, returnURLs: urls,
            createdAt: now))
        try transaction.insertIdempotency(
          IdempotencyRow(
            scope: scope, key: request.idempotencyKey, termsHash: hash, orderID: order.id,
            paymentID: id, createdAt: now))
        try transaction.appendJournal(
          JournalEntry(
            at: now, orderID: order.id, paymentID: id, channel: .device, trust: .hint,
            event: "checkout", note: "attempt \(attempt) at \(request.provider)"))
        return id
      }
    }
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
