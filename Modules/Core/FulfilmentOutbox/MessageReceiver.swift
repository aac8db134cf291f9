public import HTTPExchange
public import KitEnvironment
public import PaymentModels
import StrictJSON

/// A fulfilment message as a receiver gets it, its signature checked.
public struct ReceivedMessage: Hashable, Sendable {
  /// The id by which deliveries are deduped; the same at every repeat.
  public let id: String
  /// `order.fulfil`, `order.revoke`, `order.refunded`, …
  public let type: String
  /// About which order.
  public let orderID: String
  /// Position among the order's messages, from 1.
  public let sequence: Int64
  /// The whole body.
  public let body: [UInt8]
}

/// The shop's side of fulfilment: takes what `FulfilmentOutbox` sends, checks the signature, and
/// does each message's work once. Mount it on your own server, or run it as `till receive` does.
///
/// A message comes at least once, and in the order of its order's messages. So what `handle` does
/// must be bound to the message's id: note the id and do the work in **one** transaction of your
/// own database, and do nothing if the id is there.
public struct MessageReceiver: HTTPHandler {
  /// Longest body that is taken; a message has some hundred bytes.
  public static let bodyBytesMax = 64 << 10

  private let signatures: [MessageSignature]
  private let clock: KitClock
  private let handle: @Sendable (ReceivedMessage) async throws -> Void

  /// Takes messages signed with one of `secrets`: the new one and, while it is changed, the old.
  ///
  /// - Parameter handle: does the work once for each id. If it throws, the message comes again.
  public init(
    secrets: [Secret], environment: KitEnvironment,
    handle: @escaping @Sendable (ReceivedMessage) async throws -> Void
  ) {
    precondition(!secrets.isEmpty && !secrets.contains(where: \.isBlank), "a blank secret fits all")
    signatures = secrets.map { MessageSignature(secret: $0, hashing: environment.hashing) }
    clock = environment.clock
    self.handle = handle
  }

  /// 204 once the work is done; 401 if the signature does not fit, 400 for what is no message, 503
  /// if it could not be done now.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    guard request.method == "POST" else { return HTTPResponse(status: 405) }
    guard request.body.count <= Self.bodyBytesMax else { return HTTPResponse(status: 413) }
    let now = clock.now()
    // Over the raw bytes, before anything is parsed.
    guard signatures.contains(where: { $0.isValid(request.headers, body: request.body, now: now) })
    else { return HTTPResponse(status: 401) }
    guard let message = ReceivedMessage(request) else { return HTTPResponse(status: 400) }
    do {
      try await handle(message)
      return HTTPResponse(status: 204)
    } catch {
      return HTTPResponse(status: 503)
    }
  }
}

extension ReceivedMessage {
  fileprivate init?(_ request: HTTPRequest) {
    // The id is the header's, which is signed; the body says the same.
    guard let id = request.headers["webhook-id"],
      let json = try? JSONValue(parsing: request.body), json["id"]?.text == id,
      let type = json["type"]?.text, let order = json["order_id"]?.text,
      let sequence = json["sequence"]?.int64
    else { return nil }
    self.init(id: id, type: type, orderID: order, sequence: sequence, body: request.body)
  }
}
