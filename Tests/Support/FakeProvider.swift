public import HTTPExchange
public import PaymentModels
import PaymentStore
public import ProviderInterface
import SystemRuntime

/// A provider in memory that does as a test says: it keeps payments as a real one does, and each
/// call may be refused, lost on its way there or back, or held until the test lets it go.
public final class FakeProvider: PaymentProvider {
  /// A kind of call.
  public enum Call: String, Sendable, CaseIterable {
    /// The calls of the interface.
    case create, read, transaction, capture, refund, close, list
  }

  /// What goes wrong with one call.
  public enum Fault: Sendable {
    /// Nothing happens at the provider; the caller gets the error.
    case fail(ProviderError)
    /// It happens, and the caller gets the error instead of the answer.
    case lose(ProviderError)
    /// The caller gets the payment as it was: what was asked is taken on, and happens later.
    case accept
  }

  struct State {
    /// What the provider tells of a transaction, by its id.
    var transactions: [String: PaymentReading] = [:]
    /// What deliveries say, by the last part of their body.
    var signed: [String: SignedDelivery] = [:]
    var payments: [ProviderPaymentID: PaymentReading] = [:]
    var createdByKey: [String: ProviderPaymentID] = [:]
    var faults: [Call: [Fault?]] = [:]
    var lastingFaults: [Call: Fault] = [:]
    var calls: [(call: Call, id: String)] = []
    var nextNumber = 1
    var verificationKey: Secret?
    var held: Set<Call> = []
    var waiting: [(call: Call, continuation: CheckedContinuation<Void, Never>)] = []
  }

  /// `tabby` unless told.
  public let name: ProviderName
  /// `uae` unless told.
  public let account: ProviderAccount
  /// Test unless told.
  public let mode: PaymentMode
  /// As given.
  public let capabilities: ProviderCapabilities
  private let secrets: [String]
  private let family: Int
  let state = Locked(State())

  /// An empty provider.
  ///
  /// - Parameters:
  ///   - secrets: values of the webhook header `X-Secret` that count as the provider's.
  ///   - family: keeps the ids of several providers apart.
  ///   - tune: changes what it can do: captures by a call of ours, refunds in parts, closes what
  ///     is held, and signs its deliveries.
  public init(
    name: ProviderName = .tabby, account: String = "uae", currencies: Set<String> = ["AED"],
    hasKeys: Bool = false, secrets: [String] = ["s-0"], family: Int = 7,
    mode: PaymentMode = .test, tune: (inout ProviderCapabilities) -> Void = { _ in }
  ) {
    self.name = name
    self.account = ProviderAccount(account)
    self.secrets = secrets
    self.family = family
    self.mode = mode
    var capabilities = ProviderCapabilities(
      createHasIdempotencyKey: hasKeys, capture: .separate, close: .authorized, refund: .partial,
      webhook: .signed, paidProofs: [.read, .signedWebhook],
      undoneProofs: [.read, .signedWebhook],
      readSchedule: [2, 5, 15, 30, 60].map { .seconds($0) }, currencies: currencies)
    tune(&capabilities)
    self.capabilities = capabilities
  }

  // MARK: What a test does

  /// The faults of the next calls of a kind, in their order; nil is none.
  public func script(_ call: Call, _ faults: Fault?...) {
    state.withLock { $0.faults[call, default: []] += faults }
  }

  /// The fault of every call of a kind that is not scripted, until told otherwise.
  public func always(_ call: Call, _ fault: Fault?) {
    state.withLock { $0.lastingFaults[call] = fault }
  }

  /// Keeps the answers of a kind of call on their way until ``release(_:)``.
  public func hold(_ call: Call) { state.withLock { _ = $0.held.insert(call) } }

