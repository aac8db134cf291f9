import CheckoutService
import HTTPExchange
import KitEnvironment
import MerchantAPI
import PaymentModels
import PaymentStore
import StrictJSON

/// Stops of new checkouts at a provider: reads, webhooks, captures and refunds go on.
extension MerchantServer {
  func listProviders() async throws -> HTTPResponse {
    let pauses = try await store.read { try $0.pauses() }
    return json(
      .object([
        "providers": .array(checkouts.accountKeys.map { view(of: $0, pauses) })
      ]))
  }

  func pause(
    _ request: HTTPRequest, _ provider: ProviderName, by name: OperatorName
  ) async throws -> HTTPResponse {
    let body = try PauseBody(json: try body(of: request))
    try requireAccount(provider, body.account)
    let now = environment.clock.now()
    try await store.write { transaction in
      try transaction.putPause(
        PauseRow(
          provider: provider, account: body.account, pausedAt: now, operatorName: name,
          reason: body.reason))
      try Self.tell("pause", provider, body, name, now, transaction)
    }
    environment.log(
      .warning, "new checkouts are paused", ("provider", provider.rawValue),
      ("account", body.account?.rawValue ?? "all"), ("operator", name.rawValue))
    return try await listProviders()
  }

  func resume(
    _ request: HTTPRequest, _ provider: ProviderName, by name: OperatorName
  ) async throws -> HTTPResponse {
    let body = try PauseBody(json: try body(of: request))
    try requireAccount(provider, body.account)
    let now = environment.clock.now()
    let wasPaused = try await store.write { transaction in
      guard try transaction.removePause(provider, body.account) else { return false }
      try Self.tell("resume", provider, body, name, now, transaction)
      return true
    }
    guard wasPaused else {
      throw Problem(
        .conflict, "There is no such pause; one of a whole provider is ended without an account.")
    }
    environment.log(
      .info, "new checkouts are taken again", ("provider", provider.rawValue),
      ("account", body.account?.rawValue ?? "all"), ("operator", name.rawValue))
    return try await listProviders()
  }

  /// Names of what is paused, for readiness: `tabby`, `tabby uae`.
  func pausedNames() async throws -> [JSONValue] {
    try await store.read { try $0.pauses() }.map { pause in
      .string(
        [pause.provider.rawValue, pause.account?.rawValue].compactMap(\.self)
          .joined(separator: " "))
    }
  }

  private func requireAccount(
    _ provider: ProviderName, _ account: ProviderAccount?
  ) throws(Problem) {
    let isKnown = checkouts.accountKeys.contains {
      $0.provider == provider && (account == nil || account == $0.account)
    }
    guard isKnown else { throw Problem(.notFound, "There is no such provider or account here.") }
  }

  private static func tell(
    _ event: String, _ provider: ProviderName, _ body: PauseBody, _ name: OperatorName,
    _ now: Instant, _ transaction: any PaymentTransaction
  ) throws {
    try transaction.appendJournal(
      JournalEntry(
        at: now, orderID: nil, paymentID: nil, channel: .operator, operatorName: name,
        trust: .proof, event: event,
        change: "\(provider) \(body.account?.rawValue ?? "all accounts")", note: body.reason))
  }

  private func view(of key: AccountKey, _ pauses: [PauseRow]) -> JSONValue {
    let pause = pauses.first { $0.stops(key) }
    return .object([
      "provider": .string(key.provider.rawValue), "account": .string(key.account.rawValue),
      "paused": .bool(pause != nil),
      "pause_of": pause.map { .optional($0.account?.rawValue ?? "all") } ?? .null,
      "paused_at": .optional(pause?.pausedAt.description),
      "paused_by": .optional(pause?.operatorName.rawValue),
      "reason": .optional(pause?.reason),
    ])
  }
}
