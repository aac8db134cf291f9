import HTTPExchange
import KitEnvironment
import StrictJSON

/// What a server must say while its disk is bad, and once it is good again.
struct DiskProbe: Sendable {
  /// `/readyz` looks at the store every two seconds at the most.
  private static let noticeTime: Duration = .seconds(10)
  /// How long a server may need to work again: a batch on its way, a worker's longest pause.
  private static let healTime: Duration = .seconds(30)
  private static let pollGap: Duration = .milliseconds(100)
  private static let key = "disk-probe"
  private static let checkout = Array(
    #"{"provider":"tabby","items":[{"product_id":"tee","quantity":1}]}"#.utf8)

  let fault: DiskFault
  let stage: DiskStage
  let cast: StoryCast
  /// A payment that no store knows: its delivery is one more row and nothing else.
  let strangerID: String

  init(_ fault: DiskFault, _ stage: DiskStage, _ cast: StoryCast) {
    self.fault = fault
    self.stage = stage
    self.cast = cast
    strangerID = stage.sweep.stage.environment.newUUID()
  }

  /// What is wrong with its answers while nothing can be written.
  func faultsWhileBad() async -> [SweepFault] {
    await collected { add in
      try await untilReady(503, within: Self.noticeTime) { response in
        let detail = (try? JSONValue(parsing: response.body))?["detail"]?.text ?? ""
        return detail.contains("the store cannot be used (\(fault.kind.storeWord))")
      }
      for (what, response) in [
        ("a checkout", try await createCheckout()), ("a webhook", try await deliver()),
      ] {
        if (200...299).contains(response.status) {
          add(.lost("\(what) was acknowledged (\(response.status)) and cannot be stored"))
        } else if response.status != 503 || response.headers["Retry-After"] == nil
          || response.headers["Content-Type"] != "application/problem+json"
        {
          add(.wrong("\(what) was answered \(response.status), not 503 with Retry-After"))
        }
      }
      var reads = ["/healthz", "/v1/payments"]
      if let order = await cast.lastOrder { reads.append("/v1/orders/\(order)") }
      for target in reads {
        let status = try await stage.call("GET", target, .operator, nil, []).status
        if status != 200 { add(.wrong("\(target) was answered \(status)")) }
      }
    }
  }

  /// What is wrong once it can be written again.
  func faultsAfterwards() async -> [SweepFault] {
    await collected { add in
      try await untilReady(200, within: Self.healTime) { _ in true }
      let webhook = try await deliver()
      if webhook.status != 200 { add(.wrong("a webhook was answered \(webhook.status)")) }
      let (first, again) = (try await createCheckout(), try await createCheckout())
      let payments = [first, again].map {
        (try? JSONValue(parsing: $0.body))?["payment_id"]?.text
      }
      if ![200, 201, 202].contains(first.status) || payments[0] == nil {
        add(.wrong("a checkout was answered \(first.status)"))
      } else if payments[0] != payments[1] {
        add(.doubled("one key made two payments"))
      }
      let kept = try await stage.call("GET", "/v1/webhooks", .operator, nil, [])
      if !String(decoding: kept.body, as: UTF8.self).contains(strangerID) {
        add(.lost("a webhook was acknowledged and is not there"))
      }
    }
  }

  private func collected(
    _ body: (_ add: (SweepFault) -> Void) async throws -> Void
  ) async -> [SweepFault] {
    var faults: [SweepFault] = []
    do {
      try await body { faults.append($0) }
    } catch {
      faults.append(.wrong("\(error)"))
    }
    return faults
  }

  private func untilReady(
    _ status: Int, within limit: Duration, _ fits: (HTTPResponse) -> Bool
  ) async throws {
    let clock = stage.sweep.stage.environment.clock
    let end = clock.uptime() + limit
    while true {
      let response = try await stage.call("GET", "/readyz", .nobody, nil, [])
      if response.status == status, fits(response) { return }
      guard clock.uptime() < end else {
        let text = String(decoding: response.body, as: UTF8.self)
        throw StoryFailure("/readyz says \(response.status) after \(limit): \(text)")
      }
      try await clock.sleep(for: Self.pollGap)
    }
  }

  private func createCheckout() async throws -> HTTPResponse {
    try await stage.call("POST", "/v1/checkouts", .app, Self.key, Self.checkout)
  }

  private func deliver() async throws -> HTTPResponse {
    let body: JSONValue = .object(["id": .string(strangerID), "status": "authorized"])
    return try await stage.call("POST", "/webhooks/tabby", .provider, nil, body.serialized())
  }
}
