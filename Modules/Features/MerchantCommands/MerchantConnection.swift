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

  func send(
    _ route: Route, query: String = "", as token: Secret?, tokenName: String,
    body: JSONValue? = nil, headers: HTTPHeaders = [:], deadline: Duration = .seconds(40)
  ) async throws(CommandFailure) -> HTTPResponse {
    guard let token else {
      throw CommandFailure(.denied, "\(tokenName) is not set; this command needs it")
    }
    var headers = headers
    headers.add("Authorization", "Bearer \(token.reveal())")
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
    guard response.status >= 400 else { return response }
    throw CommandFailure(response)
  }
}

/// Why a command failed: one line and an exit code.
struct CommandFailure: Error, Hashable {
  enum Kind: Int32 {
    case notAllowed = 1
    case wrongData = 65
    case notFound = 66
    case unavailable = 69
    case notKnownYet = 75
    case denied = 77
  }

  let kind: Kind
  let message: String

  init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// Reads what the server said; an answer that is not a problem document is named by its status.
  init(_ response: HTTPResponse) {
    let problem = Problem(response: response)
    let path = problem?.path.map { "\($0): " } ?? ""
    message = path + (problem?.detail ?? "the server answered with status \(response.status)")
    kind =
      switch response.status {
      case 401, 403: .denied
      case 404: .notFound
      case 409: .notAllowed
      case 429, 500...599: .unavailable
      default: .wrongData
      }
  }
}
