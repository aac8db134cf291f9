import HTTPExchange
import KitEnvironment
import PaymentModels
import PaymentStore
import StrictJSON
import TestSupport
import Testing

@Suite("A provider where new checkouts are paused")
struct PauseTests {
  private static func body(_ account: String? = nil) -> [UInt8] {
    let account = account.map { ",\"account\":\"\($0)\"" } ?? ""
    return Array(#"{"reason":"their page is down"\#(account)}"#.utf8)
  }

  private static func step(
    _ world: ServerWorld, _ step: String, _ account: String? = nil
  ) async throws -> Int {
    try await world.send("POST", "/v1/providers/tabby/\(step)", body: body(account)).status
  }

  @Test func `new checkouts get a clear 503, and all else goes on`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      #expect(try await Self.step(world, "pause") == 200)
      let refused = try await world.send(
        "POST", "/v1/checkouts", token: ServerWorld.user, key: "k2",
        body: Array(#"{"provider":"tabby","items":[{"product_id":"lamp","quantity":1}]}"#.utf8))
      #expect(refused.status == 503)
      #expect(refused.headers["Retry-After"] == "60")
      let problem = try JSONValue(parsing: refused.body)
      #expect(problem["type"]?.text == "/problems/provider_paused")
      #expect(problem["detail"]?.text?.contains("tabby are paused") == true)
      #expect(try await world.paymentCount() == 1)
      // The page that there is can still be had, and paid, captured and given back.
      let again = try await world.checkout(
        key: "k3", #"{"provider":"tabby","order_id":"\#(row.orderID)"}"#)
      #expect(again.status == 201)
      #expect(again.json["payment_id"]?.text == row.id.rawValue)
      let id = try #require(row.providerPaymentID)
      world.provider.change(id) { $0.status = .authorized }
      #expect(try await world.deliver(world.provider.webhook(id)) == 200)
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      let refund = try await world.send(
        "POST", "/v1/payments/\(row.id)/refunds", key: "r1",
        body: Array(#"{"reason":"broken"}"#.utf8))
      #expect(refund.status == 200)
      // The key of the refused checkout is free: nothing came of it.
      #expect(try await Self.step(world, "resume") == 200)
      #expect(try await world.checkout(key: "k2").status == 201)
      #expect(try await Self.step(world, "resume") == 409)
    }
  }

  @Test func `it stays through a restart, and is shown with who made it and why`() async throws {
    var setup = ServerWorld.Setup()
    try await ServerWorld.run(setup) { world in
      let paused = try await Self.step(world, "pause")
      #expect(paused == 200)
    }
    setup.seed = 2
    try await ServerWorld.run(setup) { world in
      #expect(try await world.checkout().status == 503)
      let shown = try await world.get("/v1/providers")["providers"]?[0]
      #expect(shown?["provider"]?.text == "tabby")
      #expect(shown?["paused"]?.boolean == true)
      #expect(shown?["reason"]?.text == "their page is down")
      #expect(shown?["paused_by"]?.text?.isEmpty == false)
      let ready = try await world.get("/readyz")
      #expect(ready["paused"]?[0]?.text == "tabby")
      #expect(try await Self.step(world, "resume") == 200)
      #expect(try await world.get("/readyz")["paused"]?.elements?.isEmpty == true)
    }
  }

  @Test func `one account alone: another that takes the currency is taken`() async throws {
    var setup = ServerWorld.Setup()
    setup.providers = [FakeProvider(), FakeProvider(account: "second", family: 8)]
    try await ServerWorld.run(setup) { world in
      #expect(try await Self.step(world, "pause", "uae") == 200)
      let json = try await world.checkout().json
      let id = PaymentID(try #require(json["payment_id"]?.text))
      #expect(try await world.payment(id).account == ProviderAccount("second"))
      #expect(try await Self.step(world, "pause", "nowhere") == 404)
      // That of one account is not that of the provider.
      #expect(try await Self.step(world, "resume") == 409)
      #expect(try await Self.step(world, "resume", "uae") == 200)
    }
  }

  @Test(arguments: [
    ("{}", ServerWorld.operatorKey, 422), (#"{"reason":"x"}"#, ServerWorld.user, 403),
  ])
  func `it needs a reason and an operator key`(
    body: String, token: String, status: Int
  ) async throws {
    try await ServerWorld.run { world in
      let answer = try await world.send(
        "POST", "/v1/providers/tabby/pause", token: token, body: Array(body.utf8))
      #expect(answer.status == status)
    }
  }
}
