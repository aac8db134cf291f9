import CheckoutService
import HTTPExchange
import MerchantServer
import PaymentModels
import PaymentStore
import ProviderInterface
import StrictJSON
import TestSupport
import Testing

@Suite("Cases of too little, too much or too often")
struct WrongMoneyTests {
  @Test func `a short capture is accepted as what is due`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      try await world.capture(row, 6_000)
      try await world.until("reviewed") { try await !world.reviews(row.orderID).isEmpty }
      #expect(try await world.resolve(1, "accept").status == 200)
      let order = try await world.order(row.orderID)
      #expect(order.state == .paid && order.loweredDue == 6_000)
      #expect(try await world.get("/v1/orders/\(row.orderID)")["due"]?.text == "60.00")
      #expect(try await world.messages(row.orderID) == [.needsReview, .fulfil])
    }
  }

  @Test(arguments: [(Int64(6_000), Int64(6_000)), (12_000, 10_000)])
  func `another amount is accepted as far as it goes`(captured: Int64, due: Int64) async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      try await world.capture(row, captured, isAmount: true)
      try await world.until("reviewed") { try await !world.reviews(row.orderID).isEmpty }
      #expect(try await world.reviews(row.orderID).map(\.kind) == [.amountMismatch])
      #expect(try await world.resolve(1, "accept").status == 200)
      #expect(try await world.order(row.orderID).state == .paid)
      let shown = try await world.get("/v1/orders/\(row.orderID)")
      #expect(shown["due"]?.text == Money(minorUnits: due, currency: Sample.aed).decimal)
      // What the provider goes on to say is no new case, unless it says something else.
      let id = try #require(row.providerPaymentID)
      try await world.deliver(world.provider.webhook(id, for: row.id, rest: "again"))
      await world.pass(.seconds(5))
      #expect(try await world.reviews(row.orderID) == [])
      world.provider.change(id) { $0.amount = Money(minorUnits: 1, currency: Sample.aed) }
      try await world.deliver(world.provider.webhook(id, for: row.id, rest: "other"))
      try await world.until("reviewed anew") { try await !world.reviews(row.orderID).isEmpty }
    }
  }

  @Test(arguments: ["refund", "dismiss"])
  func `once another amount has gone back, or is settled elsewhere, the order can be paid anew`(
    decision: String
  ) async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      try await world.capture(row, 14_000, isAmount: true)
      try await world.until("reviewed") { try await !world.reviews(row.orderID).isEmpty }
      let body = #"{"provider":"tabby","order_id":"\#(row.orderID)"}"#
      #expect(try await world.checkout(key: "k2", body).status == 409)
      #expect(try await world.resolve(1, decision).status == 200)
      #expect(try await world.order(row.orderID).state == .pending)
      let again = try await world.checkout(key: "k3", body)
      #expect(again.status == 201)
      #expect(again.json["payment_id"]?.text != row.id.rawValue)
      #expect(again.json["checkout_url"]?.text != nil)
      #expect(try await world.order(row.orderID).state == .pending)
    }
  }

  @Test func `a second payment of a paid order is refunded, not accepted`() async throws {
    try await ServerWorld.run { world in
      let rows = try await world.seed([(world.provider, .created), (world.provider, .created)])
      for row in rows { try await world.capture(row, row.amount.minorUnits) }
      try await world.until("both are there") { try await !world.reviews(rows[0].orderID).isEmpty }
      let found = try #require(try await world.reviews(rows[0].orderID).first)
      #expect(found.kind == .extraPayment)
      let extra = try #require(found.paymentID)
      #expect(try await world.resolve(found.number, "accept").status == 409)
      #expect(try await world.resolve(found.number, "refund", key: "k2").status == 200)
      #expect(try await world.order(rows[0].orderID).state == .paid)
      #expect(try await world.operations(extra).map(\.kind) == [.refund])
      #expect(try await world.reviews(rows[0].orderID) == [])
    }
  }
}
