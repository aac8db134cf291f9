import CheckoutService
import HTTPExchange
import KitEnvironment
import MerchantAPI
import PaymentModels
import PaymentStore
import StatusSync
import StrictJSON

extension MerchantServer {
  func showOrder(_ request: HTTPRequest, _ id: OrderID) async throws -> HTTPResponse {
    let caller = try await caller(of: request)
    let open = try await store.read { transaction -> [ShownPayment] in
      guard let order = try transaction.orderWithoutLines(id),
        caller.maySeeOrder(of: order.subject)
      else { throw Problem(.notFound, "There is no such order.") }
      return try transaction.payments(of: id).filter { !$0.status.isFinalForPayer }
        .map { ShownPayment($0, of: order, items: []) }
    }
    // At the same time: each may take as long as a slow provider does.
    let isFresh = await withTaskGroup(of: Bool.self) { group in
      for payment in open { group.addTask { await refresh(payment) } }
      return await group.reduce(true) { $0 && $1 }
    }
    return json(try await orderView(id, isFresh: isFresh).json)
  }

  func operate(
    _ request: HTTPRequest, _ kind: OperationRow.Kind, _ id: PaymentID
  ) async throws -> HTTPResponse {
    let name = try await requireOperator(request)
    let key = try idempotencyKey(of: request)
    let body = try OperationBody(json: try body(of: request, mayBeEmpty: true))
    if kind == .close, body.amount != nil {
      throw Problem(.invalidBody, "A close takes no amount.", path: "amount")
    }
    let row = try await checkouts.operate(
      OperationRequest(
        paymentID: id, kind: kind, amount: body.amount, operatorName: name, reason: body.reason,
        idempotencyKey: key))
    let view = OperationView(
      operationID: row.id, paymentID: row.paymentID, kind: row.kind.rawValue, amount: row.amount,
      state: row.isInFlight && row.acceptedAt != nil ? "accepted" : row.state.rawValue,
      detail: row.detail)
    return json(view.json, status: row.isInFlight ? 202 : 200)
  }

  func cancelOrder(_ request: HTTPRequest, _ id: OrderID) async throws -> HTTPResponse {
    let name = try await requireOperator(request)
    let body = try ReasonBody(json: try body(of: request, mayBeEmpty: true))
    let order = try await checkouts.cancelOrder(id, by: name, because: body.reason)
    // While it waits, what the provider last said may be old.
    let view = try await orderView(id, isFresh: order.state == .cancelled)
    return json(view.json, status: order.state == .cancelled ? 200 : 202)
  }

  func takeWebhook(_ request: HTTPRequest, at provider: ProviderName) async throws -> HTTPResponse {
    let receipt = try await sync.receive(request, at: provider)
    environment.metrics.add(to: .webhooks, peerWord(provider), receipt.word)
    switch receipt {
    case .stored: return HTTPResponse(status: 200)
    case .handshake(let answer):
      return HTTPResponse(
        status: 200, headers: ["Content-Type": "application/json"], body: answer)
    case .tooLarge: throw Problem(.tooLarge, "The delivery is longer than its kind may be.")
    case .unauthentic: throw Problem(.unauthenticated, "The delivery is not signed as agreed.")
    case .full: throw Problem(.unavailable, "There is no room for more of those; send it again.")
    case .malformed: throw Problem(.malformedRequest, "The delivery names no payment.")
    case .unknownProvider: throw Problem(.notFound, "This provider is not configured here.")
    }
  }

  /// Leads a browser on to the app, query as it came. Proves nothing and changes nothing.
  func sendBack(_ request: HTTPRequest, _ outcome: String) throws -> HTTPResponse {
    guard ["success", "cancel", "failure"].contains(outcome) else {
      throw Problem(.notFound, "There is no such path.")
    }
    let query = request.target.drop { $0 != "?" }
    return ReturnPage(link: "\(settings.appReturnBase)/\(outcome)\(query)").response
  }

  private func orderView(_ id: OrderID, isFresh: Bool) async throws -> OrderView {
    let now = environment.clock.now()
    return try await store.read { transaction in
      guard let order = try transaction.order(id) else {
        throw Problem(.notFound, "There is no such order.")
      }
      return try Views(transaction: transaction, now: now).order(order, isFresh: isFresh)
    }
  }
}

extension JournalEntry {
  var json: JSONValue {
    .object([
      "sequence": .integer(sequence),
      "at": .string(at.description),
      "payment_id": .optional(paymentID?.rawValue),
      "webhook_id": .optional(webhookID?.rawValue),
      "channel": .string(channel.rawValue),
      "operator": .optional(operatorName?.rawValue),
      "trust": .string(trust.rawValue),
      "event": .string(event),
      "change": .optional(change),
      "note": .optional(note),
    ])
  }
}
