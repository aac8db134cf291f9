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
    let due = queue.takeDue(at: now)
    let (stream, continuation) = AsyncStream<Void>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    poking = continuation
    let times = payments.compactMap { nextChange(of: $0)?.at } + [queue.nextDue].compactMap { $0 }
    return SandboxLoop.Step(due: due, wait: times.min()?.since(now), pokes: stream)
  }

  /// Header and value that sign a body; nil without a secret.
  func signature(of body: [UInt8]) -> (title: String, value: String)? {
    guard let secret = settings.webhookSecret, let title = settings.webhookHeader else {
      return nil
    }
    return (
      title,
      settings.webhookScheme.signature(of: body, secret: secret, environment: environment)
    )
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
      let delivery = WebhookDelivery(
        paymentID: payment.id, url: url, header: nil, body: body,
        status: status, captureCount: payment.status == .paid ? 1 : 0, refundCount: 0,
        due: instant + .milliseconds(faults.webhookDelayMs))
      let unsent = queue.add(delivery, isDropped: faults.dropsWebhooks)
      if let unsent { archive(unsent) }
    }
  }

  /// Books the outcome of one attempt; `status` is nil if no answer came.
  func finish(_ delivery: WebhookDelivery, status: Int?) {
    let isTaken = (200..<300).contains(status ?? 0)
    environment.log(
      .info, "webhook sent", ("payment", delivery.paymentID), ("status", delivery.status),
      ("answer", status.map(String.init) ?? "none"))
    let done = queue.finish(
      delivery, status: status, isTaken: isTaken, at: now, retryMs: settings.webhookRetryMs)
    if let done { archive(done) }
    poking?.yield()
  }

  private func archive(_ delivery: WebhookDelivery) {
    guard let index = position(delivery.paymentID) else { return }
    payments[index].deliveryLog.remember(delivery)
  }
}
