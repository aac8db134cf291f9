public import HTTPExchange
public import StrictJSON

/// The JSON API of one provider, as one account calls it: a request goes out, and what comes back
/// is the JSON of a success or a ``ProviderError`` that says what the caller may do next.
///
/// Build it for a call and let it go: it holds the account's key in plain text, which a stored
/// property would show to whoever prints its owner.
public struct ProviderAPI: Sendable {
  /// Sorts the answers.
  public let check: AnswerCheck
  private let transport: any HTTPTransport
  private let baseURL: String
  private let headers: HTTPHeaders

  /// Describes an API.
  ///
  /// - Parameters:
  ///   - baseURL: what stands before every target, without a slash at the end.
  ///   - headers: what every call carries, the account's key among it.
  public init(
    _ transport: any HTTPTransport, baseURL: String, headers: HTTPHeaders, check: AnswerCheck
  ) {
    self.transport = transport
    self.baseURL = baseURL
    self.headers = headers
    self.check = check
  }

  /// Sends one request, once, and gives the JSON of a success.
  ///
  /// - Parameters:
  ///   - target: path and query, as they go on the wire.
  ///   - headers: what this call carries beside those of every call.
  ///   - body: sent as it is, and called JSON; empty for none.
  /// - Throws: ``ProviderError`` for everything but a readable success.
  public func send(
    _ method: String, _ target: String, headers: HTTPHeaders = [:], body: [UInt8] = []
  ) async throws(ProviderError) -> JSONValue {
    var outgoing = HTTPOutgoing(method: method, url: baseURL + target, headers: headers, body: body)
    for field in self.headers.fields { outgoing.headers.add(field.name, field.value) }
    outgoing.headers.add("Accept", "application/json")
    if !body.isEmpty { outgoing.headers.add("Content-Type", "application/json") }
    let answer: HTTPResponse
    do {
      answer = try await transport.send(outgoing)
    } catch {
      throw check.lost(error)
    }
    let check = check.hiding(sent: body)
    let bytes = try check.body(answer)
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      throw check.unreadable(answer, error.reason)
    }
  }
}
