public import CheckoutLifecycle
public import CheckoutSession
import KitEnvironment
public import PaymentModels

/// A merchant's server that answers by a script, the last entry for ever.
public actor ScriptedBackend: MerchantBackend {
  /// One entry of a script.
  public enum Answer: Sendable {
    /// The payment, with a version newer than all before.
    case payment(PaymentStatus?, OrderState = .pending)
    /// As the device knows it.
    case unchanged
    /// No answer.
    case failure(BackendError.Kind)
    /// Never answers: the exchange ends with the run.
    case hang
  }

  /// One read as it came.
  public struct Read: Sendable {
    /// Uptime at its start.
    public let at: Duration
    /// How long it may be held.
    public let wait: Duration
    /// The version that the device said it has.
    public let knownVersion: Int64?
  }

  private let clock: ManualClock
  /// Keys of the creates, in order.
  public private(set) var creates: [CheckoutKey] = []
  /// Requests of the creates, in order.
  public private(set) var requests: [CheckoutRequest] = []
  /// Reads, in order.
  public private(set) var reads: [Read] = []
  /// Signals, in order.
  public private(set) var signals: [CheckoutSignal] = []
  /// Reads under way.
  public private(set) var inFlight = 0
  /// Most reads that were under way at once.
  public private(set) var inFlightMax = 0
  private var createScript: [Answer]
  private var readScript: [Answer]
  private var version: Int64 = 1
  private var holdsSignals = false
  /// Provider payments by key: a repeat under the same key finds the same one.
  public private(set) var made: [CheckoutKey] = []

  /// A server on `clock` whose creates and reads answer by these scripts.
  public init(_ clock: ManualClock, creates: [Answer] = [.payment(.created)], reads: [Answer]) {
    self.clock = clock
    createScript = creates
    readScript = reads
  }

  /// Puts another script in the place of what is left of the reads'.
  public func script(reads: [Answer]) { readScript = reads }

  /// Answers by the script; a new key makes a new payment.
  public func createCheckout(
    _ request: CheckoutRequest, key: CheckoutKey
  ) async throws(BackendError) -> PaymentAnswer {
    creates.append(key)
    requests.append(request)
    if !made.contains(key) { made.append(key) }
    let index = (made.firstIndex(of: key) ?? 0) + 1
    guard let answer = try await give(Self.next(&createScript), payment: index) else {
      throw BackendError(.giveUp, reason: "no answer in the script")
    }
    return answer
  }

  /// Answers by the script.
  public func readPayment(
    _ id: PaymentID, wait: Duration, knownVersion: Int64?
  ) async throws(BackendError) -> PaymentAnswer? {
    reads.append(Read(at: clock.clock.uptime(), wait: wait, knownVersion: knownVersion))
    inFlight += 1
    inFlightMax = max(inFlightMax, inFlight)
    defer { inFlight -= 1 }
    return try await give(Self.next(&readScript), payment: Int(id.rawValue.suffix(2)) ?? 1)
  }

  /// Answers no signal from now on, or each at once.
  public func hold(signals isHeld: Bool) { holdsSignals = isHeld }

  /// Remembers the signal.
  public func sendSignal(
    _ signal: CheckoutSignal, for id: PaymentID
  ) async throws(BackendError) {
    signals.append(signal)
    if holdsSignals { _ = try await give(.hang, payment: 1) }
  }

  private static func next(_ script: inout [Answer]) -> Answer {
    script.count > 1 ? script.removeFirst() : script[0]
  }

  private func give(
    _ entry: Answer, payment index: Int
  ) async throws(BackendError) -> PaymentAnswer? {
    switch entry {
    case .payment(let status, let order):
      version += 1
      return scriptedAnswer(status, order, version: version, payment: index)
    case .unchanged: return nil
    case .failure(let kind): throw BackendError(kind, reason: "scripted")
    case .hang:
      do {
        try await clock.clock.sleep(for: .seconds(1_000_000))
      } catch {
        throw BackendError(.retryLater(after: nil), reason: "cancelled")
      }
      return nil
    }
  }
}

/// The answer about the payment that was made as the `index`-th.
public func scriptedAnswer(
  _ status: PaymentStatus?, _ order: OrderState, version: Int64, payment index: Int
) -> PaymentAnswer {
  PaymentAnswer(
    payment: CheckoutPayment(
      paymentID: PaymentID("0199cccc-0000-7000-8000-0000000000\(index < 10 ? "0" : "")\(index)"),
      orderID: OrderID("0199bbbb-0000-7000-8000-00000000000\(index)"),
      providerPaymentID: ProviderPaymentID("pay_A\(index)"),
      checkoutURL: "https://checkout.example/A\(index)",
      returnURLs: ReturnURLs(
        success: "myapp://pay/success", cancel: "myapp://pay/cancel",
        failure: "myapp://pay/failure")),
    status: status, orderState: order, version: version)
}
