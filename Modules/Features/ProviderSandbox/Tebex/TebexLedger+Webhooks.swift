import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON

/// Webhooks of the fake Tebex. An endpoint is first asked whether it is there; until it has
/// answered with the id of the question, nothing else is sent to it.
extension TebexLedger {
  /// HMAC over the hexadecimal digest of the bytes, in lower case.
  func header(for delivery: WebhookDelivery) -> WebhookHeader? {
    guard let secret = settings.webhookSecret else { return nil }
    let hashing = environment.hashing
    let digest = Array(hexText(hashing.sha256(delivery.body)).utf8)
    return WebhookHeader(
      title: "X-Signature", value: hexText(hashing.hmacSHA256(Array(secret.utf8), digest)))
  }

  /// Takes what is due, after a look at who is to be asked.
  func nextTask() -> SandboxLoop.Step {
    askEndpoint()
    return nextStep()
  }

  /// Asks a new endpoint, or one that is to be asked again.
  private func askEndpoint() {
    let endpoint = [settings.webhookURL, settings.webhookSecret].compactMap { $0 }
    let isNew = endpoint != asked
    guard endpoint.count == 2 else {
      if isNew { (asked, held, settings.handshake) = ([], [], .none) }
      return
    }
    guard isNew || settings.handshake == .none else { return }
    if isNew { held = [] }
    asked = endpoint
    settings.handshake = .pending
    let question = event(environment.newUUID(), "validation.webhook", .object([]), at: now)
    _ = queue.add(
      WebhookDelivery(
        paymentID: "", url: endpoint[0], header: nil, body: question,
        status: "validation.webhook", captureCount: 0, refundCount: 0, due: now),
      isDropped: false)
  }

  /// Books the answer to a webhook; nil if none came.
  func finish(_ delivery: WebhookDelivery, answer: HTTPResponse?) {
    guard delivery.paymentID.isEmpty else { return finish(delivery, status: answer?.status) }
    let asked = (try? JSONValue(parsing: delivery.body))?["id"]
    let said = answer.flatMap { try? JSONValue(parsing: $0.body) }?["id"]
    let isRight = answer?.status == 200 && said != nil && said == asked
    let end = queue.finish(
      delivery, status: answer?.status, isTaken: isRight, at: now,
      retryMs: settings.webhookRetryMs)
    defer { time.poke() }
    guard delivery.url == settings.webhookURL, settings.handshake == .pending, end != nil else {
      return
    }
    settings.handshake = isRight ? .validated : .failed
    for (event, index) in held { send(event, about: index) }
    held = []
  }

  /// Tells the merchant of the last transaction of a basket.
  func notify(_ index: Int, _ type: String, at instant: Instant) {
    guard let url = settings.webhookURL, let id = payments[index].transactions.last?.id else {
      return
    }
    askEndpoint()
    let body = event(
      environment.newUUID(), type, paymentJSON(payments[index], id), at: instant)
    send(
      WebhookDelivery(
        paymentID: payments[index].id, url: url, header: nil, body: body, status: type,
        captureCount: 1, refundCount: type == "payment.refunded" ? 1 : 0,
        due: instant + .milliseconds(faults(of: index).webhookDelayMs)), about: index)
  }

  private func send(_ delivery: WebhookDelivery, about index: Int) {
    switch settings.handshake {
    case .validated: post(delivery, about: index)
    case .pending where held.count < SandboxLimits.webhookQueueMax: held.append((delivery, index))
    case .none, .pending, .failed:
      var kept = delivery
      kept.state = .dropped
      payments[index].trail.remember(kept)
    }
  }

  private func event(
    _ id: String, _ type: String, _ subject: JSONValue, at instant: Instant
  ) -> [UInt8] {
    JSONValue.object([
      "id": .string(id), "type": .string(type),
      "date": .string("\(stamp(instant))+00:00"), "subject": subject,
    ]).serializedAsPHP()
  }
}
