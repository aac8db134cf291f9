public import CheckoutLifecycle
public import CheckoutSession
public import HTTPExchange
import MerchantAPI
public import PaymentModels
import StrictJSON

/// The kit's own server as a device sees it: `MerchantBackend` over any `HTTPTransport`.
///
/// `CurlTransport` sends on Linux, `URLSessionTransport` on Apple platforms.
public struct MerchantClient: MerchantBackend {
  /// A held read may take this much longer than it asked to be held: the server reads the
  /// provider first, and networks are slow.
  public static let graceOfRead: Duration = .seconds(10)
  /// A create waits for the provider's own create, which may take 15 s.
  static let createDeadline: Duration = .seconds(30)
  /// A signal is a hint; nobody waits for it.
  static let signalDeadline: Duration = .seconds(10)
  /// A payment is about 1 KiB; the rest is room for a server that says more.
  static let bodyBytesMax = 64 << 10

  private let baseURL: String
  private let token: @Sendable () async -> Secret?
  private let transport: any HTTPTransport

  /// Builds a client.
  ///
  /// - Parameters:
  ///   - baseURL: the server's address with no slash at the end: `https://shop.example`.
  ///   - token: asked before each call for the user's app token; nil while nobody is signed in.
  public init(
    baseURL: String, transport: any HTTPTransport, token: @escaping @Sendable () async -> Secret?
  ) {
    self.baseURL = baseURL
    self.transport = transport
    self.token = token
  }

  /// `POST /v1/checkouts` under the key.
  public func createCheckout(
    _ request: CheckoutRequest, key: CheckoutKey
  ) async throws(BackendError) -> PaymentAnswer {
    let response = try await send(
      .createCheckout, headers: ["Idempotency-Key": key.rawValue],
      body: CheckoutBody(request).json, deadline: Self.createDeadline)
    return try answer(response)
  }

  /// `GET /v1/payments/{id}`, held by the server while the version is the known one.
  public func readPayment(
    _ id: PaymentID, wait: Duration, knownVersion: Int64?
  ) async throws(BackendError) -> PaymentAnswer? {
    let seconds = max(0, wait.wholeMilliseconds / 1_000)
    let response = try await send(
      .payment(id.rawValue), query: seconds > 0 ? "?wait=\(seconds)" : "",
      headers: knownVersion.map { ["If-None-Match": "\"\($0)\""] } ?? [:],
      deadline: .seconds(seconds) + Self.graceOfRead)
    if response.status == 304, knownVersion != nil { return nil }
    let answer = try answer(response)
    guard answer.payment.paymentID == id else {
      throw BackendError(.retryLater(after: nil), reason: "answer about another payment")
    }
    return answer
  }

  /// `POST /v1/payments/{id}/signals`
  public func sendSignal(
    _ signal: CheckoutSignal, for id: PaymentID
  ) async throws(BackendError) {
    _ = try await send(
      .signals(id.rawValue), body: SignalBody(signal: signal.onTheWire).json,
      deadline: Self.signalDeadline)
  }

  private func send(
    _ route: Route, query: String = "", headers: HTTPHeaders = [:], body: JSONValue? = nil,
    deadline: Duration
  ) async throws(BackendError) -> HTTPResponse {
    guard let token = await token() else {
      throw BackendError(.signInNeeded, reason: "nobody is signed in")
    }
    var headers = headers
    headers.add("Authorization", "Bearer \(token.reveal())")
    headers.add("Accept", "application/json")
    if body != nil { headers.add("Content-Type", "application/json") }
    let response: HTTPResponse
    do {
      response = try await transport.send(
        HTTPOutgoing(
          method: route.method, url: baseURL + route.path + query, headers: headers,
          body: body?.serialized() ?? [], deadline: deadline, bodyBytesMax: Self.bodyBytesMax))
    } catch {
      throw BackendError(.retryLater(after: nil), reason: error.reason)
    }
    if let error = BackendError(response) { throw error }
    return response
  }

  private func answer(_ response: HTTPResponse) throws(BackendError) -> PaymentAnswer {
    // Also after a 2xx the payment is only known once its body was read: the call is repeated.
    guard response.status < 300, let json = try? JSONValue(parsing: response.body),
      let view = try? PaymentView(json: json), let answer = PaymentAnswer(view)
    else { throw BackendError(.retryLater(after: nil), reason: "unreadable answer") }
    return answer
  }
}