  /// Lets all answers of a kind go.
  public func release(_ call: Call) {
    let woken = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.held.remove(call)
      let woken = state.waiting.filter { $0.call == call }.map(\.continuation)
      state.waiting.removeAll { $0.call == call }
      return woken
    }
    for continuation in woken { continuation.resume() }
  }

  /// How many answers are held on their way.
  public var heldCount: Int { state.withLock { $0.waiting.count } }

  /// Calls of a kind that reached the provider or were lost on their way there.
  public func count(_ call: Call) -> Int {
    state.withLock { $0.calls.filter { $0.call == call }.count }
  }

  /// Calls about one payment, in their order.
  public func calls(_ id: ProviderPaymentID) -> [Call] {
    state.withLock { $0.calls.filter { $0.id == id.rawValue }.map(\.call) }
  }

  /// All payments that the provider has, oldest first.
  public var payments: [PaymentReading] {
    state.withLock { state in
      state.payments.values.sorted { $0.providerPaymentID < $1.providerPaymentID }
    }
  }

  /// Changes what the provider says of a payment.
  public func change(_ id: ProviderPaymentID, _ body: @Sendable (inout PaymentReading) -> Void) {
    state.withLock { state in
      guard var reading = state.payments[id] else { return }
      body(&reading)
      state.payments[id] = reading
    }
  }

  /// Adds a payment that nobody of ours has made.
  public func add(_ reading: PaymentReading) {
    state.withLock { $0.payments[reading.providerPaymentID] = reading }
  }

  /// Hands out this secret with every payment that it makes from now on.
  public func issue(_ verificationKey: Secret) {
    state.withLock { $0.verificationKey = verificationKey }
  }

  /// Counts on from `number`, as if there had been payments before.
  public func skipIDs(_ number: Int) { state.withLock { $0.nextNumber = number } }

  /// The id of payment `number`, as the provider counts them.
  public func id(_ number: Int) -> ProviderPaymentID {
    ProviderPaymentID(Sample.uuid(family, number))
  }

  /// A delivery as the provider makes it; `rest` makes its bytes different.
  public func webhook(
    _ id: ProviderPaymentID, for payment: PaymentID? = nil, rest: String = "",
    secret: String? = nil
  ) -> HTTPRequest {
    HTTPRequest(
      method: "POST", target: "/webhooks/\(name)",
      headers: ["X-Secret": secret ?? secrets[0]],
      body: Array("\(id)|\(payment?.rawValue ?? "")|\(rest)".utf8))
  }

  // MARK: PaymentProvider

  /// The order, payment and amount as text.
  public func prepareCreate(_ terms: CheckoutTerms) throws(ProviderError) -> [UInt8] {
    Array("\(terms.orderID)|\(terms.paymentID)|\(terms.total.decimal)|\(terms.total.currency)".utf8)
  }

  /// Makes a payment; the same one for the same key if the provider has keys.
  public func create(
    _ request: [UInt8], idempotencyKey: String
  ) async throws(ProviderError) -> CreatedPayment {
    let parts = String(decoding: request, as: UTF8.self).split(separator: "|").map(String.init)
    let reading = try await answer(.create, parts[1]) { [self] state throws(ProviderError) in
      if capabilities.createHasIdempotencyKey, let known = state.createdByKey[idempotencyKey],
        let reading = state.payments[known]
      {
        return reading
      }
      guard let currency = Currency(iso4217: parts[3]) else {
        throw ProviderError(.refused, status: 400, detail: "currency")
      }
      let id = id(state.nextNumber)
      state.nextNumber += 1
      state.createdByKey[idempotencyKey] = id
      let amount = try? Money(decimal: parts[2], currency: currency)
      let reading = PaymentReading(
        providerPaymentID: id, status: .created, amount: amount, orderReference: parts[0],
        paymentReference: parts[1], mode: mode)
      state.payments[id] = reading
      return reading
    }
    return CreatedPayment(
      reading: reading, checkoutURL: "https://pay.example/\(reading.providerPaymentID)",
      verificationKey: state.withLock { $0.verificationKey })
  }

  /// The payment as it is.
  public func read(_ id: ProviderPaymentID) async throws(ProviderError) -> PaymentReading {
    try await answer(.read, id.rawValue) { state throws(ProviderError) in
      guard let reading = state.payments[id] else {
        throw ProviderError(.notFound, status: 404, detail: "no such payment")
      }
      return reading
    }
  }

  /// Takes held money; a reference counts once.
  public func capture(_ request: ProviderOperation) async throws(ProviderError) -> PaymentReading {
    try await move(.capture, request) { reading in
      reading.status == .authorized
        ? (reading.amount?.minorUnits ?? 0) - reading.items.sum(.capture) : 0
    }
  }

  /// Gives taken money back; a reference counts once.
  public func refund(_ request: ProviderOperation) async throws(ProviderError) -> PaymentReading {
    try await move(.refund, request) { $0.items.sum(.capture) - $0.items.sum(.refund) }
  }

  /// Lets held money go, and ends an unpaid payment where it can.
  public func close(_ id: ProviderPaymentID) async throws(ProviderError) -> PaymentReading {
    let endsUnpaid = capabilities.close == .unpaid
    return try await answer(.close, id.rawValue) { state throws(ProviderError) in
      guard var reading = state.payments[id],
        reading.status == .authorized || endsUnpaid && reading.status != .captured
      else {
        throw ProviderError(.refused, status: 400, detail: "not authorized")
      }
      reading.status = reading.items.sum(.capture) > 0 ? .captured : .cancelled
      state.payments[id] = reading
      return reading
    }
  }

  /// The header of the check, which tests may see stored.
  public var webhookHeaders: [String] { ["X-Secret"] }

  /// Compares `X-Secret` with each secret; the body is `id|payment|anything`.
  public func inspectWebhook(_ request: HTTPRequest) -> WebhookInspection {
    let sent = request.headers.values("X-Secret")
    let index = sent.count == 1 ? secrets.firstIndex(of: sent[0]) : nil
    guard index != nil || capabilities.webhook == .unsigned else {
      return .unauthentic(reason: "no secret matches")
    }
    guard let text = String(validating: request.body, as: UTF8.self) else {
      return .malformed(reason: "not UTF-8")
    }
    let parts = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, isCanonicalUUID(parts[0]) else {
      return .malformed(reason: "no payment")
    }
    var notice = WebhookNotice(
      providerPaymentID: ProviderPaymentID(parts[0]),
      paymentReference: parts[1].isEmpty ? nil : parts[1],
      matchedSecret: capabilities.webhook == .unsigned ? nil : index)
    let signed = state.withLock { $0.signed[parts[2]] }
    notice.isProof = signed?.proof != nil
    notice.eventID = signed?.eventID
    notice.isIgnored = signed?.isIgnored ?? false
    notice.mode = signed?.mode
    return .notice(notice)
  }

  private func move(
    _ kind: PaymentItem.Kind, _ request: ProviderOperation,
    left: @escaping @Sendable (PaymentReading) -> Int64
  ) async throws(ProviderError) -> PaymentReading {
    let id = request.providerPaymentID
    let call: Call = kind == .capture ? .capture : .refund
    return try await answer(call, id.rawValue) { [self] state throws(ProviderError) in
      guard var reading = state.payments[id] else {
        throw ProviderError(.notFound, status: 404, detail: "no such payment")
      }
      if reading.items.contains(where: { $0.reference == request.reference.rawValue }) {
        return reading
      }
      let isByTransaction = kind == .refund && !capabilities.operationsCarryReference
      if isByTransaction { return try refundTransaction(request, &state) }
      guard request.amount.minorUnits <= left(reading) else {
        throw ProviderError(.refused, status: 400, code: "too_much", detail: "more than is left")
      }
      reading.items.append(
        PaymentItem(
          kind: kind, providerItemID: "\(kind.rawValue)-\(reading.items.count + 1)",
          reference: request.reference.rawValue, amount: request.amount, createdAt: nil))
      if reading.items.sum(.capture) == reading.amount?.minorUnits { reading.status = .captured }
      state.payments[id] = reading
      return reading
    }
  }

  func answer(
    _ call: Call, _ id: String,
    _ effect: @Sendable (inout State) throws(ProviderError) -> PaymentReading
  ) async throws(ProviderError) -> PaymentReading {
    let result = state.withLock { state -> Result<PaymentReading, ProviderError> in
      state.calls.append((call, id))
      let scripted = state.faults[call].flatMap { $0.isEmpty ? nil : $0 }
      if scripted != nil { state.faults[call]?.removeFirst() }
      let fault = scripted.map { $0[0] } ?? state.lastingFaults[call]
      if case .fail(let error) = fault { return .failure(error) }
      if case .accept = fault, let reading = state.payments[ProviderPaymentID(id)] {
        return .success(reading)
      }
      do throws(ProviderError) {
        let reading = try effect(&state)
        if case .lose(let error) = fault { return .failure(error) }
        return .success(reading)
      } catch {
        return .failure(error)
      }
    }
    await whileHeld(call)
    return try result.get()
  }

  private func whileHeld(_ call: Call) async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.held.contains(call) else { return true }
        state.waiting.append((call, continuation))
        return false
      }
      if isFree { continuation.resume() }
    }
  }
}
