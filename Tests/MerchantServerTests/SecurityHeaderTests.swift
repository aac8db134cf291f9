import HTTPExchange
import MerchantAPI
import MerchantServer
import PaymentModels
import PaymentStore
import TestSupport
import Testing

@Suite("What every answer says to browsers")
struct SecurityHeaderTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let method: String
    let target: String
    let status: Int
    var token: String? = ServerWorld.operatorKey
    var key: String?
    var body = ""
    var testDescription: String { "\(method) \(target) \(status)" }
  }

  private static let rows = [
    Row(method: "GET", target: "/return/success", status: 200, token: nil),
    Row(method: "GET", target: "/healthz", status: 200, token: nil),
    Row(method: "GET", target: "/readyz", status: 200, token: nil),
    Row(method: "GET", target: "/metrics", status: 200),
    Row(method: "GET", target: "/v1/payments", status: 200),
    Row(method: "GET", target: "/v1/webhooks", status: 200),
    Row(
      method: "POST", target: "/v1/checkouts", status: 201, token: ServerWorld.user, key: "k1",
      body: #"{"provider":"tabby","items":[{"product_id":"lamp","quantity":1}]}"#),
    Row(method: "GET", target: "/.well-known/assetlinks.json", status: 404, token: nil),
    Row(method: "GET", target: "/v1/payments", status: 401, token: nil),
    Row(method: "GET", target: "/v1/payments", status: 403, token: ServerWorld.user),
    Row(method: "GET", target: "/nowhere", status: 404),
    Row(method: "GET", target: "/v1/payments/no-uuid", status: 404),
    Row(method: "DELETE", target: "/v1/payments", status: 405),
    Row(method: "GET", target: "/v1/payments?limit=x", status: 400),
    Row(method: "POST", target: "/v1/checkouts", status: 400, token: ServerWorld.user),
    Row(method: "POST", target: "/webhooks/tabby", status: 401, token: nil),
    Row(method: "POST", target: "/webhooks/nobody", status: 404, token: nil),
  ]

  @Test(arguments: rows)
  func `nothing is guessed, kept, framed, loaded or told on`(row: Row) async throws {
    try await ServerWorld.run { world in
      let answer = try await world.send(
        row.method, row.target, token: row.token, key: row.key, body: Array(row.body.utf8))
      #expect(answer.status == row.status)
      #expect(answer.headers.values("X-Content-Type-Options") == ["nosniff"])
      #expect(answer.headers.values("Cache-Control") == ["no-store"])
      #expect(answer.headers.values("Referrer-Policy") == ["no-referrer"])
      #expect(answer.headers.values("X-Frame-Options") == ["DENY"])
      let policy = answer.headers.values("Content-Security-Policy")
      #expect(policy.count == 1)
      #expect(policy.first?.hasPrefix("default-src 'none'") == true)
      #expect(policy.first?.contains("frame-ancestors 'none'") == true)
      // Nobody but the merchant's own apps asks: no other site's page may read an answer.
      #expect(answer.headers["Access-Control-Allow-Origin"] == nil)
      #expect(answer.headers["Set-Cookie"] == nil)
      if !answer.body.isEmpty { #expect(answer.headers["Content-Type"] != nil) }
    }
  }

  @Test func `a store that fails and a limit that is met say it too`() async throws {
    var setup = ServerWorld.Setup()
    setup.tuneServer = { $0.rateLimits.appToken = RateLimit(perMinute: 1, burst: 1) }
    try await ServerWorld.run(setup) { world in
      world.store.failReads(.init(.busy, "as the test wants it"))
      for status in [503, 429] {
        let answer = try await world.send(
          "GET", "/v1/payments/\(Sample.paymentID(1))", token: ServerWorld.user)
        #expect(answer.status == status)
        #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
        #expect(answer.headers["Cache-Control"] == "no-store")
        #expect(answer.headers["Retry-After"] != nil)
      }
    }
  }

  @Test func `what may be kept says so itself`() async throws {
    var setup = ServerWorld.Setup()
    setup.tuneServer = { $0.associations.appleAppIDs = ["ABCDE12345.com.example.shop"] }
    try await ServerWorld.run(setup) { world in
      let answer = try await world.send(
        "GET", "/.well-known/apple-app-site-association", token: nil)
      #expect(answer.headers.values("Cache-Control") == ["public, max-age=3600"])
      #expect(answer.headers.values("X-Content-Type-Options") == ["nosniff"])
    }
  }
}
