import HTTPExchange
import KitEnvironment
import PaymentModels

/// Webhooks of one sandbox on their way: waiting, being sent, to be repeated.
struct WebhookQueue: Sendable {
  private(set) var deliveries: [WebhookDelivery] = []
  private var number = 0

  /// Queues a delivery; gives it back with its end if it is dropped or there is no room.
  mutating func add(_ delivery: WebhookDelivery, isDropped: Bool) -> WebhookDelivery? {
    number += 1
    var delivery = delivery
    delivery.number = number
    guard isDropped || deliveries.count >= SandboxLimits.webhookQueueMax else {
      deliveries.append(delivery)
      return nil
    }
    delivery.state = isDropped ? .dropped : .lost
    return delivery
  }

  /// Makes one that waits due at that time.
  mutating func hasten(_ number: Int, to now: Instant) {
    guard let index = deliveries.firstIndex(where: { $0.number == number }) else { return }
    deliveries[index].due = min(deliveries[index].due, now)
  }

  /// Takes what is due, the earliest first, as far as there is room for it under way.
  mutating func takeDue(at now: Instant) -> [WebhookDelivery] {
    var due: [WebhookDelivery] = []
    var room = room
    let order = deliveries.indices.sorted {
      (deliveries[$0].due, deliveries[$0].number) < (deliveries[$1].due, deliveries[$1].number)
    }
    for index in order where room > 0 {
      guard deliveries[index].state == .waiting, deliveries[index].due <= now else { continue }
      deliveries[index].state = .sending
      due.append(deliveries[index])
      room -= 1
    }
    return due
  }

  /// When the next one is due; nil if none waits or none could be sent.
  var nextDue: Instant? {
    room > 0 ? deliveries.filter { $0.state == .waiting }.map(\.due).min() : nil
  }

  /// Books the outcome of one attempt: it waits for its repeat, or is given back with its end.
  ///
  /// - Parameter status: nil if no answer came.
  mutating func finish(
    _ delivery: WebhookDelivery, status: Int?, isTaken: Bool, at now: Instant, retryMs: [Int64]
  ) -> WebhookDelivery? {
    guard let index = deliveries.firstIndex(where: { $0.number == delivery.number }) else {
      return nil
    }
    deliveries[index].attempts.append(.init(at: now, status: status))
    let failures = deliveries[index].attempts.count
    if !isTaken, failures <= retryMs.count {
      deliveries[index].due = now + .milliseconds(retryMs[failures - 1])
      deliveries[index].state = .waiting
      return nil
    }
    var done = deliveries.remove(at: index)
    done.state = isTaken ? .delivered : .lost
    return done
  }

  private var room: Int {
    SandboxLimits.deliveriesInFlightMax - deliveries.count { $0.state == .sending }
  }
}

/// How a sandbox signs its webhooks, where the provider's document names no scheme.
public enum SandboxWebhookScheme: String, Sendable, CaseIterable {
  /// `t=SECONDS,v1=HEX` over `SECONDS.body`.
  case timestamped
  /// HEX over the body alone.
  case body

  /// The signature of a body, stamped with a time of the environment's own clock: a sandbox's may
  /// be ahead of everybody else's.
  func signature(
    of body: [UInt8], secret: String, at instant: Instant, hashing: Hashing
  ) -> String {
    let key = Array(secret.utf8)
    func hmac(_ bytes: [UInt8]) -> String { hexText(hashing.hmacSHA256(key, bytes)) }
    switch self {
    case .body: return hmac(body)
    case .timestamped:
      let stamp = instant.milliseconds / 1_000
      return "t=\(stamp),v1=\(hmac(Array("\(stamp).".utf8) + body))"
    }
  }
}

extension WebhookDelivery {
  /// Sends it once and gives the answer; nil if none came, which is one more thing that a
  /// provider counts as a failed attempt.
  func answer(over transport: any HTTPTransport) async -> HTTPResponse? {
    var headers: HTTPHeaders = ["Content-Type": "application/json"]
    if let header { headers.add(header.title, header.value) }
    let request = HTTPOutgoing(
      method: "POST", url: url, headers: headers, body: body,
      deadline: SandboxLimits.webhookTimeout, bodyBytesMax: SandboxLimits.bodyBytesMax)
    do throws(HTTPTransportError) {
      return try await transport.send(request)
    } catch {
      return nil
    }
  }
}
