public import HTTPExchange
import StrictJSON

/// The merchant's side of fulfilment in demos and tests: acknowledges every message, does its
/// work once for each id, and remembers what it did.
public actor FulfilmentReceiver: HTTPHandler {
  /// A message, as it was first received.
  public struct Message: Hashable, Sendable {
    /// The id that deliveries are deduped by.
    public let id: String
    /// `order.fulfil`, `order.revoke`, …
    public let type: String
    /// About which order.
    public let orderID: String
  }

  /// Messages kept at the most; a demo has a few dozen.
  public static let messagesMax = 100_000

  private var messages: [Message] = []
  private var known: Set<String> = []
  private var deliveries: [String: Int] = [:]
  /// Senders who wait for their answer, while messages are held; nil while they are not.
  private var held: [AsyncStream<Void>.Continuation]?
  private let onMessage: @Sendable (Message) -> Void

  /// A receiver that tells `onMessage` of each message once.
  public init(onMessage: @escaping @Sendable (Message) -> Void = { _ in }) {
    self.onMessage = onMessage
  }

  /// Acknowledges a message with 204.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    guard request.method == "POST" else { return HTTPResponse(status: 405) }
    guard let id = request.headers["webhook-id"],
      let json = try? JSONValue(parsing: request.body),
      let type = json["type"]?.text, let order = json["order_id"]?.text
    else { return HTTPResponse(status: 400) }
    await untilReleased()
    guard messages.count < Self.messagesMax else { return HTTPResponse(status: 503) }
    deliveries[order, default: 0] += 1
    if known.insert(id).inserted {
      let message = Message(id: id, type: type, orderID: order)
      messages.append(message)
      onMessage(message)
    }
    return HTTPResponse(status: 204)
  }

  /// How often goods of an order went out.
  public func fulfilments(of order: String) -> Int { count(of: order, "order.fulfil") }

  /// How often goods of an order were to be taken back.
  public func revocations(of order: String) -> Int { count(of: order, "order.revoke") }

  /// How often messages about an order were delivered that were known before.
  public func repeats(of order: String) -> Int {
    (deliveries[order] ?? 0) - messages.count { $0.orderID == order }
  }

  /// Keeps senders waiting from now on, or no longer.
  public func hold(_ holds: Bool) {
    held?.forEach { $0.finish() }
    held = holds ? [] : nil
  }

  private func untilReleased() async {
    guard held != nil else { return }
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    held?.append(continuation)
    for await _ in stream {}
  }

  /// How many messages of a type there are of an order.
  public func count(of order: String, _ type: String) -> Int {
    messages.count { $0.orderID == order && $0.type == type }
  }
}
