public import HTTPExchange
import MerchantAPI
public import PaymentModels
import StrictJSON

/// Where the merchant server is and what opens it.
public struct MerchantConnection: Sendable {
  /// The server's URL without a slash at the end.
  public var server: String
  /// A payer's app token.
  public var appToken: Secret?
  /// An operator key.
  public var operatorKey: Secret?
  /// The way there.
  public var transport: any HTTPTransport

  /// Builds a connection.
  public init(
    server: String, appToken: Secret?, operatorKey: Secret?, transport: any HTTPTransport
  ) {
    self.server = server.hasSuffix("/") ? String(server.dropLast()) : server
    self.appToken = appToken
    self.operatorKey = operatorKey
    self.transport = transport
  }

  /// Whose token a request carries.
  enum Role {
    case payer
    case merchant

    var variable: String { self == .payer ? "TILL_APP_TOKEN" : "TILL_OPERATOR_KEY" }
  }

  /// Sends a request and gives the answer, unless it is an error.
  func send(
    _ route: Route, query: String = "", as role: Role, body: JSONValue? = nil,
    headers: HTTPHeaders = [:], deadline: Duration = .seconds(40)
  ) async throws(CommandFailure) -> HTTPResponse {
    var headers = headers
    headers.add("Authorization", "Bearer \(try token(of: role).reveal())")
    if body != nil { headers.add("Content-Type", "application/json") }
    let request = HTTPOutgoing(
      method: route.method, url: server + route.path + query, headers: headers,
      body: body?.serialized() ?? [], deadline: deadline)
    let response: HTTPResponse
    do {
      response = try await transport.send(request)
    } catch {
      let hint =
        error.kind == .notSent
        ? "is it running? Nothing was sent" : "what became of the request is not known"
      throw CommandFailure(.unavailable, "no answer from \(server) (\(error.reason)); \(hint)")
    }
    guard response.status != 401 else {
      let hasEnded = Problem(response: response)?.code == .tokenExpired
      throw CommandFailure(
        .denied,
        hasEnded
          ? "the token in \(role.variable) has run out"
          : "the server does not accept \(role.variable)")
    }
    guard (200...299).contains(response.status) || response.status == 304 else {
      throw CommandFailure(response)
    }
    return response
  }

  /// The token, if it can stand in a header: a stray line end would be refused far from its cause.
  private func token(of role: Role) throws(CommandFailure) -> Secret {
    guard let token = role == .payer ? appToken : operatorKey, !token.isBlank else {
      throw CommandFailure(.denied, "\(role.variable) is not set; this command needs it")
    }
    guard token.reveal().utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw CommandFailure(
        .denied, "\(role.variable) holds a space, a line end or a letter that no token has")
    }
    return token
  }
}
