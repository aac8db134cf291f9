import HTTPExchange
import KitEnvironment
import MerchantAPI
import PaymentModels
import PaymentStore
import StatusSync
import StrictJSON

/// Received deliveries. Their bytes may name the buyer, so they are shown on demand alone.
extension MerchantServer {
  func listWebhooks(_ request: HTTPRequest) async throws -> HTTPResponse {
    let (before, limit) = try page(of: request)
    let state = try webhookState(of: request)
    let provider = request.query.first { $0.name == "provider" }.map { ProviderName($0.value) }
    let rows = try await store.read {
      try $0.webhooks(
        in: state, at: provider, before: before.map { WebhookID($0) }, limit: limit)
    }
    return json(
      .object([
        "webhooks": .array(rows.map { .object($0.members) }),
        "next_before": .optional(rows.count == limit ? rows.last?.id.rawValue : nil),
      ]))
  }

  func showWebhook(_ request: HTTPRequest, _ id: WebhookID) async throws -> HTTPResponse {
    let wish = request.query.first { $0.name == "body" }?.value
    guard wish == nil || wish == "1" else { throw Problem(.malformedRequest, "?body= takes 1.") }
    let showsBody = wish != nil
    let limit = settings.pageMax
    let (row, entries) = try await store.read { transaction in
      guard let row = try transaction.webhook(id) else {
        throw Problem(.notFound, "There is no such delivery.")
      }
      return (row, try transaction.journal(of: id, limit: limit))
    }
    var members = row.members
    members.append(JSONMember(name: "journal", value: .array(entries.reversed().map(\.json))))
    if showsBody { members += row.contents }
    return json(.object(members))
  }

  func requeueWebhook(
    _ request: HTTPRequest, _ id: WebhookID, by name: OperatorName
  ) async throws -> HTTPResponse {
    let reason = try reason(of: request)
    return try await orRefusal {
      json(.object(try await sync.requeue(id, by: name, reason: reason).members))
    }
  }

  func replayWebhook(
    _ request: HTTPRequest, _ id: WebhookID, by name: OperatorName
  ) async throws -> HTTPResponse {
    let reason = try reason(of: request)
    return try await orRefusal { answer(try await sync.replay(id, by: name, reason: reason)) }
  }

  func replaySaved(
    _ request: HTTPRequest, by name: OperatorName
  ) async throws -> HTTPResponse {
    let saved = try ReplayBody(
      json: try body(of: request), bodyBytesMax: settings.bodyBytesMax)
    var headers = HTTPHeaders()
    for header in saved.headers { headers.add(header.name, header.value) }
    let delivery = HTTPRequest(
      method: "POST", target: "/webhooks/\(saved.provider)", headers: headers,
      body: Array(saved.body.utf8))
    return try await orRefusal {
      answer(
        try await sync.replay(
          delivery, at: saved.provider, receivedAt: saved.receivedAt, by: name,
          reason: saved.reason))
    }
  }

  private func answer(_ replay: WebhookReplay) -> HTTPResponse {
    json(
      .object([
        "webhook": .object(replay.webhook.members),
        "check": .string(replay.check),
        "payment_id": .optional(replay.paymentID?.rawValue),
        "changes": .array(replay.changes.map(\.json)),
      ]))
  }

  private func orRefusal(_ body: () async throws -> HTTPResponse) async throws -> HTTPResponse {
    do {
      return try await body()
    } catch let refusal as ReplayRefusal {
      let code: Problem.Code =
        switch refusal.kind {
        case .missing: .notFound
        case .conflict: .conflict
        case .unauthentic: .invalidBody
        }
      throw Problem(code, refusal.detail)
    }
  }

  private func webhookState(of request: HTTPRequest) throws(Problem) -> WebhookRow.State? {
    guard let word = request.query.first(where: { $0.name == "state" })?.value else { return nil }
    guard let state = WebhookRow.State.allCases.first(where: { $0.word == word }) else {
      let words = WebhookRow.State.allCases.map(\.word).joined(separator: ", ")
      throw Problem(.malformedRequest, "?state= takes one of \(words).")
    }
    return state
  }
}

extension WebhookRow.State {
  /// The API's word: what a person waits for, not how far the program is.
  fileprivate var word: String {
    switch self {
    case .received: "queued"
    case .processed: "done"
    case .unmatched, .rejected, .parked: rawValue
    }
  }
}

extension WebhookRow {
  fileprivate var members: [JSONMember] {
    let pairs: KeyValuePairs<String, JSONValue> = [
      "webhook_id": .string(id.rawValue), "provider": .string(provider.rawValue),
      "account": .string(account.rawValue), "received_at": .string(receivedAt.description),
      "state": .string(state.word), "detail": .optional(detail),
      "provider_payment_id": .optional(providerPaymentID?.rawValue),
      "payment_id": .optional(paymentReference?.rawValue),
      "event_id": .optional(isUnsigned ? nil : eventID), "topic": .optional(topic),
      "signed": .bool(!isUnsigned),
      "matched_secret": matchedSecret.map { .integer($0) } ?? .null,
      "proof": .bool(isProof), "deliveries": .integer(deliveries), "tries": .integer(tries),
      "next_try_at": .optional(nextTryAt?.description), "body_sha256": .string(bodyHash),
      "body_erased_at": .optional(bodyErasedAt?.description),
    ]
    return pairs.map { JSONMember(name: $0.key, value: $0.value) }
  }

  /// The bytes, and the headers that were checked.
  fileprivate var contents: [JSONMember] {
    let text = bodyErasedAt == nil ? String(validating: body, as: UTF8.self) : nil
    let isBinary = bodyErasedAt == nil && text == nil
    return [
      JSONMember(name: "headers", value: .optional(checkedHeaders)),
      JSONMember(name: "body", value: .optional(text)),
      JSONMember(name: "body_base64", value: .optional(isBinary ? base64Text(body) : nil)),
    ]
  }
}
