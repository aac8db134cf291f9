/// Sends a request over the network. `CurlTransport` is the live one; a test hands in a closure
/// of its own type.
public protocol HTTPTransport: Sendable {
  /// Sends the request and returns the whole answer, whatever its status.
  ///
  /// Redirects are not followed. Cancelling the task ends the exchange with
  /// ``HTTPTransportError/Kind/unknown``.
  ///
  /// - Throws: ``HTTPTransportError``, whose kind says whether the peer can have seen the request.
  func send(_ request: HTTPOutgoing) async throws(HTTPTransportError) -> HTTPResponse
}

/// A request to be sent to an absolute URL, with the limits of the exchange.
public struct HTTPOutgoing: Sendable, Hashable {
  /// The method, upper case.
  public var method: String
  /// Absolute `http` or `https` URL, sent as it stands.
  public var url: String
  /// Header fields; `Host` and `Content-Length` are added by the transport.
  public var headers: HTTPHeaders
  /// The body; empty means none.
  public var body: [UInt8]
  /// The whole exchange ends after this long.
  public var deadline: Duration
  /// A longer answer body ends the exchange.
  public var bodyBytesMax: Int

  /// Builds a request with a deadline of 15 s and at most 1 MiB of answer, unless told.
  public init(
    method: String, url: String, headers: HTTPHeaders = [:], body: [UInt8] = [],
    deadline: Duration = .seconds(15), bodyBytesMax: Int = 1 << 20
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.deadline = deadline
    self.bodyBytesMax = bodyBytesMax
  }
}

/// An exchange that brought no complete answer.
public struct HTTPTransportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the caller may conclude.
  public enum Kind: String, Hashable, Sendable {
    /// The peer cannot have seen the request (name, connect or TLS failure): safe to repeat.
    case notSent = "not_sent"
    /// The peer may have acted on the request: read before anything is repeated.
    case unknown
  }

  /// What the caller may conclude.
  public let kind: Kind
  /// A constant text without data of the exchange, such as `connect refused`.
  public let reason: String

  /// Builds an error. `reason` is a constant text: no URL, header or body in it.
  public init(_ kind: Kind, reason: String) {
    self.kind = kind
    self.reason = reason
  }

  /// Kind and reason.
  public var description: String { "\(kind.rawValue): \(reason)" }
}
