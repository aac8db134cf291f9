import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON

/// What one fake provider knows: its payments, its settings, webhooks on their way, its clock.
///
/// A provider declares the stored parts and says what is its own: its routes, its states, its JSON
/// and its pages. Extensions of this protocol bring the rest: the control API, faults, webhooks and
/// the passing of time. No method suspends, so each request is answered from one consistent state.
protocol SandboxLedger: Actor {
  associatedtype Settings: SandboxSettings
  associatedtype Payment: SandboxPayment where Payment.Faults == Settings.Faults
  /// Where a payment stands, by its name in the control API.
  associatedtype Status: RawRepresentable<String> & CaseIterable
  /// What time can do to a payment; mostly a new status.
  associatedtype Change = Status
  typealias Faults = Settings.Faults
  typealias Call = Settings.Faults.Call

  nonisolated var environment: KitEnvironment { get }
  nonisolated var links: SandboxLinks { get }
  var settings: Settings { get set }
  var payments: [Payment] { get set }
  var calls: CallCounts<Call> { get set }
  var queue: WebhookQueue { get set }
  var time: SandboxTime { get set }
  var positions: PaymentPositions { get set }

  /// The provider's name in the ledger.
  static var provider: String { get }
  /// Calls that the ledger counts for each payment; all of them unless told.
  static var callsOfOnePayment: [Call] { get }
  /// The control API's answer to what is not there.
  static var missing: HTTPResponse { get }

  /// Answers whatever is not the control API: calls, by ``carryOut(_:_:serverError:_:)``, and
  /// pages. `segments` are the parts of the path between slashes, not decoded.
  func serve(_ request: HTTPRequest, _ segments: [String]) -> SandboxReply

  /// The next thing that time does to a payment. Whoever changes what this looks at calls
  /// ``book(_:)``.
  func nextChange(of payment: Payment) -> (change: Change, at: Instant)?

  /// Lets it happen.
  func apply(_ change: Change, to index: Int, at instant: Instant)

  /// Moves a payment and tells the merchant.
  func setStatus(_ index: Int, _ status: Status, at instant: Instant)

  /// How the ledger shows a payment.
  func entry(of payment: Payment) -> LedgerEntry

  /// Whether the hosted page of a payment still takes the payer's money.
  func isPageOpen(_ index: Int) -> Bool

  /// Takes the payer's click on a button of the control page: what paying on the hosted page, or
  /// being declined there, comes to. Called while ``isPageOpen(_:)`` alone.
  func finishPage(_ index: Int, pays: Bool)

  /// Whether the provider takes a status of the merchant's answer for "received": any 2xx unless
  /// told.
  func isTaken(_ status: Int) -> Bool

  /// The header that goes with a webhook, made just before it is sent.
  func header(for delivery: WebhookDelivery) -> WebhookHeader?
}

/// A payment of a fake provider.
protocol SandboxPayment: Sendable {
  associatedtype Faults: SandboxFaults
  var id: String { get }
  var createdAt: Instant { get }
  var trail: PaymentTrail<Faults> { get set }
}

extension SandboxLedger {
  static var callsOfOnePayment: [Call] { Array(Call.allCases) }

  /// The sandbox's time.
  var now: Instant { time.now }

  /// Position of the payment that is known by this id.
  func position(_ id: String) -> Int? { positions[id] }

  func faults(of index: Int) -> Faults { payments[index].trail.faults ?? settings.faults }

  func note(_ index: Int, _ event: String) { payments[index].trail.note(event, at: now) }

  /// Takes a payment in, to be found by `ids`, and gives its position.
  @discardableResult
  func add(_ payment: Payment, ids: [String]) -> Int {
    let index = payments.count
    for id in ids { positions[id] = index }
    payments.append(payment)
    book(index)
    return index
  }

  // MARK: Requests

  func reply(to request: HTTPRequest) -> SandboxReply {
    settle()
    defer { time.poke() }
    let segments = request.path.split(separator: "/", omittingEmptySubsequences: false)
      .dropFirst().map(String.init)
    guard request.body.count <= SandboxLimits.bodyBytesMax else {
      return SandboxReply(response: .plain(413, "Request Entity Too Large"))
    }
    return segments.first == "sandbox"
      ? SandboxReply(response: control(request, segments)) : serve(request, segments)
  }

  /// Counts a call, about the payment at `index` if there is one, and carries it out unless a
  /// fault says otherwise.
  ///
  /// - Parameter serverError: the provider's words for a fault of its own.
  func carryOut(
    _ call: Call, _ index: Int?, serverError: String = "Internal Server Error",
    _ perform: () -> HTTPResponse
  ) -> SandboxReply {
    calls.count(call)
    if let index { payments[index].trail.calls.count(call) }
    guard let fault = takeAnswerFault(call, index) else { return SandboxReply(response: perform()) }
    return fault.reply(serverError: serverError, perform)
  }

  /// The first fault that is for this call, used up by one.
  private func takeAnswerFault(_ call: Call, _ index: Int?) -> AnswerFault<Call>? {
    if let index, var own = payments[index].trail.faults {
      defer { payments[index].trail.faults = own }
      return AnswerFault.take(for: call, from: &own.answers)
    }
    return AnswerFault.take(for: call, from: &settings.faults.answers)
  }

  // MARK: Time

  /// Lets all that is due happen, each at its own time.
  func settle() {
    let now = now
    guard let agenda = time.agenda, agenda <= now else { return }
    for index in payments.indices {
      while let (change, instant) = nextChange(of: payments[index]), instant <= now {
        apply(change, to: index, at: instant)
      }
    }
    reviseAgenda()
  }

  /// Notes when time next does something to this payment.
  func book(_ index: Int) {
    guard let instant = nextChange(of: payments[index])?.at else { return }
    time.agenda = min(time.agenda ?? instant, instant)
  }

  /// Looks at every payment anew, after time or settings have moved.
  func reviseAgenda() {
    time.agenda = payments.compactMap { nextChange(of: $0)?.at }.min()
  }
}

extension SandboxLedger where Change == Status {
  func apply(_ change: Change, to index: Int, at instant: Instant) {
    setStatus(index, change, at: instant)
  }
}
