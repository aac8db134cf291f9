import HTTPExchange
import MerchantServer
import PaymentModels
import PaymentStore
import ProviderInterface
import StrictJSON
import TestSupport
import Testing

@Suite("Waiting for a payment to change")
struct LongPollTests {
  @Test func `a waiting request is answered by the commit that it waits for`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      let started = world.clock.now
      let response = try await finish(world, row, wait: 30) {
        try await world.until("waits") { await world.waiters.waiterCount == 1 }
        try await world.until("read") { world.provider.count(.read) == 1 }
        world.provider.change(id) { $0.status = .authorized }
        try await world.deliver(world.provider.webhook(id))
      }
      #expect(response.status == 200)
      let json = try JSONValue(parsing: response.body)
      #expect(["authorized", "captured"].contains(json["state"]?.text))
      #expect(world.clock.now.since(started) < .seconds(10))
      try await world.untilStill("nobody waits") { await world.waiters.waiterCount == 0 }
    }
  }

  @Test func `the wait ends although a change came just before that nobody has looked at`()
    async throws
  {
    try await ServerWorld.run { world in
      let table = world.waiters
      let waiter = try #require(await table.register(Sample.orderID(1)))
      await table.limit(waiter, to: .seconds(1), world.clock.clock)
      let known = await table.position
      table.committed(CommittedChanges(orders: [Sample.orderID(1)], payments: []))
      try await world.untilStill("heard of the change") { await table.position > known }
      await world.pass(.seconds(2))
      var changes = waiter.changes.makeAsyncIterator()
      #expect(await changes.next() != nil)
      #expect(await changes.next() == nil)
    }
  }

  @Test(arguments: [(5, 5), (30, 30), (31, 30), (3_600, 30), (9_223_372_036_854_775_807, 30)])
  func `nothing new is a 304 at the wait's end, and the wait is capped`(
    wish: Int64, ends: Int64
  ) async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let started = world.clock.now
      let response = try await finish(world, row, wait: wish)
      #expect(response.status == 304)
      #expect(response.body.isEmpty)
      #expect(response.headers["ETag"] != nil)
      let took = world.clock.now.since(started)
      #expect(took >= .seconds(ends) && took < .seconds(ends + 5))
      #expect(await world.waiters.waiterCount == 0)
    }
  }

  @Test func `what another process commits is in the answer at the wait's end`() async throws {
    var setup = ServerWorld.Setup()
    // Nobody is told of its commits, as of those of a second server on the same store.
    setup.store = InMemoryPaymentStore()
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      let response = try await finish(world, row, wait: 5) {
        try await world.until("read") { world.provider.count(.read) == 1 }
        world.provider.change(id) { $0.status = .authorized }
        try await world.deliver(world.provider.webhook(id))
      }
      #expect(response.status == 200)
      let json = try JSONValue(parsing: response.body)
      #expect(["authorized", "captured"].contains(json["state"]?.text))
    }
  }

  @Test func `a caller who leaves leaves no waiter behind`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { _ = try await poll(world, row, wait: 30) }
        try await world.untilStill("waits") { await world.waiters.waiterCount == 1 }
        group.cancelAll()
      }
      #expect(await world.waiters.waiterCount == 0)
    }
  }

  @Test func `a store that fails while somebody waits leaves no waiter behind`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      world.provider.hold(.read)
      let response = try await finish(world, row, wait: 30) {
        try await world.until("reads") { world.provider.heldCount == 1 }
        world.store.failReads(StoreError(.unusable, "gone"))
        world.provider.release(.read)
      }
      #expect(response.status == 503)
      #expect(await world.waiters.waiterCount == 0)
    }
  }

  @Test func `a full table answers at once with what is known`() async throws {
    var setup = ServerWorld.Setup()
    setup.waitersMax = 1
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { _ = try await poll(world, row, wait: 30) }
        try await world.untilStill("waits") { await world.waiters.waiterCount == 1 }
        let started = world.clock.now
        #expect(try await finish(world, row, wait: 30).status == 304)
        #expect(world.clock.now.since(started) < .seconds(6))
        #expect(await world.waiters.waiterCount == 1)
        group.cancelAll()
      }
      #expect(await world.waiters.waiterCount == 0)
    }
  }

  @Test func `a final payment is not waited for`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed(.authorized)
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      let started = world.clock.now
      let now = try await world.payment(row.id)
      #expect(try await finish(world, now, wait: 30).status == 304)
      #expect(world.clock.now.since(started) < .seconds(1))
    }
  }

  @Test func `the ETag only ever grows, and HEAD has the same one`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      var tags: [Int] = []
      for status in [PaymentStatus.created, .pending, .authorized, .captured] {
        if status != .captured { world.provider.change(id) { $0.status = status } }
        try await world.deliver(world.provider.webhook(id, rest: "\(status)"))
        try await world.until("\(status)") {
          let now = try await world.payment(row.id).status
          return now == status || now == .captured
        }
        let head = try await world.send("HEAD", "/v1/payments/\(row.id)")
        let get = try await world.send("GET", "/v1/payments/\(row.id)")
        let tag = try #require(get.headers["ETag"])
        #expect(head.status == 200)
        if status == .captured { #expect(head.headers["ETag"] == tag) }
        tags.append(try #require(Int(tag.dropFirst().dropLast())))
      }
      #expect(tags == tags.sorted())
      #expect(Set(tags).count >= 3)
    }
  }

  @Test func `users see their own orders alone, by any id`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      for target in ["/v1/payments/\(row.id)", "/v1/payments/\(id)", "/v1/orders/\(row.orderID)"] {
        #expect(try await world.send("GET", target, token: ServerWorld.user).status == 200)
        #expect(try await world.send("GET", target).status == 200)
        let stranger = try await world.send("GET", target, token: ServerWorld.stranger)
        #expect(stranger.status == 404)
      }
      let signal = try await world.send(
        "POST", "/v1/payments/\(row.id)/signals", token: ServerWorld.stranger,
        body: Array(#"{"signal":"closed"}"#.utf8))
      #expect(signal.status == 404)
      let retry = try await world.checkout(
        #"{"provider":"tabby","order_id":"\#(row.orderID)"}"#, token: ServerWorld.stranger)
      #expect(retry.status == 404)
    }
  }

  @Test func `a provider that is out makes the answer old and never an error`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      world.provider.always(.read, .fail(ProviderError(.unknown, status: 503, detail: "out")))
      for target in ["/v1/payments/\(row.id)", "/v1/orders/\(row.orderID)"] {
        let json = try await world.get(target, token: ServerWorld.user)
        let payment = json["payments"]?[0] ?? json
        #expect(payment["fresh"]?.boolean == false)
        #expect(payment["state"]?.text == "created")
      }
    }
  }

  private func poll(
    _ world: ServerWorld, _ row: PaymentRow, wait: Int64
  ) async throws -> HTTPResponse {
    let version = row.version + (try await world.order(row.orderID).version)
    return await world.server.respond(
      to: HTTPRequest(
        method: "GET", target: "/v1/payments/\(row.id)?wait=\(wait)",
        headers: [
          "Authorization": "Bearer \(ServerWorld.user)", "If-None-Match": "\"\(version)\"",
        ]))
  }

  private func finish(
    _ world: ServerWorld, _ row: PaymentRow, wait: Int64,
    meanwhile: @Sendable () async throws -> Void = {}
  ) async throws -> HTTPResponse {
    async let answer = world.moving { try await poll(world, row, wait: wait) }
    try await meanwhile()
    return try await answer
  }
}
