public import HTTPExchange
import KitEnvironment
import MerchantServer
public import PaymentModels
public import PaymentStore
public import StrictJSON

/// A step of a test that did not come to its end.
public struct StepFailed: Error, CustomStringConvertible {
  /// Which.
  public let description: String
  init(_ description: String) { self.description = description }
}

extension ServerWorld {
  /// Moves time on in steps of 50 ms until `isDone` gives a value; fails after a minute of it.
  public func until<Value: Sendable>(
    _ what: String, within limit: Duration = .seconds(60), _ isDone: () async throws -> Value?
  ) async throws -> Value {
    var passed = Duration.zero
    while true {
      if let value = try await isDone() { return value }
      guard passed < limit else { throw StepFailed("\(what): not within \(limit)") }
      await pause(.milliseconds(50))
      passed += .milliseconds(50)
    }
  }

  /// As ``until(_:within:_:)`` for a condition.
  public func until(
    _ what: String, within limit: Duration = .seconds(60), _ isDone: () async throws -> Bool
  ) async throws {
    let _: Bool = try await until(what, within: limit) { try await isDone() ? true : nil }
  }

  /// Waits, without moving time, until `isDone`; fails after many turns of everybody.
  public func untilStill(_ what: String, _ isDone: () async throws -> Bool) async throws {
    for _ in 0..<20_000 {
      if try await isDone() { return }
      await Task.yield()
    }
    throw StepFailed("\(what): not without time")
  }

  /// Lets time pass and everybody work who is woken by it.
  public func pause(_ duration: Duration) async {
    while !isSettled() { await Task.yield() }
    clock.advance(by: duration)
    for _ in 0..<40 { await Task.yield() }
  }

  /// Lets `duration` pass in steps of 500 ms.
  public func pass(_ duration: Duration) async {
    var passed = Duration.zero
    while passed < duration {
      await pause(.milliseconds(500))
      passed += .milliseconds(500)
    }
  }

  /// Moves time on while `call` is under way.
  public func moving<Result: Sendable>(
    _ call: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await withThrowingTaskGroup(of: Result?.self) { group in
      group.addTask { try await call() }
      group.addTask {
        while !Task.isCancelled { await pause(.milliseconds(20)) }
        return nil
      }
      defer { group.cancelAll() }
      while let result = try await group.next() {
        if let result { return result }
      }
      throw StepFailed("the call brought nothing")
    }
  }

  // MARK: Requests

  /// Sends a request and moves time until it is answered, as the API's document says.
  public func send(
    _ method: String, _ target: String, token: String? = ServerWorld.operatorKey,
    key: String? = nil, body: [UInt8] = [], type: String = "application/json"
  ) async throws -> HTTPResponse {
    var headers: HTTPHeaders = [:]
    if let token { headers.add("Authorization", "Bearer \(token)") }
    if let key { headers.add("Idempotency-Key", key) }
    if !body.isEmpty { headers.add("Content-Type", type) }
    let request = HTTPRequest(method: method, target: target, headers: headers, body: body)
    let response = try await moving { await server.respond(to: request) }
    let path = String(target.prefix { $0 != "?" })
    let faults = DocumentedAnswer(method: method, path: path, response: response).faults
    guard faults.isEmpty else { throw StepFailed(faults.joined(separator: "\n")) }
    return response
  }

  /// Has the server take a webhook; gives the status of the answer.
  @discardableResult
  public func deliver(_ webhook: HTTPRequest) async throws -> Int {
    await server.respond(to: webhook).status
  }

  /// Payments of one new order, each in `status` at its provider and `created` in the store; the
  /// n-th stands at `providers[n]`.
  public func seed(_ attempts: [(FakeProvider, PaymentStatus)]) async throws -> [PaymentRow] {
    try await store.seed(payments: 0)
    var rows: [PaymentRow] = []
    for (index, (provider, status)) in attempts.enumerated() {
      var row = Sample.payment(index + 1, attempt: index + 1)
      row.provider = provider.name
      row.account = provider.account
      row.createState = .created
      row.providerPaymentID = provider.id(index + 1)
      row.schedule.nextReadAt = clock.now + .seconds(3_600)
      provider.add(
        PaymentReading(
          providerPaymentID: provider.id(index + 1), status: status, amount: row.amount,
          orderReference: row.orderID.rawValue, paymentReference: row.id.rawValue, mode: .test))
      rows.append(row)
    }
    let seeded = rows
    try await store.write { transaction in
      for row in seeded { try transaction.insertPayment(row) }
    }
    return rows
  }

  /// What was counted and measured so far, as text.
  public var metricsText: String { MetricsText.text(metrics.families) }

  /// The JSON of a GET.
  public func get(_ target: String, token: String = operatorKey) async throws -> JSONValue {
    try JSONValue(parsing: try await send("GET", target, token: token).body)
  }

  /// A checkout of one lamp through the API: status and body.
  public func checkout(
    key: String = "k1",
    _ body: String = #"{"provider":"tabby","items":[{"product_id":"lamp","quantity":1}]}"#,
    token: String = user
  ) async throws -> (status: Int, json: JSONValue) {
    let response = try await send(
      "POST", "/v1/checkouts", token: token, key: key, body: Array(body.utf8))
    return (response.status, try JSONValue(parsing: response.body))
  }

  /// A checkout of one lamp that is there: its payment.
  public func placed(
    _ status: PaymentStatus? = nil, key: String = "k1"
  ) async throws -> PaymentRow {
    let json = try await checkout(key: key).json
    guard let text = json["payment_id"]?.text else { throw StepFailed("no checkout: \(json)") }
    let row = try await payment(PaymentID(text))
    guard let status, let id = row.providerPaymentID else { return row }
    provider.change(id) { $0.status = status }
    _ = try await deliver(provider.webhook(id, for: row.id, rest: "first"))
    try await until("\(status) is known") { try await payment(row.id).status == status }
    return try await payment(row.id)
  }

  // MARK: Rows

  /// A payment's row.
  public func payment(_ id: PaymentID) async throws -> PaymentRow {
    guard let row = try await store.read({ try $0.payment(id) }) else {
      throw StepFailed("no payment")
    }
    return row
  }

  /// An order's row.
  public func order(_ id: OrderID) async throws -> OrderRow {
    guard let row = try await store.read({ try $0.order(id) }) else { throw StepFailed("no order") }
    return row
  }

  /// Kinds of an order's messages, in their order.
  public func messages(_ id: OrderID) async throws -> [MessageRow.Kind] {
    try await store.read { try $0.messages(of: id).map(\.kind) }
  }

  /// Open reviews of an order, in their order.
  public func reviews(_ id: OrderID) async throws -> [ReviewRow] {
    try await store.read { try $0.reviews(of: id).filter { $0.resolvedAt == nil } }
  }

  /// Operations of a payment.
  public func operations(_ id: PaymentID) async throws -> [OperationRow] {
    try await store.read { try $0.operations(of: id) }
  }

  /// Orders there are.
  public func paymentCount() async throws -> Int {
    try await store.read { try $0.payments(before: nil, limit: 1_000).count }
  }
}
