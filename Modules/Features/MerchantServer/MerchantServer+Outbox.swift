import HTTPExchange
import KitEnvironment
import MerchantAPI
import PaymentModels
import PaymentStore
import StrictJSON

/// Messages to the shop's own systems.
extension MerchantServer {
  func listMessages(_ request: HTTPRequest) async throws -> HTTPResponse {
    let (before, limit) = try page(of: request)
    let state = try messageState(of: request)
    let rows = try await store.read {
      try $0.messages(in: state, before: before.map { MessageID($0) }, limit: limit)
    }
    return json(
      .object([
        "messages": .array(rows.map { .object($0.members) }),
        "next_before": .optional(rows.count == limit ? rows.last?.id.rawValue : nil),
      ]))
  }

  func showMessage(_ id: MessageID) async throws -> HTTPResponse {
    let rows = try await store.read { transaction -> [MessageRow] in
      guard let row = try transaction.message(id) else { throw Problem.noMessage }
      return try transaction.messages(of: row.orderID)
    }
    guard let row = rows.first(where: { $0.id == id }) else { throw Problem.noMessage }
    let ahead = rows.filter { $0.sequence < row.sequence && $0.deliveredAt == nil }
    return json(
      .object(
        row.members + [
          JSONMember(name: "waits_for", value: .optional(ahead.first?.id.rawValue)),
          JSONMember(name: "messages", value: .array(rows.map { .object($0.members) })),
        ]))
  }

  func redeliver(
    _ request: HTTPRequest, _ id: MessageID, by name: OperatorName
  ) async throws -> HTTPResponse {
    let reason = try reason(of: request)
    let now = environment.clock.now()
    let outcome = try await store.write {
      try $0.redeliver(id, by: name, reason: reason, at: now)
    }
    switch outcome {
    case .due(let row): return json(.object(row.members))
    case .missing: throw Problem.noMessage
    case .overtaken:
      throw Problem(
        .conflict, "A later message of the order was acknowledged; sent now, it would undo that.")
    }
  }

  private func messageState(of request: HTTPRequest) throws(Problem) -> MessageRow.State? {
    guard let word = request.query.first(where: { $0.name == "state" })?.value else { return nil }
    guard let state = MessageRow.State(rawValue: word) else {
      let words = MessageRow.State.allCases.map(\.rawValue).joined(separator: ", ")
      throw Problem(.malformedRequest, "?state= takes one of \(words).")
    }
    return state
  }
}

extension Problem {
  fileprivate static let noMessage = Problem(.notFound, "There is no such message.")
}

extension MessageRow {
  fileprivate var members: [JSONMember] {
    let pairs: KeyValuePairs<String, JSONValue> = [
      "message_id": .string(id.rawValue), "order_id": .string(orderID.rawValue),
      "sequence": .integer(sequence), "kind": .string(kind.rawValue),
      "payment_id": .optional(paymentID?.rawValue), "amount": .string(amount.decimal),
      "currency": .string(amount.currency.code), "created_at": .string(createdAt.description),
      "state": .string(state.rawValue), "tries": .integer(tries),
      "next_try_at": .optional(nextTryAt?.description),
      "delivered_at": .optional(deliveredAt?.description),
    ]
    return pairs.map { JSONMember(name: $0.key, value: $0.value) }
  }
}
