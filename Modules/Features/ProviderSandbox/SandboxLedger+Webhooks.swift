import HTTPExchange
import KitEnvironment
import PaymentModels

/// Webhooks of a fake provider: queued with the faults of their payment, repeated until taken.
extension SandboxLedger {
  func isTaken(_ status: Int) -> Bool { (200..<300).contains(status) }

  func header(for delivery: WebhookDelivery) -> WebhookHeader? { delivery.header }

  /// Takes what is due and says how long to wait for more.
  func nextStep() -> SandboxLoop.Step {
    settle()
    let now = now
    let due = queue.takeDue(at: now).map { delivery in
      var delivery = delivery
      delivery.header = header(for: delivery)
      return delivery
    }
    let times = [time.agenda, queue.nextDue].compactMap { $0 }
    return SandboxLoop.Step(due: due, wait: times.min()?.since(now), pokes: time.pokes())
  }

  /// Queues a webhook about the payment at `index`, as often as its faults say.
  func post(_ delivery: WebhookDelivery, about index: Int) {
    let faults = faults(of: index)
    for _ in 0..<faults.webhookCopies {
      let unsent = queue.add(delivery, isDropped: faults.dropsWebhooks)
      if let unsent { archive(unsent) }
    }
  }

  /// Books the outcome of one attempt; `status` is nil if no answer came.
  func finish(_ delivery: WebhookDelivery, status: Int?) {
    environment.log(
      .info, "webhook sent", ("payment", delivery.paymentID), ("status", delivery.status),
      ("answer", status.map(String.init) ?? "none"))
    let done = queue.finish(
      delivery, status: status, isTaken: status.map(isTaken) ?? false, at: now,
      retryMs: settings.webhookRetryMs)
    if let done { archive(done) }
    time.poke()
  }

  /// Sends a webhook about the payment at `index` once more, at once and whatever its faults say;
  /// one that waits goes now.
  func resend(_ number: Int?, of index: Int) throws(ControlError) {
    let payment = payments[index]
    if let waiting = queue.deliveries.first(where: {
      $0.number == number && $0.paymentID == payment.id
    }) {
      guard waiting.state == .waiting else { throw ControlError("the webhook is being sent") }
      return queue.hasten(waiting.number, to: now)
    }
    guard var again = payment.trail.deliveries.first(where: { $0.number == number }) else {
      throw ControlError("there is no such webhook of this payment")
    }
    again.attempts = []
    again.state = .waiting
    again.due = now
    guard queue.add(again, isDropped: false) == nil else {
      throw ControlError("too many webhooks are waiting")
    }
  }

  private func archive(_ delivery: WebhookDelivery) {
    guard let index = position(delivery.paymentID) else { return }
    payments[index].trail.remember(delivery)
  }
}

extension SandboxLedger where Settings: SignedWebhookSettings {
  /// The signature of the body; nil without a secret.
  func header(for delivery: WebhookDelivery) -> WebhookHeader? {
    guard let secret = settings.webhookSecret, let title = settings.webhookHeader else {
      return nil
    }
    return WebhookHeader(
      title: title,
      value: settings.webhookScheme.signature(
        of: delivery.body, secret: secret,
        at: environment.clock.now() - .milliseconds(settings.webhookAgeMs),
        hashing: environment.hashing))
  }
}
