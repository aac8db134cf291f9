import HTTPExchange
import MerchantServer
import PaymentModels
import PaymentStore
import StrictJSON
import TestSupport
import Testing

@Suite("The journal of an order")
struct JournalTests {
  @Test func `a device that speaks for ever hides nothing of what happens later`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let signals = ServerSettings(appReturnBase: "").signalEntriesMax
      try await world.store.write { transaction in
        for _ in 0..<signals {
          try transaction.appendJournal(
            JournalEntry(
              at: row.createdAt, orderID: row.orderID, paymentID: row.id, channel: .device,
              trust: .hint, event: "foreground"))
        }
      }
      let id = try #require(row.providerPaymentID)
      world.provider.change(id) { $0.status = .authorized }
      try await world.deliver(world.provider.webhook(id, for: row.id))
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      let journal = try await world.get("/v1/orders/\(row.orderID)/journal")["journal"]?.elements
      #expect(journal?.contains { $0["change"]?.text == "authorized → paid" } == true)
    }
  }

  @Test func `it tells why an operator asked for money`() async throws {
    var setup = ServerWorld.Setup()
    setup.policy = SettlementPolicy(capture: .manual)
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed(.authorized)
      _ = try await world.send(
        "POST", "/v1/payments/\(row.id)/captures", key: "o1",
        body: Array(#"{"amount":"60.00","reason":"the first parcel left"}"#.utf8))
      let journal = try await world.get("/v1/orders/\(row.orderID)/journal")["journal"]?.elements
      let note = journal?.first { $0["event"]?.text == "capture" }?["note"]?.text
      #expect(note == "60.00 AED: the first parcel left")
      let name = journal?.first { $0["event"]?.text == "capture" }?["operator"]?.text
      #expect(name == "anna")
    }
  }

  @Test(arguments: ["captures", "refunds", "close", "cancel"])
  func `it names whoever asked, at every kind of request`(path: String) async throws {
    var setup = ServerWorld.Setup()
    setup.policy = SettlementPolicy(capture: .manual)
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed(.authorized)
      if path == "refunds" {
        _ = try await world.send(
          "POST", "/v1/payments/\(row.id)/captures", key: "o1",
          body: Array(#"{"reason":"shipped"}"#.utf8))
      }
      let target = path == "cancel" ? "/v1/orders/\(row.orderID)" : "/v1/payments/\(row.id)"
      let answer = try await world.send(
        "POST", "\(target)/\(path)", token: ServerWorld.secondOperatorKey, key: "o2",
        body: Array(#"{"reason":"a call from the payer"}"#.utf8))
      #expect([200, 202].contains(answer.status))
      let journal = try await world.store.read { try $0.journal(of: row.orderID, limit: 99) }
      let line = try #require(journal.first { $0.operatorName == OperatorName("ben") })
      #expect(line.channel == .operator)
      #expect(line.note?.hasSuffix("a call from the payer") == true)
      // What the kit does by itself has no name.
      #expect(journal.filter { $0.channel != .operator }.allSatisfy { $0.operatorName == nil })
    }
  }
}
