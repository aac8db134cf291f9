import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderSandbox
import StrictJSON
import TestSupport
import Testing

@Suite("The fake Futa's webhooks")
struct FutaWebhookTests {
  /// Runs the sandbox until it has sent `count` webhooks and gives them.
  private func sent(
    _ count: Int, transport: ClosureTransport, _ harness: FutaHarness,
    _ act: () async -> Void
  ) async -> [HTTPOutgoing] {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await harness.sandbox.run() }
      await act()
      while transport.sent.count < count { await Task.yield() }
      group.cancelAll()
    }
    return transport.sent
  }

  private func harness(
    _ transport: ClosureTransport, _ change: (inout FutaSandboxSettings) -> Void = { _ in }
  ) -> FutaHarness {
    FutaHarness(transport: transport) {
      $0.webhookURL = "http://shop.test/webhooks/futa"
      $0.webhookSecret = "hook-secret"
      change(&$0)
    }
  }

  private func hmac(_ bytes: [UInt8]) -> String {
    hexText(Hashing.weakForTests.hmacSHA256(Array("hook-secret".utf8), bytes))
  }

  @Test func `each change is told, dated and signed over the raw bytes`() async throws {
    let transport = ClosureTransport { _ in HTTPResponse(status: 200) }
    let harness = harness(transport)
    let id = await harness.created()
    let requests = await sent(1, transport: transport, harness) {
      _ = await harness.control("payments/\(id)/status", #"{"status":"paid"}"#)
    }
    let request = try #require(requests.first)
    #expect(request.url == "http://shop.test/webhooks/futa")
    let json = try JSONValue(parsing: request.body)
    #expect(json.find("payment.id")?.text == id)
    #expect(json.find("payment.state") == "paid")
    #expect(json.find("payment.merchant_reference") == "order-10482")
    let stamp = harness.clock.clock.now().milliseconds / 1_000
    #expect(
      request.headers["Futa-Signature"]
        == "t=\(stamp),v1=\(hmac(Array("\(stamp).".utf8) + request.body))")
  }

  @Test(arguments: [Int64(1_000), 10_800_000])
  func `a webhook can be stamped as if it had been on the way for so long`(
    ageMs: Int64
  ) async throws {
    let transport = ClosureTransport { _ in HTTPResponse(status: 200) }
    let harness = harness(transport)
    await harness.control("settings", #"{"webhook_age_ms":\#(ageMs)}"#)
    let id = await harness.created()
    let requests = await sent(1, transport: transport, harness) {
      _ = await harness.control("payments/\(id)/status", #"{"status":"paid"}"#)
    }
    let request = try #require(requests.first)
    let stamp = (harness.clock.clock.now().milliseconds - ageMs) / 1_000
    #expect(
      request.headers["Futa-Signature"]
        == "t=\(stamp),v1=\(hmac(Array("\(stamp).".utf8) + request.body))")
  }

  @Test func `scheme and header are settings`() async throws {
    let transport = ClosureTransport { _ in HTTPResponse(status: 204) }
    let harness = harness(transport) {
      $0.webhookScheme = .body
      $0.webhookHeader = "X-Signature"
    }
    let id = await harness.created()
    let requests = await sent(1, transport: transport, harness) {
      _ = await harness.control("payments/\(id)/status", #"{"status":"failed"}"#)
    }
    let request = try #require(requests.first)
    #expect(request.headers["X-Signature"] == hmac(request.body))
  }

  @Test func `copies are sent, and dropped ones are not`() async {
    let transport = ClosureTransport { _ in HTTPResponse(status: 200) }
    let harness = harness(transport) { $0.faults.webhookCopies = 3 }
    let id = await harness.created()
    let requests = await sent(3, transport: transport, harness) {
      _ = await harness.control("payments/\(id)/status", #"{"status":"paid"}"#)
    }
    #expect(Set(requests.map(\.body)).count == 1)
    await harness.control("payments/\(id)/faults", #"{"drop_webhooks":true}"#)
    await harness.control("payments/\(id)/status", #"{"status":"refunded"}"#)
    let states = (await harness.entry(id)["webhooks"]?.elements ?? [])
      .compactMap { $0["state"]?.text }
    #expect(states.contains("dropped"))
  }

  @Test func `a secret is written and never shown`() async {
    let harness = FutaHarness()
    let answer = await harness.control(
      "settings", #"{"webhook_url":"http://a/b","webhook_secret":"hook-secret"}"#)
    #expect(answer.json["webhook_secret"] == "set")
    #expect(!answer.text.contains("hook-secret"))
    #expect(
      await harness.control("settings", #"{"webhook_secret":null}"#).json["webhook_secret"] == .null
    )
  }
}

@Suite("Several sandboxes under one address")
struct ProviderSandboxesTests {
  private struct World {
    let tabby = SandboxHarness()
    let futa = FutaHarness(prefix: "/futa")
    let all: ProviderSandboxes

    init() {
      all = ProviderSandboxes(
        root: tabby.sandbox, others: [("futa", futa.sandbox)])
    }

    func ask(_ method: String, _ path: String, _ body: String = "") async -> HTTPResponse {
      await all.respond(
        to: HTTPRequest(
          method: method, target: path,
          headers: [
            "Authorization": "Bearer \(FutaHarness.key)", "Idempotency-Key": "k",
          ], body: Array(body.utf8)))
    }
  }

  @Test func `each is reached by its path, and links lead back to it`() async {
    let world = World()
    let created = await world.ask("POST", "/futa/v1/payments", FutaOrder().text).json
    let url = created["checkout_url"]?.text ?? ""
    #expect(url == "http://sandbox.test/futa/pay/\(created["id"]?.text ?? "?")")
    #expect(await world.ask("GET", String(url.dropFirst(19))).status == 200)
    #expect(await world.ask("GET", "/api/v2/payments/x").status == 401)
    #expect(await world.ask("GET", "/futab/v1/payments/x").status == 404)
    #expect(await world.ask("GET", "/v1/payments/x").status == 404)
  }

  @Test func `one ledger names the provider of each payment`() async {
    let world = World()
    _ = await world.tabby.create()
    _ = await world.ask("POST", "/futa/v1/payments", FutaOrder().text)
    let ledger = await world.ask("GET", "/sandbox/ledger").json
    let providers = (ledger["payments"]?.elements ?? []).compactMap { $0["provider"]?.text }
    #expect(providers == ["tabby", "futa"])
    #expect(ledger.find("calls.create") == .number("1"))
    #expect(ledger.find("providers.futa.calls.create") == .number("1"))
  }

  @Test func `one clock moves for all`() async {
    let world = World()
    let id = await world.ask("POST", "/futa/v1/payments", FutaOrder().text).json["id"]?.text ?? ""
    #expect(await world.ask("POST", "/sandbox/clock", #"{"advance_ms":-1}"#).status == 400)
    #expect(await world.ask("POST", "/sandbox/clock", #"{"advance_ms":86400000}"#).status == 200)
    #expect(await world.futa.read(id)["state"] == "expired")
    let now = await world.tabby.control("clock").json["now"]
    #expect(now == "2026-09-22T14:13:20Z")
  }

  @Test func `settings are named, payments are found wherever they are`() async {
    let world = World()
    let id = await world.ask("POST", "/futa/v1/payments", FutaOrder().text).json["id"]?.text ?? ""
    let settings = await world.ask("POST", "/sandbox/settings/futa", #"{"cancel_ends":true}"#)
    #expect(settings.json["cancel_ends"] == .bool(true))
    #expect(await world.ask("GET", "/sandbox/settings").json["cancel_ends"] == nil)
    #expect(await world.ask("GET", "/sandbox/settings/nobody").status == 404)
    let path = "/sandbox/payments/\(id)"
    #expect(await world.ask("GET", path).json["provider"] == "futa")
    #expect(await world.ask("POST", "\(path)/faults", #"{"drop_webhooks":true}"#).status == 200)
    #expect(await world.ask("POST", "\(path)/status", #"{"status":"paid"}"#).status == 200)
    #expect(await world.ask("POST", "\(path)/status", #"{"status":"AUTHORIZED"}"#).status == 400)
    #expect(await world.ask("GET", "/sandbox/payments/nobody").status == 404)
    let tabby = await world.tabby.create().paymentID
    #expect(await world.ask("GET", "/sandbox/payments/\(tabby)").json["provider"] == "tabby")
  }
}
