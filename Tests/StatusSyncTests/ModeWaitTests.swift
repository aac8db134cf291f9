import HTTPExchange
import PaymentModels
import PaymentStore
import ProviderInterface
import StatusSync
import StrictJSON
import TestSupport
import Testing

@Suite("Goods wait until the provider has told whether real money moved")
struct ModeWaitTests {
  private static let wait: Duration = .seconds(600)

  /// A payment that was paid in a way that is not told yet.
  private func paid(_ world: ServerWorld) async throws -> PaymentRow {
    let row = try #require(try await world.seed([(world.provider, .created)]).first)
    let id = try #require(row.providerPaymentID)
    world.provider.change(id) { reading in
      reading.status = .captured
      reading.mode = nil
      reading.modeWait = Self.wait
      reading.items = [
        PaymentItem(
          kind: .capture, providerItemID: "c-1", reference: nil, amount: row.amount,
          createdAt: nil)
      ]
    }
    try await world.deliver(world.provider.webhook(id, rest: "paid"))
    try await world.until("paid") { try await world.order(row.orderID).state == .paid }
    return try await world.payment(row.id)
  }

  @Test func `the order is shown as paid, and the goods go out once the mode is told`()
    async throws
  {
    try await ServerWorld.run { world in
      let row = try await paid(world)
      let id = try #require(row.providerPaymentID)
      await world.pass(.seconds(60))
      let shown = try await world.get("/v1/orders/\(row.orderID)")
      #expect(shown["state"]?.text == "paid")
      #expect(shown["fulfilled"]?.boolean == false)
      #expect(try await world.messages(row.orderID) == [])
      var told = try #require(world.provider.payments.first)
      told.mode = .test
      try await world.deliver(
        world.provider.webhook(
          id, named: "told",
          SignedDelivery(
            proof: WebhookProof(reading: told, occurredAt: nil, supplementsRead: true))))
      try await world.until("fulfilled") {
        try await world.messages(row.orderID) == [.fulfil]
      }
      #expect(try await world.payment(row.id).isModeProven)
      await world.pass(.seconds(700))
      #expect(try await world.reviews(row.orderID) == [])
    }
  }

  @Test func `a person who knows better lets the goods go, and is not asked again`() async throws {
    try await ServerWorld.run { world in
      let row = try await paid(world)
      try await world.until("asked", within: .seconds(800)) {
        try await world.reviews(row.orderID).map(\.kind) == [.modeMismatch]
      }
      let review = try #require(try await world.reviews(row.orderID).first)
      let answer = try await world.send(
        "POST", "/v1/reviews/\(review.number)/resolve", key: "d",
        body: Array(#"{"decision":"accept","reason":"seen in the panel"}"#.utf8))
      #expect(answer.status == 200)
      #expect(try await world.messages(row.orderID) == [.needsReview, .fulfil])
      await world.pass(.seconds(60))
      #expect(try await world.reviews(row.orderID) == [])
      #expect(try await world.order(row.orderID).state == .paid)
    }
  }

  @Test func `at the end of the wait a person is asked, and nothing went out`() async throws {
    try await ServerWorld.run { world in
      let row = try await paid(world)
      let end = try #require(row.fulfilmentHeldUntil)
      try await world.until("planned") {
        try await world.payment(row.id).schedule.nextReadAt.map { $0 <= end } ?? false
      }
      await world.pass(.seconds(500))
      #expect(try await world.reviews(row.orderID) == [])
      try await world.until("asked", within: .seconds(200)) {
        try await world.reviews(row.orderID).map(\.kind) == [.modeMismatch]
      }
      #expect(end <= world.clock.now)
      let review = try #require(try await world.reviews(row.orderID).first)
      #expect(review.detail == "made as test, and the provider never told how it was paid")
      #expect(try await world.order(row.orderID).state == .needsReview)
      await world.pass(.seconds(100))
      #expect(try await world.messages(row.orderID) == [.needsReview])
    }
  }

  @Test func `the end comes also while the provider is out`() async throws {
    try await ServerWorld.run { world in
      let row = try await paid(world)
      world.provider.always(.read, .fail(ProviderError(.unknown, detail: "out")))
      try await world.until("asked", within: .seconds(700)) {
        try await world.reviews(row.orderID).map(\.kind) == [.modeMismatch]
      }
      #expect(try await world.messages(row.orderID) == [.needsReview])
    }
  }

  @Test func `a mode that is told too late ends the review`() async throws {
    try await ServerWorld.run { world in
      let row = try await paid(world)
      let id = try #require(row.providerPaymentID)
      try await world.until("asked", within: .seconds(700)) {
        try await world.reviews(row.orderID).map(\.kind) == [.modeMismatch]
      }
      world.provider.change(id) { $0.mode = .test }
      try await world.deliver(world.provider.webhook(id, rest: "told"))
      try await world.until("fulfilled") {
        try await world.messages(row.orderID) == [.needsReview, .fulfil]
      }
      #expect(try await world.reviews(row.orderID) == [])
      #expect(try await world.order(row.orderID).state == .paid)
    }
  }

  @Test func `the other mode is a mismatch, and the goods stay`() async throws {
    try await ServerWorld.run { world in
      let row = try await paid(world)
      let id = try #require(row.providerPaymentID)
      world.provider.change(id) { $0.mode = .live }
      try await world.deliver(world.provider.webhook(id, rest: "told"))
      try await world.until("reviewed") {
        try await world.reviews(row.orderID).map(\.kind) == [.modeMismatch]
      }
      await world.pass(.seconds(700))
      #expect(try await world.messages(row.orderID) == [.needsReview])
      let review = try #require(try await world.reviews(row.orderID).first)
      #expect(review.detail == "made as test, provider says live")
    }
  }
}
