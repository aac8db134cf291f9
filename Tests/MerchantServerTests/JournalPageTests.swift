import HTTPExchange
import PaymentModels
import PaymentStore
import StrictJSON
import TestSupport
import Testing

@Suite("Pages of a journal")
struct JournalPageTests {
  /// An order with two payments and 2,500 lines.
  private func fill(_ world: ServerWorld) async throws {
    try await world.store.seed(payments: 2)
    try await world.store.write { transaction in
      for number in 0..<2_500 {
        let payment = number % 5 == 0 ? nil : number % 2 == 0 ? 1 : 101
        try transaction.appendJournal(
          Sample.entry(order: 1, payment: payment, event: "\(number)"))
      }
    }
  }

  /// All events, page by page.
  private func pages(_ world: ServerWorld, _ path: String) async throws -> [[String]] {
    var pages: [[String]] = []
    var after: Int64? = 0
    while let from = after, pages.count < 100 {
      let json = try await world.get("\(path)?after=\(from)")
      pages.append((json["journal"]?.elements ?? []).compactMap { $0["event"]?.text })
      after = json["next_after"]?.int64
    }
    return pages
  }

  @Test func `an order's is whole, a thousand lines a page, oldest first`() async throws {
    try await ServerWorld.run { world in
      try await fill(world)
      let pages = try await pages(world, "/v1/orders/\(Sample.orderID(1))/journal")
      #expect(pages.map(\.count) == [1_000, 1_000, 500])
      #expect(pages.flatMap(\.self) == (0..<2_500).map { "\($0)" })
    }
  }

  @Test func `a payment's holds its own lines and those about the order`() async throws {
    try await ServerWorld.run { world in
      try await fill(world)
      let pages = try await pages(world, "/v1/payments/\(Sample.paymentID(1))/journal")
      let right = (0..<2_500).filter { $0 % 5 == 0 || $0 % 2 == 0 }.map { "\($0)" }
      #expect(pages.flatMap(\.self) == right)
    }
  }

  @Test(arguments: [
    ("/v1/payments/\(Sample.paymentID(9))/journal", ServerWorld.operatorKey, 404),
    ("/v1/payments/\(Sample.paymentID(1))/journal", ServerWorld.user, 403),
    ("/v1/payments/\(Sample.paymentID(1))/journal?after=x", ServerWorld.operatorKey, 400),
  ])
  func `what cannot be shown is said`(_ target: String, _ token: String, _ status: Int)
    async throws
  {
    try await ServerWorld.run { world in
      try await world.store.seed()
      let answer = try await world.send("GET", target, token: token)
      #expect(answer.status == status)
    }
  }
}
