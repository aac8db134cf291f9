import HTTPExchange
import StrictJSON

/// Steps of checks that have to do with webhooks.
extension CheckBench {
  /// Opens a payment whose webhooks are kept back.
  func openHeld() async throws -> Payment {
    let payment = try await open()
    await relay.hold(payment.names)
    return payment
  }

  /// Waits until the sandbox has sent so many webhooks about a payment.
  func deliveries(_ payment: Payment, count: Int = 1) async throws -> [DeliveryRelay.Delivery] {
    try await deliveries(naming: payment.names, count: count)
  }

  /// Waits until the sandbox has sent so many webhooks that hold one of these names.
  func deliveries(
    naming names: [String], count: Int = 1
  ) async throws -> [DeliveryRelay.Delivery] {
    let start = uptime
    while true {
      let deliveries = await relay.deliveries(naming: names)
      if deliveries.count >= count { return deliveries }
      guard uptime - start < ConformanceLimits.deliveryTime else {
        throw CheckEnd.notRun("the sandbox sent \(deliveries.count) webhooks, not \(count)")
      }
      try await pause(ConformanceLimits.pollTime)
    }
  }

  /// The last validation that Tebex' sandbox asked for, answered if the backend answers at all.
  func validation() async throws -> DeliveryRelay.Delivery {
    let start = uptime
    while true {
      let asked = await relay.validations.last
      if let asked, asked.answer != nil { return asked }
      guard uptime - start < ConformanceLimits.deliveryTime else {
        guard let asked else { throw CheckEnd.notRun("the sandbox has not asked") }
        return asked
      }
      try await pause(ConformanceLimits.pollTime)
    }
  }

  /// A payment that is paid and whose genuine webhook the backend has not seen.
  func paidAndHeld() async throws -> (payment: Payment, webhook: DeliveryRelay.Delivery) {
    let payment = try await openHeld()
    try await pay(payment)
    let deliveries = try await deliveries(payment)
    return (payment, deliveries[0])
  }

  /// Hands a delivery to the backend as it came.
  @discardableResult
  func deliver(_ delivery: DeliveryRelay.Delivery) async -> HTTPResponse? {
    await backend.deliver(account, headers: delivery.headers, body: delivery.body)
  }

  /// The headers of a delivery with what proves it spoilt, or without it.
  func headers(
    of delivery: DeliveryRelay.Delivery, proof: (String) -> String?
  ) -> HTTPHeaders {
    var headers = HTTPHeaders()
    for field in delivery.headers.fields {
      guard isProof(field.name) else {
        headers.add(field.name, field.value)
        continue
      }
      if let value = proof(field.value) { headers.add(field.name, value) }
    }
    return headers
  }

  private func isProof(_ name: String) -> Bool {
    let name = name.lowercased()
    return name == account.webhookHeader?.lowercased() || name.hasSuffix("signature")
  }

  /// Whether the provider proves its webhooks at all.
  func requireProof(_ delivery: DeliveryRelay.Delivery) throws {
    guard delivery.headers.fields.contains(where: { isProof($0.name) }) else {
      throw CheckEnd.notRun("the sandbox's webhooks carry no proof: give it a secret")
    }
  }

  /// A body about another payment that says the same.
  func body(
    of delivery: DeliveryRelay.Delivery, about other: Payment, insteadOf payment: Payment
  ) -> [UInt8] {
    var text = delivery.text
    for (old, new) in zip(payment.names, other.names) { text = text.replacing(old, with: new) }
    return Array(text.utf8)
  }

  /// Posts bytes under the headers of a genuine delivery.
  func post(_ body: [UInt8], _ headers: HTTPHeaders) async -> HTTPResponse? {
    await backend.deliver(account, headers: headers, body: body)
  }
}

/// The status of an answer in words.
func word(_ response: HTTPResponse?) -> String {
  response.map { "\($0.status)" } ?? "no answer"
}
