import HTTPExchange
import KitEnvironment
import ProviderInterface
import SystemRuntime
import TestSupport
import Testing

@Suite("Calls to peers")
struct EgressGuardTests {
  private static let configured = ["https://api.tabby.ai", "http://127.0.0.1:4010/futa/v1"]

  @Test(arguments: [
    "https://api.tabby.ai/api/v2/checkout", "HTTPS://API.Tabby.AI/x", "https://api.tabby.ai:443/x",
    "https://api.tabby.ai?x", "http://127.0.0.1:4010/other/path",
  ])
  func `a configured host is reached`(url: String) async throws {
    let wire = ClosureTransport { _ throws(HTTPTransportError) in HTTPResponse(status: 200) }
    let guarded = EgressGuard(wire, to: Self.configured)
    #expect(try await guarded.send(HTTPOutgoing(method: "GET", url: url)).status == 200)
    #expect(wire.sent.map(\.url) == [url])
  }

  @Test(arguments: [
    "http://api.tabby.ai/x", "https://api.tabby.ai.evil.example/x", "https://evil.example/x",
    "https://api.tabby.ai:8443/x", "https://api.tabby.ai@evil.example/x",
    "https://evil.example/api.tabby.ai", "https://evil.example#api.tabby.ai",
    "https://evil.example?https://api.tabby.ai", "https://tabby.ai/x", "http://127.0.0.1:4011/x",
    "http://127.0.0.1/x", "http://localhost:4010/x", "http://169.254.169.254/latest/meta-data",
    "http://[::1]:4010/x", "file:///etc/passwd", "//api.tabby.ai/x", "",
    "https://api.tabby.ai\\@evil.example/", "https://api.tabby.ai\u{2024}evil/",
  ])
  func `no other host is reached, whatever its URL looks like`(url: String) async throws {
    let wire = ClosureTransport { _ throws(HTTPTransportError) in HTTPResponse(status: 200) }
    let guarded = EgressGuard(wire, to: Self.configured)
    await #expect(
      throws: HTTPTransportError(.notSent, reason: "the host is not in the configuration")
    ) {
      try await guarded.send(HTTPOutgoing(method: "GET", url: url))
    }
    #expect(wire.sent.isEmpty)
  }

  @Test func `an address that is none lets nothing out`() async throws {
    let wire = ClosureTransport { _ throws(HTTPTransportError) in HTTPResponse(status: 200) }
    let guarded = EgressGuard(wire, to: ["", "not a url", "ftp://x"])
    await #expect(throws: HTTPTransportError.self) {
      try await guarded.send(HTTPOutgoing(method: "GET", url: "ftp://x/"))
    }
    #expect(wire.sent.isEmpty)
  }

  @Test func `a redirect is an answer, and its target is not asked`() async throws {
    let wire = ClosureTransport { _ throws(HTTPTransportError) in
      HTTPResponse(status: 307, headers: ["Location": "https://evil.example/"])
    }
    let guarded = EgressGuard(wire, to: Self.configured)
    let answer = try await guarded.send(
      HTTPOutgoing(method: "GET", url: "https://api.tabby.ai/x"))
    #expect(answer.status == 307)
    #expect(wire.sent.count == 1)
  }

  private static let outcomes: [(Int?, HTTPTransportError.Kind, String)] = [
    (200, .unknown, "ok"), (299, .unknown, "ok"), (302, .unknown, "redirect"),
    (400, .unknown, "refused"), (401, .unknown, "unauthorized"), (403, .unknown, "unauthorized"),
    (404, .unknown, "not_found"), (422, .unknown, "refused"), (429, .unknown, "throttled"),
    (500, .unknown, "server_error"), (599, .unknown, "server_error"),
    (nil, .unknown, "unknown"), (nil, .notSent, "not_sent"),
  ]

  @Test(arguments: outcomes)
  func `each call is measured and counted by how it ended`(
    status: Int?, kind: HTTPTransportError.Kind, outcome: String
  ) async {
    let clock = ManualClock()
    var environment = KitEnvironment.test(clock)
    environment.metrics = .live()
    let wire = ClosureTransport { _ throws(HTTPTransportError) in
      clock.advance(by: .milliseconds(300))
      guard let status else { throw HTTPTransportError(kind, reason: "as the test wants it") }
      return HTTPResponse(status: status)
    }
    let measured = MeasuredTransport(wire, peer: "tabby", environment: environment)
    _ = try? await measured.send(HTTPOutgoing(method: "GET", url: "https://api.tabby.ai/x"))
    let text = MetricsText.text(environment.metrics.families)
    #expect(text.contains("till_calls_total{peer=\"tabby\",outcome=\"\(outcome)\"} 1\n"))
    #expect(text.contains("till_call_seconds_bucket{peer=\"tabby\",le=\"0.25\"} 0\n"))
    #expect(text.contains("till_call_seconds_bucket{peer=\"tabby\",le=\"0.5\"} 1\n"))
    #expect(text.contains("till_call_seconds_count{peer=\"tabby\"} 1\n"))
  }
}
