import HTTPExchange
import MerchantAPI
import StrictJSON

/// The way by which providers and payers reach the server, walked from this machine.
struct PublicPath: Sendable {
  /// What is found at an address.
  enum Found: Hashable, Sendable {
    /// Nobody said which address that is.
    case notAsked
    /// What was looked for.
    case ours(String)
    /// Something else, or nothing.
    case other(String)
  }

  /// Scheme, host and path in front of the server's own paths; nil if nobody said.
  let base: String?
  let transport: any HTTPTransport

  /// The word that the server behind this address was given at its start.
  func instance() async -> Found {
    guard let base else { return .notAsked }
    return await Self.instance(at: base, transport)
  }

  /// The word that a server was given at its start.
  static func instance(at base: String, _ transport: any HTTPTransport) async -> Found {
    let url = base + Route.health.path
    switch await get(url, transport) {
    case .failure(let error): return .other("no answer at \(url) (\(error.reason))")
    case .success(let answer):
      guard answer.status == 200, let word = json(answer)?["instance"]?.text else {
        return .other("status \(answer.status) at \(url), which is no till-server's answer")
      }
      return .ours(word)
    }
  }

  /// Whether a provider's deliveries come through. A GET there is refused by a server of the kit,
  /// in its own words; a proxy in front would answer in others.
  func webhook(_ provider: String) async -> Found {
    guard let url = webhookURL(provider) else { return .notAsked }
    switch await Self.get(url, transport) {
    case .failure(let error): return .other("no answer at \(url) (\(error.reason))")
    case .success(let answer):
      guard answer.status == 405, let problem = Problem(response: answer),
        problem.code == .methodNotAllowed
      else {
        return .other("status \(answer.status) at \(url), which is no till-server's answer")
      }
      return .ours(url)
    }
  }

  /// Where a provider is to deliver to.
  func webhookURL(_ provider: String) -> String? { base.map { "\($0)/webhooks/\(provider)" } }

  private static func get(
    _ url: String, _ transport: any HTTPTransport
  ) async -> Result<HTTPResponse, HTTPTransportError> {
    do throws(HTTPTransportError) {
      return .success(
        try await transport.send(HTTPOutgoing(method: "GET", url: url, deadline: .seconds(10))))
    } catch {
      return .failure(error)
    }
  }

  private static func json(_ answer: HTTPResponse) -> JSONValue? {
    try? JSONValue(parsing: answer.body)
  }
}
