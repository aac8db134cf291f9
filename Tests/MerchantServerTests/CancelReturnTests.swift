import HTTPExchange
import PaymentModels
import PaymentStore
import StrictJSON
import TestSupport
import Testing

@Suite("FB-01 Buyer comes back on the cancel URL, presses Back, then pays")
struct CancelReturnTests {
  @Test func `a cancel return reads and releases nothing, and the later payment counts`()
    async throws
  {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      let signal = try await world.send(
        "POST", "/v1/payments/\(row.id)/signals", token: ServerWorld.user,
        body: Array(#"{"signal":"returned_cancel"}"#.utf8))
      #expect(signal.status == 202)
      let shown = try await world.get(
        "/v1/payments/\(row.id)?status=cancelled", token: ServerWorld.user)
      #expect(shown["order_state"]?.text == "pending")
      #expect(shown["checkout_url"]?.text == "https://pay.example/\(id)")
      #expect(world.provider.count(.read) >= 1)
      #expect(world.provider.count(.close) == 0)
      #expect(try await world.messages(row.orderID) == [])

      await world.pass(.seconds(90))
      world.provider.change(id) { $0.status = .authorized }
      #expect(try await world.deliver(world.provider.webhook(id)) == 200)
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      await world.pass(.seconds(10))
      #expect(try await world.messages(row.orderID) == [.fulfil])
      #expect(try await world.order(row.orderID).lines.count == 1)
    }
  }
}

@Suite("FB-02 An abandoned attempt expires and cancels an order paid by another attempt")
struct StaleAttemptTests {
  struct Run: Sendable {
    let other: String
    let end: PaymentStatus
  }

  @Test(arguments: [
    Run(other: "tabby", end: .expired), Run(other: "tabby", end: .rejected),
    Run(other: "futa", end: .expired), Run(other: "futa", end: .rejected),
  ])
  func `the order stays paid and only the attempt ends`(run: Run) async throws {
    let first = FakeProvider()
    let second =
      run.other == "tabby" ? first : FakeProvider(name: ProviderName(run.other), family: 8)
    var setup = ServerWorld.Setup()
    setup.providers = run.other == "tabby" ? [first] : [first, second]
    try await ServerWorld.run(setup) { world in
      let rows = try await world.seed([(first, .created), (second, .created)])
      let (early, late) = (rows[0], rows[1])
      second.change(second.id(2)) { $0.status = .authorized }
      #expect(try await world.deliver(second.webhook(second.id(2), rest: "authorized")) == 200)
      try await world.until("paid") { try await world.order(early.orderID).state == .paid }
      #expect(try await world.deliver(second.webhook(second.id(2), rest: "closed")) == 200)

      let end = run.end
      first.change(first.id(1)) { $0.status = end }
      #expect(try await world.deliver(first.webhook(first.id(1), rest: "end")) == 200)
      try await world.until("ended") { try await world.payment(early.id).status == run.end }
      #expect(try await world.order(early.orderID).state == .paid)
      #expect(try await world.payment(late.id).status == .captured)
      #expect(try await world.messages(early.orderID) == [.fulfil])
      #expect(try await world.reviews(early.orderID) == [])
    }
  }
}

@Suite("FB-05 A newer state is overwritten by an older event")
struct OutOfOrderTests {
  @Test(arguments: ["2026-09-21T15:33:20Z", ""])
  func `events in the wrong order leave what the provider says now`(stamp: String) async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      world.provider.change(id) { reading in
        reading.status = .captured
        reading.items = [
          PaymentItem(
            kind: .capture, providerItemID: "c1", reference: nil,
            amount: Money(minorUnits: 10_000, currency: Sample.aed), createdAt: nil)
        ]
      }
      for event in ["closed", "authorized", "rejected"] {
        let reads = world.provider.count(.read)
        #expect(
          try await world.deliver(
            world.provider.webhook(id, for: row.id, rest: event + stamp)) == 200)
        try await world.until("read after \(event)") { world.provider.count(.read) > reads }
        try await world.until("captured") {
          try await world.payment(row.id).status == .captured
        }
      }
      let shown = try await world.get("/v1/payments/\(row.id)?status=created")
      #expect(shown["state"]?.text == "captured")
      #expect(shown["order_state"]?.text == "paid")
      #expect(try await world.messages(row.orderID) == [.fulfil])
      #expect(try await world.reviews(row.orderID) == [])
    }
  }
}
