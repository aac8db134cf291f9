import HTTPExchange
import PaymentModels
import PaymentStore
import StrictJSON
import TestSupport
import Testing

@Suite("Erasing a buyer")
struct EraseBuyerTests {
  private static func erase(
    _ world: ServerWorld, _ subject: String = "u-1", token: String = ServerWorld.operatorKey
  ) async throws -> (status: Int, json: JSONValue) {
    let answer = try await world.send(
      "POST", "/v1/buyers/erase", token: token,
      body: Array(#"{"subject":"\#(subject)","reason":"they asked for it"}"#.utf8))
    return (answer.status, try JSONValue(parsing: answer.body))
  }

  @Test func `it says what is gone and what stays, and may be repeated`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed(.authorized)
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      await world.pass(.seconds(3))
      let first = try await Self.erase(world)
      #expect(first.status == 200)
      #expect(first.json["orders"]?.int64 == 1)
      #expect(first.json["erased"]?["webhook_bodies"]?.int64 == 1)
      #expect(first.json["erased"]?["pages"]?.int64 == 1)
      #expect(first.json["waiting"]?.int64 == 0)
      #expect(first.json["gone_from_disk"]?.boolean == true)
      #expect(first.json["kept"]?.elements?.isEmpty == false)
      let journal = try await world.store.read { try $0.journal(of: row.orderID, limit: 99) }
      let entry = journal.last { $0.event == "buyer erased" }
      #expect(entry?.note == "they asked for it")
      #expect(entry?.operatorName == OperatorName("anna"))
      let again = try await Self.erase(world)
      #expect(again.json["erased"]?["webhook_bodies"]?.int64 == 0)
      let after = try await world.store.read { try $0.journal(of: row.orderID, limit: 99) }
      #expect(after.count == journal.count)
      // The money goes on: it can be given back.
      let refund = try await world.send(
        "POST", "/v1/payments/\(row.id)/refunds", key: "r1",
        body: Array(#"{"reason":"broken"}"#.utf8))
      #expect(refund.status == 200)
      let shown = try await world.get("/v1/orders/\(row.orderID)")
      #expect(shown["refunded"]?.text == "100.00")
    }
  }

  @Test func `a payment that can still be paid keeps its page`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let erased = try await Self.erase(world)
      #expect(erased.json["erased"]?["pages"]?.int64 == 0)
      #expect(try await world.payment(row.id).checkoutURL == row.checkoutURL)
    }
  }

  @Test func `nobody of that name, and nobody but an operator`() async throws {
    try await ServerWorld.run { world in
      let nobody = try await Self.erase(world, "nobody")
      #expect(nobody.status == 404)
      let user = try await Self.erase(world, token: ServerWorld.user)
      #expect(user.status == 403)
    }
  }
}
