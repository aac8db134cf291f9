import HTTPExchange
import PaymentModels
import PaymentStore
import ProviderInterface
import StatusSync
import StrictJSON
import TestSupport
import Testing

@Suite("What an operator sees of received webhooks, and does with them")
struct InboxOperatorTests {
  private static let out = FakeProvider.Fault.fail(ProviderError(.unknown, detail: "out"))
  private static let reason = Array(#"{"reason":"checked by hand"}"#.utf8)

  private static func post(
    _ world: ServerWorld, _ target: String, _ body: [UInt8] = reason
  ) async throws -> (status: Int, json: JSONValue) {
    let answer = try await world.send("POST", target, body: body)
    return (answer.status, try JSONValue(parsing: answer.body))
  }

  /// The newest delivery's id.
  private static func newest(_ world: ServerWorld) async throws -> String {
    let listed = try await world.get("/v1/webhooks?limit=1")
    return try #require(listed["webhooks"]?[0]?["webhook_id"]?.text)
  }

  private static func state(_ world: ServerWorld, _ id: String) async throws -> String? {
    try await world.get("/v1/webhooks/\(id)")["state"]?.text
  }

  @Test func `deliveries are listed newest first, by state and provider, in pages`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed(.pending)
      for number in 91...93 {
        try await world.deliver(world.provider.webhook(world.provider.id(number)))
        try await world.until("unmatched") {
          try await world.store.read { try $0.heldWebhooks() }.count == number - 90
        }
      }
      let states = { (query: String) in
        try await world.get("/v1/webhooks" + query)["webhooks"]?.elements?
          .map { $0["state"]?.text ?? "" }
      }
      #expect(try await states("") == ["unmatched", "unmatched", "unmatched", "done"])
      #expect(try await states("?state=done") == ["done"])
      #expect(try await states("?state=queued") == [])
      #expect(try await states("?provider=tabby&limit=2") == ["unmatched", "unmatched"])
      #expect(try await states("?provider=futa") == [])
      let page = try await world.get("/v1/webhooks?limit=3")
      let next = try #require(page["next_before"]?.text)
      let rest = try await world.get("/v1/webhooks?limit=3&before=\(next)")
      #expect(rest["webhooks"]?.elements?.count == 1)
      #expect(rest["webhooks"]?[0]?["payment_id"]?.text == row.id.rawValue)
      #expect(rest["next_before"]?.isNull == true)
      #expect(try await world.send("GET", "/v1/webhooks?state=received").status == 400)
      #expect(
        try await world.send("GET", "/v1/webhooks", token: ServerWorld.user).status == 403)
    }
  }

  @Test func `one is shown with its journal, and its bytes only on demand`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed(.pending)
      let id = try await Self.newest(world)
      let plain = try await world.get("/v1/webhooks/\(id)")
      #expect(plain["body"] == nil)
      #expect(plain["headers"] == nil)
      #expect(plain["matched_secret"]?.int64 == 0)
      #expect(plain["signed"]?.boolean == true)
      #expect(plain["body_sha256"]?.text?.utf8.count == 64)
      #expect(plain["journal"]?[0]?["event"]?.text == "webhook")
      #expect(plain["journal"]?[0]?["payment_id"]?.text == row.id.rawValue)
      let whole = try await world.get("/v1/webhooks/\(id)?body=1")
      #expect(whole["body"]?.text?.hasSuffix("|first") == true)
      #expect(whole["headers"]?.text == "X-Secret: s-0")
      let other = Sample.uuid(4, 77)
      #expect(try await world.send("GET", "/v1/webhooks/\(other)").status == 404)
    }
  }

  @Test
  func `a parked delivery goes back into the queue with all its tries, and the journal says why`()
    async throws
  {
    var setup = ServerWorld.Setup()
    setup.tuneSync = { $0.webhookTriesMax = 2 }
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      world.provider.always(.read, Self.out)
      try await world.deliver(world.provider.webhook(id))
      let webhook = try await Self.newest(world)
      try await world.until("parked") { try await Self.state(world, webhook) == "parked" }
      world.provider.always(.read, nil)
      world.provider.change(id) { $0.status = .authorized }
      let answer = try await Self.post(world, "/v1/webhooks/\(webhook)/requeue")
      #expect(answer.status == 200)
      #expect(answer.json["state"]?.text == "queued")
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      try await world.until("done") { try await Self.state(world, webhook) == "done" }
      let journal = try await world.store.read { try $0.journal(of: row.orderID, limit: 99) }
      let entry = try #require(journal.first { $0.event == "requeue" })
      #expect(entry.channel == .operator)
      #expect(entry.change == "parked → received")
      #expect(entry.note == "checked by hand")
      // What is done is not put back.
      let again = try await Self.post(world, "/v1/webhooks/\(webhook)/requeue")
      #expect(again.status == 409)
    }
  }

  @Test(arguments: [
    ("/requeue", [UInt8](), 422), ("/replay", [], 422),
    ("/requeue", Array("{}".utf8), 422), ("/replay", Array(#"{"reason":""}"#.utf8), 422),
  ])
  func `both need a reason`(step: String, body: [UInt8], status: Int) async throws {
    try await ServerWorld.run { world in
      _ = try await world.placed(.pending)
      let id = try await Self.newest(world)
      let body = body.isEmpty ? Array(#"{"other":1}"#.utf8) : body
      #expect(try await Self.post(world, "/v1/webhooks/\(id)\(step)", body).status == status)
      let other = Sample.uuid(4, 77)
      #expect(try await Self.post(world, "/v1/webhooks/\(other)\(step)").status == 404)
    }
  }

  @Test func `a replay says what it changed, and does no effect twice`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed(.authorized)
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      await world.pass(.seconds(3))
      let webhook = try await Self.newest(world)
      let answer = try await Self.post(world, "/v1/webhooks/\(webhook)/replay")
      #expect(answer.status == 200)
      #expect(answer.json["webhook"]?["state"]?.text == "done")
      #expect(answer.json["check"]?.text == "Its signature fits secret 0.")
      #expect(answer.json["payment_id"]?.text == row.id.rawValue)
      #expect(answer.json["changes"]?.elements?.isEmpty == true)
      #expect(world.provider.count(.capture) == 1)
      #expect(try await world.messages(row.orderID) == [.fulfil])
      // Something that nobody told has happened since.
      let id = try #require(row.providerPaymentID)
      world.provider.change(id) { reading in
        reading.items.append(
          PaymentItem(
            kind: .refund, providerItemID: "r-1", reference: nil, amount: row.amount,
            createdAt: nil))
      }
      await world.pass(.seconds(3))
      let second = try await Self.post(world, "/v1/webhooks/\(webhook)/replay")
      let changes = second.json["changes"]?.elements?.compactMap { $0["change"]?.text }
      #expect(changes?.contains("paid → refunded") == true)
      #expect(try await world.messages(row.orderID) == [.fulfil, .refunded, .revoke])
    }
  }

  @Test func `a replay that the provider does not answer goes on by itself`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed(.pending)
      let webhook = try await Self.newest(world)
      world.provider.always(.read, Self.out)
      await world.pass(.seconds(3))
      let answer = try await Self.post(world, "/v1/webhooks/\(webhook)/replay")
      #expect(answer.json["webhook"]?["state"]?.text == "queued")
      world.provider.always(.read, nil)
      try await world.until("done") { try await Self.state(world, webhook) == "done" }
      #expect(try await world.payment(row.id).status == .pending)
    }
  }

  @Test func `a delivery that fits no secret any more is not replayed`() async throws {
    var setup = ServerWorld.Setup()
    var webhook: String?
    try await ServerWorld.run(setup) { world in
      _ = try await world.placed(.pending)
      webhook = try await Self.newest(world)
    }
    setup.providers = [FakeProvider(secrets: ["s-new"])]
    setup.seed = 2
    let id = try #require(webhook)
    try await ServerWorld.run(setup) { world in
      let answer = try await Self.post(world, "/v1/webhooks/\(id)/replay")
      #expect(answer.status == 422)
      #expect(try await Self.state(world, id) == "done")
      #expect(world.provider.count(.read) == 0)
    }
  }

  @Test func `a delivery that was lost is taken from what was saved of it`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      world.provider.change(id) { $0.status = .authorized }
      let saved = { (secret: String) in
        let body = String(decoding: world.provider.webhook(id, rest: "lost").body, as: UTF8.self)
        return Array(
          #"""
          {"provider":"tabby","headers":[{"name":"x-secret","value":"\#(secret)"}],
          "body":"\#(body)","reason":"the proxy was down"}
          """#.utf8)
      }
      let forged = try await Self.post(world, "/v1/webhooks/replay", saved("s-9"))
      #expect(forged.status == 422)
      #expect(try await world.get("/v1/webhooks")["webhooks"]?.elements?.isEmpty == true)
      let answer = try await Self.post(world, "/v1/webhooks/replay", saved("s-0"))
      #expect(answer.status == 200)
      let changes = answer.json["changes"]?.elements?.compactMap { $0["change"]?.text }
      #expect(changes?.contains("created → authorized") == true)
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      let stored = try await Self.newest(world)
      #expect(answer.json["webhook"]?["webhook_id"]?.text == stored)
      let again = try await Self.post(world, "/v1/webhooks/replay", saved("s-0"))
      #expect(again.status == 200)
      #expect(try await world.messages(row.orderID) == [.fulfil])
      #expect(world.provider.count(.capture) == 1)
    }
  }
}
