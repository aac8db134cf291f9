import HTTPExchange
import PaymentModels
import PaymentStore
import ProviderInterface
import TestSupport
import Testing

@Suite("Money that is held for days")
struct HoldAlertTests {
  private static let day: Int64 = 86_400

  private func run(_ body: (ServerWorld, PaymentRow) async throws -> Void) async throws {
    var setup = ServerWorld.Setup()
    setup.policy = SettlementPolicy(capture: .manual)
    try await ServerWorld.run(setup) { world in
      try await body(world, try await world.placed(.authorized))
    }
  }

  /// Reads the payment, as the schedule does every hour while money is held.
  private func look(_ world: ServerWorld, _ row: PaymentRow, at age: Int64) async throws {
    world.clock.setWall(row.createdAt + .seconds(age))
    let before = try await world.payment(row.id).schedule.lastProofAt
    try await world.until("read") {
      try await world.payment(row.id).schedule.lastProofAt != before
    }
  }

  @Test(arguments: [(3 * day - 30, 0), (3 * day + 1, 1)])
  func `alerts from the third day on`(age: Int64, count: Int) async throws {
    try await run { world, row in
      try await look(world, row, at: age)
      #expect(try await world.reviews(row.orderID).map(\.kind).count == count)
      #expect(try await world.messages(row.orderID).count == count)
    }
  }

  @Test func `once, however long it goes on, and again never once somebody has looked`()
    async throws
  {
    try await run { world, row in
      for hour in 0..<3 { try await look(world, row, at: 3 * Self.day + 3_700 * Int64(hour) + 1) }
      let review = try #require(try await world.reviews(row.orderID).first)
      #expect(review.kind == .uncapturedHold)
      let answer = try await world.send(
        "POST", "/v1/reviews/\(review.number)/resolve", key: "d",
        body: Array(#"{"decision":"dismiss","reason":"ships on Friday"}"#.utf8))
      #expect(answer.status == 200)
      try await look(world, row, at: 5 * Self.day)
      #expect(try await world.reviews(row.orderID) == [])
      #expect(try await world.messages(row.orderID) == [.needsReview])
      #expect(try await world.order(row.orderID).state == .authorized)
    }
  }

  @Test func `ends with the hold`() async throws {
    try await run { world, row in
      try await look(world, row, at: 4 * Self.day)
      #expect(try await world.reviews(row.orderID).count == 1)
      _ = try await world.send(
        "POST", "/v1/payments/\(row.id)/captures", key: "c",
        body: Array(#"{"reason":"shipped"}"#.utf8))
      #expect(try await world.order(row.orderID).state == .paid)
      #expect(try await world.reviews(row.orderID) == [])
    }
  }

  @Test func `may be let go by the decision itself`() async throws {
    try await run { world, row in
      try await look(world, row, at: 4 * Self.day)
      let review = try #require(try await world.reviews(row.orderID).first)
      _ = try await world.send(
        "POST", "/v1/reviews/\(review.number)/resolve", key: "d",
        body: Array(#"{"decision":"refund","reason":"sold out"}"#.utf8))
      #expect(try await world.payment(row.id).status == .cancelled)
      #expect(world.provider.count(.close) == 1)
    }
  }
}
