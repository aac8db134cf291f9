public import KitEnvironment
import HTTPExchange
import MerchantAPI
import PaymentModels
import StrictJSON

/// Carries out requests of `till` and prints what came of them.
public struct TillRunner: Sendable {
  let connection: MerchantConnection
  let terminal: Terminal
  let environment: KitEnvironment
  /// How the program was called: it stands in the commands that are shown to be used next.
  let program: String
  /// Reads a file that a command names; an error's text says why it cannot.
  let readFile: @Sendable (String) throws -> [UInt8]
  /// The file of a time zone of this machine, by the zone's name.
  let zoneFile: @Sendable (String) -> [UInt8]?

  /// Composes a runner.
  ///
  /// - Parameter readFile: reads a file that a command names.
  public init(
    connection: MerchantConnection, terminal: Terminal, environment: KitEnvironment,
    program: String = "till", zoneFile: @escaping @Sendable (String) -> [UInt8]? = { _ in nil },
    readFile: @escaping @Sendable (String) throws -> [UInt8]
  ) {
    self.connection = connection
    self.terminal = terminal
    self.environment = environment
    self.program = program
    self.readFile = readFile
    self.zoneFile = zoneFile
  }

  /// Carries out one request and returns the exit code. A failure is one line on standard error.
  public func run(_ request: TillAction.Request, asJSON: Bool) async -> Int32 {
    do {
      try await perform(request, asJSON)
      return 0
    } catch {
      terminal.complain("error: \(printable(error.message))")
      return error.kind.rawValue
    }
  }

  private func perform(
    _ request: TillAction.Request, _ asJSON: Bool
  ) async throws(CommandFailure) {
    switch request {
    case .createCheckout(let provider, let items, let order, let key):
      try await createCheckout(provider, items, order, key, asJSON)
    case .showOrder(let id):
      let json = try await read(.order(OrderID(id)))
      if asJSON { printJSON(json) } else { printOrder(json) }
    case .explainOrder(let id): try await explainOrder(id, asJSON)
    case .explainPayment(let id, let format): try await explainPayment(id, format)
    case .export(let day, let zone): try await export(day: day, zone: zone, asJSON)
    case .cancelOrder(let id, let reason):
      let json = try await post(
        .cancelOrder(OrderID(id)), body: ReasonBody(reason: reason).json, key: nil)
      if asJSON { printJSON(json) } else { printOrder(json) }
      try requireState(json, "cancelled")
    case .showPayment(let id):
      let json = try await read(.payment(id))
      if asJSON { printJSON(json) } else { printPayment(json) }
    case .readPayment(let id): try await readPayment(PaymentID(id), asJSON)
    case .listPayments(let limit, let before):
      let query = "?limit=\(limit)" + (before.map { "&before=\($0)" } ?? "")
      let json = try await read(.payments, query: query)
      if asJSON { printJSON(json) } else { printPayments(json) }
    case .watchPayment(let id, let seconds):
      try await watch(id, seconds: seconds, asJSON)
    case .inbox(let request): try await perform(request, asJSON)
    case .listReviews(let limit, let after): try await listReviews(limit, after, asJSON)
    case .showReview(let number): try await showReview(number, asJSON)
    case .resolveReview(let number, let decision, let reason, let key):
      try await resolveReview(number, decision, reason, key, asJSON)
    case .reconcile(let seconds, let applies): try await reconcile(seconds, applies, asJSON)
    case .outbox(let request): try await perform(request, asJSON)
    case .listProviders: printProviders(try await read(.operator(.providers)), asJSON)
    case .pause(let provider, let account, let isPaused, let reason):
      try await pause(provider, account, isPaused, reason, asJSON)
    case .eraseBuyer(let subject, let reason): try await erase(subject, reason, asJSON)
    case .operate(let operation, let payment, let amount, let reason, let key):
      try await operate(operation, PaymentID(payment), amount, reason, key, asJSON)
    }
  }

  func read(_ route: Route, query: String = "") async throws(CommandFailure) -> JSONValue {
    try json(await connection.send(route, query: query, as: .merchant))
  }

  func post(
    _ route: Route, body: JSONValue?, key: String?
  ) async throws(CommandFailure) -> JSONValue {
    let headers: HTTPHeaders = key.map { ["Idempotency-Key": $0] } ?? [:]
    return try json(
      await connection.send(
        route, as: .merchant, body: body, headers: headers))
  }

  func json(_ response: HTTPResponse) throws(CommandFailure) -> JSONValue {
    do {
      return try JSONValue(parsing: response.body)
    } catch {
      throw CommandFailure(.unavailable, "the server's answer cannot be read: \(error)")
    }
  }

  func printJSON(_ json: JSONValue) {
    terminal.line(String(decoding: json.serialized(), as: UTF8.self))
  }

  func requireState(_ json: JSONValue, _ wanted: String) throws(CommandFailure) {
    let state = json["state"]?.text ?? "unknown"
    guard state != wanted else { return }
    throw CommandFailure(.notKnownYet, "not \(wanted) yet (\(state)); the server goes on with it")
  }
}
