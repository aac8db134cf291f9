public import HTTPExchange

/// Lets requests out to some origins only: those that the configuration names.
///
/// Whatever an answer, a stored row or a fault of ours puts into a URL, a key never reaches
/// another host. Redirects are followed by no transport of the kit, so what is checked here is
/// where a request ends.
public struct EgressGuard: HTTPTransport {
  private let transport: any HTTPTransport
  private let origins: Set<String>

  /// Guards a transport.
  ///
  /// - Parameter urls: addresses whose scheme, host and port are let out to; what is none lets
  ///   nothing out.
  public init(_ transport: any HTTPTransport, to urls: [String]) {
    self.transport = transport
    origins = Set(urls.compactMap { webOrigin(of: $0) })
  }

  /// Sends what goes to one of the origins.
  ///
  /// - Throws: ``HTTPTransportError`` of kind `notSent` for anything else.
  public func send(_ request: HTTPOutgoing) async throws(HTTPTransportError) -> HTTPResponse {
    guard let origin = webOrigin(of: request.url), origins.contains(origin) else {
      throw HTTPTransportError(.notSent, reason: "the host is not in the configuration")
    }
    return try await transport.send(request)
  }
}
