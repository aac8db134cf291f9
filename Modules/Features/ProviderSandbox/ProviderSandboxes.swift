public import HTTPExchange
import StrictJSON

/// Several sandboxes under one address: one at the root, the others each under a prefix of its own,
/// with one control API for all.
///
/// `/sandbox/ledger` lists the payments of all, each with its `provider`; `/sandbox/clock` moves
/// the clock of all; `/sandbox/payments/{id}/…` finds the payment wherever it is.
/// `/sandbox/settings` are those of the one at the root, `/sandbox/settings/NAME` those of another.
public struct ProviderSandboxes: HTTPHandler {
  private let root: any HTTPHandler
  private let others: [(name: String, handler: any HTTPHandler)]

  /// Serves `root` as it is, and each of `others` under `/NAME`.
  public init(root: any HTTPHandler, others: [(name: String, handler: any HTTPHandler)]) {
    self.root = root
    self.others = others
  }

  /// Hands the request to whom it is for.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    let segments = request.path.split(separator: "/", omittingEmptySubsequences: false)
      .dropFirst().map(String.init)
    if segments.first == "sandbox" { return await control(request, segments) }
    guard let other = others.first(where: { $0.name == segments.first }) else {
      return await root.respond(to: request)
    }
    let rest = String(request.target.dropFirst(other.name.count + 1))
    return await other.handler.respond(
      to: request.moved(to: rest.hasPrefix("/") ? rest : "/\(rest)"))
  }

  private func control(_ request: HTTPRequest, _ segments: [String]) async -> HTTPResponse {
    switch (segments.dropFirst().first, segments.count) {
    case ("ledger", 2): return await ledger(request)
    case ("clock", 2):
      let answer = await root.respond(to: request)
      guard answer.status == 200 else { return answer }
      for other in others { _ = await other.handler.respond(to: request) }
      return answer
    case ("settings", 3):
      guard let other = others.first(where: { $0.name == segments[2] }) else {
        return await root.respond(to: request)
      }
      return await other.handler.respond(to: request.moved(to: "/sandbox/settings"))
    case ("payments", 3...):
      for handler in others.map(\.handler) {
        let answer = await handler.respond(to: request)
        if answer.status != 404 { return answer }
      }
      return await root.respond(to: request)
    default: return await root.respond(to: request)
    }
  }

  private func ledger(_ request: HTTPRequest) async -> HTTPResponse {
    let answer = await root.respond(to: request)
    guard answer.status == 200, let first = try? JSONValue(parsing: answer.body) else {
      return answer
    }
    var parts: [(name: String, ledger: JSONValue)] = []
    for other in others {
      let part = await other.handler.respond(to: request)
      guard let json = try? JSONValue(parsing: part.body) else { continue }
      parts.append((other.name, json))
    }
    return .json(Self.ledger(first, others: parts))
  }

  /// The root's ledger with the payments of all; the other members of the rest stand under
  /// `providers`.
  static func ledger(
    _ root: JSONValue, others: [(name: String, ledger: JSONValue)]
  ) -> JSONValue {
    func rest(_ ledger: JSONValue) -> [JSONMember] {
      (ledger.members ?? []).filter { $0.name != "payments" }
    }
    let all = [root] + others.map(\.ledger)
    return .object(
      rest(root) + [
        JSONMember(
          name: "providers",
          value: .object(
            others.map { JSONMember(name: $0.name, value: .object(rest($0.ledger))) })),
        JSONMember(
          name: "payments", value: .array(all.flatMap { $0["payments"]?.elements ?? [] })),
      ])
  }
}

extension HTTPRequest {
  /// The same request for another target.
  fileprivate func moved(to target: String) -> HTTPRequest {
    var request = self
    request.target = target
    return request
  }
}
