public import HTTPExchange
public import KitEnvironment

/// Measures each call to one peer, and how it ended.
public struct MeasuredTransport: HTTPTransport {
  private let transport: any HTTPTransport
  private let peer: String
  private let environment: KitEnvironment

  /// Measures a transport.
  ///
  /// - Parameter peer: a word for whom it reaches, the `peer` of the metrics: `tabby`.
  public init(_ transport: any HTTPTransport, peer: String, environment: KitEnvironment) {
    self.transport = transport
    self.peer = peer
    self.environment = environment
  }

  /// Sends as the transport does.
  public func send(_ request: HTTPOutgoing) async throws(HTTPTransportError) -> HTTPResponse {
    let startedAt = environment.clock.uptime()
    do {
      let response = try await transport.send(request)
      note(startedAt, Self.outcome(response.status))
      return response
    } catch {
      note(startedAt, error.kind.rawValue)
      throw error
    }
  }

  private func note(_ startedAt: Duration, _ outcome: String) {
    let elapsed = environment.clock.uptime() - startedAt
    environment.metrics.observe(elapsed, in: .callSeconds, peer)
    environment.metrics.add(to: .calls, peer, outcome)
  }

  /// Grouped by whom it concerns, as ``ProviderError/Kind`` is.
  static func outcome(_ status: Int) -> String {
    switch status {
    case 200...299: "ok"
    case 300...399: "redirect"
    case 401, 403: "unauthorized"
    case 404: "not_found"
    case 429: "throttled"
    case 400...499: "refused"
    default: "server_error"
    }
  }
}

extension Metric {
  static let callSeconds = Metric(
    "till_call_seconds", "Time from a request to a peer to its answer or failure.",
    .histogram(bounds: Metric.callBounds), labels: ["peer"])
  static let calls = Metric(
    "till_calls_total", "Requests to peers by how they ended.", .counter,
    labels: ["peer", "outcome"])
}
