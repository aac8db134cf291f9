import HTTPExchange
import MerchantAPI
import PaymentModels
import StrictJSON
import TestSupport
import Testing

@testable import MerchantServer

@Suite("Limits on the rate of requests")
struct RateLimitTests {
  private static let limit = RateLimit(perMinute: 60, burst: 3)

  private func run(
    _ tune: @escaping @Sendable (inout ServerSettings) -> Void,
    _ body: (ServerWorld) async throws -> Void
  ) async throws {
    var setup = ServerWorld.Setup()
    setup.tuneServer = tune
    try await ServerWorld.run(setup, body)
  }

  private func ask(
    _ world: ServerWorld, _ target: String, from peer: String?, method: String = "GET",
    token: String? = nil, forwarded: String? = nil
  ) async -> HTTPResponse {
    var headers: HTTPHeaders = [:]
    if let token { headers.add("Authorization", "Bearer \(token)") }
    if let forwarded { headers.add("X-Forwarded-For", forwarded) }
    return await world.server.respond(
      to: HTTPRequest(method: method, target: target, headers: headers, peer: peer))
  }

  @Test func `a burst at the limit is served, one more is told when to come again`() async throws {
    try await run({ $0.rateLimits.source = Self.limit }) { world in
      for _ in 0..<3 {
        #expect(await ask(world, "/return/success", from: "192.0.2.1").status == 200)
      }
      let refused = await ask(world, "/return/success", from: "192.0.2.1")
      #expect(refused.status == 429)
      #expect(refused.headers["Retry-After"] == "1")
      #expect(Problem(response: refused)?.code == .tooManyRequests)
      // Another address has tokens of its own.
      #expect(await ask(world, "/return/success", from: "192.0.2.2").status == 200)
      // 999 ms later there is still none, a millisecond after that there is one.
      world.clock.advance(by: .milliseconds(999))
      #expect(await ask(world, "/return/success", from: "192.0.2.1").status == 429)
      world.clock.advance(by: .milliseconds(1))
      #expect(await ask(world, "/return/success", from: "192.0.2.1").status == 200)
      #expect(await ask(world, "/return/success", from: "192.0.2.1").status == 429)
      #expect(
        world.metricsText.contains("till_rate_limited_total{scope=\"source\"} 3\n"))
    }
  }

  @Test func `a rest fills the bucket up to its burst and no further`() async throws {
    try await run({ $0.rateLimits.source = Self.limit }) { world in
      for _ in 0..<3 { _ = await ask(world, "/return/success", from: "192.0.2.1") }
      world.clock.advance(by: .seconds(3_600))
      var statuses: [Int] = []
      for _ in 0..<4 {
        statuses.append(await ask(world, "/return/success", from: "192.0.2.1").status)
      }
      #expect(statuses == [200, 200, 200, 429])
    }
  }

  @Test func `a token is limited wherever it is used, and no other is`() async throws {
    try await run({ $0.rateLimits.appToken = Self.limit }) { world in
      let path = "/v1/payments/\(Sample.paymentID(9))"
      for number in 0..<3 {
        let peer = "192.0.2.\(number)"
        #expect(await ask(world, path, from: peer, token: ServerWorld.user).status == 404)
      }
      let refused = await ask(world, path, from: "192.0.2.9", token: ServerWorld.user)
      #expect(refused.status == 429)
      #expect(refused.headers["Retry-After"] == "1")
      #expect(await ask(world, path, from: nil, token: ServerWorld.stranger).status == 404)
      // Staff and monitoring are limited by their source alone.
      for _ in 0..<9 {
        #expect(await ask(world, path, from: nil, token: ServerWorld.operatorKey).status == 404)
      }
    }
  }

  @Test func `webhooks have a limit of their own`() async throws {
    try await run({
      $0.rateLimits.source = RateLimit(perMinute: 1, burst: 1)
      $0.rateLimits.webhookSource = Self.limit
    }) { world in
      #expect(await ask(world, "/return/success", from: "192.0.2.1").status == 200)
      #expect(await ask(world, "/return/success", from: "192.0.2.1").status == 429)
      var statuses: [Int] = []
      for _ in 0..<4 {
        statuses.append(
          await ask(world, "/webhooks/tabby", from: "192.0.2.1", method: "POST").status)
      }
      #expect(statuses == [401, 401, 401, 429])
      #expect(
        world.metricsText.contains("till_rate_limited_total{scope=\"webhook_source\"} 1\n"))
    }
  }

  @Test(arguments: [
    "/v1/payments", "/v2/nothing", "/v1/payments/no-uuid", "/.well-known/assetlinks.json",
    "/metrics",
  ])
  func `what is not found or not allowed costs as much`(path: String) async throws {
    try await run({ $0.rateLimits.source = RateLimit(perMinute: 1, burst: 1) }) { world in
      #expect(await ask(world, path, from: "192.0.2.1").status != 429)
      #expect(await ask(world, path, from: "192.0.2.1").status == 429)
    }
  }

  @Test(arguments: ["/healthz", "/readyz"])
  func `a load balancer may ask as often as it likes`(path: String) async throws {
    try await run({ $0.rateLimits.source = RateLimit(perMinute: 1, burst: 1) }) { world in
      for _ in 0..<5 { #expect(await ask(world, path, from: "192.0.2.1").status == 200) }
    }
  }

  @Test(arguments: ["127.0.0.1", "10.1.2.3", "::1", nil])
  func `a private or unknown peer is not one client, and is not limited`(
    peer: String?
  ) async throws {
    try await run({ $0.rateLimits.source = RateLimit(perMinute: 1, burst: 1) }) { world in
      for _ in 0..<5 {
        #expect(await ask(world, "/return/success", from: peer).status == 200)
      }
    }
  }

  @Test func `behind a trusted proxy the client counts, and it cannot make itself up`() async throws
  {
    try await run({
      $0.rateLimits.source = RateLimit(perMinute: 1, burst: 1)
      $0.trustedProxies = [IPRange("10.0.0.0/8")].compactMap { $0 }
    }) { world in
      func status(_ forwarded: String) async -> Int {
        await ask(world, "/return/success", from: "10.0.0.1", forwarded: forwarded).status
      }
      #expect(await status("192.0.2.1") == 200)
      #expect(await status("192.0.2.1") == 429)
      #expect(await status("203.0.113.7, 192.0.2.1") == 429)
      #expect(await status("192.0.2.2") == 200)
    }
  }

  @Test func `all addresses of one IPv6 network are one client`() async throws {
    try await run({ $0.rateLimits.source = RateLimit(perMinute: 1, burst: 1) }) { world in
      #expect(await ask(world, "/return/success", from: "2001:db8:0:1::1").status == 200)
      #expect(await ask(world, "/return/success", from: "2001:db8:0:1:ffff::2").status == 429)
      #expect(await ask(world, "/return/success", from: "2001:db8:0:2::1").status == 200)
    }
  }

  @Test func `the table of peers is bounded, and forgets those that rest`() async {
    let clock = ManualClock()
    let buckets = TokenBuckets<Int>(
      RateLimit(perMinute: 1, burst: 1), peersMax: 10, clock: clock.clock)
    #expect(await buckets.wait(0) == nil)
    for peer in 1...4 { #expect(await buckets.wait(peer) == nil) }
    #expect(await buckets.count == 5)
    // At the limit of a half, and one more: the first five are the older half now.
    #expect(await buckets.wait(5) == nil)
    #expect(await buckets.count == 6)
    // Who is heard of again is remembered on.
    #expect(await buckets.wait(0) != nil)
    for peer in 6...8 { #expect(await buckets.wait(peer) == nil) }
    #expect(await buckets.count <= 10)
    // The newer half is full again: 1 to 4 are forgotten, 0 is not.
    #expect(await buckets.wait(9) == nil)
    #expect(await buckets.wait(0) != nil)
    #expect(await buckets.wait(1) == nil)
    for peer in 100...1_000 {
      _ = await buckets.wait(peer)
      #expect(await buckets.count <= 10)
    }
  }
}
