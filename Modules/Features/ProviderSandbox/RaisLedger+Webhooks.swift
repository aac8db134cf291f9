import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON

/// The fake Raïs' webhooks: signed, repeated until they are taken. Their shape is not documented.
extension RaisLedger {
  /// Takes what is due and says how long to wait for more.
  func nextStep() -> SandboxLoop.Step {
    settle()
    let now = now
    var room = SandboxLimits.deliveriesInFlightMax - queue.count { $0.state == .sending }
    var due: [WebhookDelivery] = []
    for index in queue.indices where room > 0 {
      guard queue[index].state == .waiting, queue[index].due <= now else { continue }
      queue[index].state = .sending
      due.append(queue[index])
      room -= 1
    }
    let waiting = room > 0 ? queue.filter { $0.state == .waiting }.map(\.due) : []
    let changes = payments.compactMap { nextChange(of: $0)?.at }
    let (stream, continuation) = AsyncStream<Void>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    poking = continuation
    return SandboxLoop.Step(
      due: due, wait: (waiting + changes).min()?.since(now), pokes: stream)
  }

  /// Header and value that sign a body, as it is sent now by the environment's own clock: the
  /// sandbox's may be ahead of everybody else's.
  func signature(of body: [UInt8]) -> (title: String, value: String)? {
    guard let secret = settings.webhookSecret, let title = settings.webhookHeader else {
      return nil
    }
    let key = Array(secret.utf8)
    func hmac(_ bytes: [UInt8]) -> String { hexText(environment.hashing.hmacSHA256(key, bytes)) }
    switch settings.webhookScheme {
    case .body: return (title, hmac(body))
    case .timestamped:
      let stamp = environment.clock.now().milliseconds / 1_000
      return (title, "t=\(stamp),v1=\(hmac(Array("\(stamp).".utf8) + body))")
    }
  }

  /// Queues the present state of a payment for the merchant.
  func notify(_ index: Int, at instant: Instant) {
    guard let url = settings.webhookURL else { return }
    let faults = faults(of: index)
    let payment = payments[index]
    let status = word(payment.status)
    let body = JSONValue.object([
      "id": .string("evt_\(environment.newUUID())"), "type": .string("payment.\(status)"),
      "created_at": .string(instant.description), "data": paymentJSON(payment),
    ]).serialized()
    for _ in 0..<faults.webhookCopies {
      deliveryCount += 1
      var delivery = WebhookDelivery(
        number: deliveryCount, paymentID: payment.id, url: url, header: nil, body: body,
        status: status, captureCount: payment.status == .paid ? 1 : 0, refundCount: 0,
        due: instant + .milliseconds(faults.webhookDelayMs))
      if faults.dropsWebhooks || queue.count >= SandboxLimits.webhookQueueMax {
        delivery.state = faults.dropsWebhooks ? .dropped : .lost
        archive(delivery)
      } else {
        queue.append(delivery)
      }
    }
  }

  /// Books the outcome of one attempt; `status` is nil if no answer came.
  func finish(_ delivery: WebhookDelivery, status: Int?) {
    guard let index = queue.firstIndex(where: { $0.number == delivery.number }) else { return }
    queue[index].attempts.append(.init(at: now, status: status))
    let failures = queue[index].attempts.count
    let isTaken = (200..<300).contains(status ?? 0)
    environment.log(
      .info, "webhook sent", ("payment", delivery.paymentID), ("status", delivery.status),
      ("answer", status.map(String.init) ?? "none"))
    if !isTaken, failures <= settings.webhookRetryMs.count {
      queue[index].due = now + .milliseconds(settings.webhookRetryMs[failures - 1])
      queue[index].state = .waiting
    } else {
      var done = queue.remove(at: index)
      done.state = isTaken ? .delivered : .lost
      archive(done)
    }
    poking?.yield()
  }

  private func archive(_ delivery: WebhookDelivery) {
    guard let index = position(delivery.paymentID) else { return }
    payments[index].deliveryLog.append(delivery)
    let excess = payments[index].deliveryLog.count - SandboxLimits.deliveryLogMax
    if excess > 0 { payments[index].deliveryLog.removeFirst(excess) }
  }
}
