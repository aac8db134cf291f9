import CheckoutService
import HTTPExchange
import PaymentModels
import PaymentStore
import ProviderInterface
import TestSupport
import Testing

@Suite("Operations of two servers over one store")
struct TwoServersTests {
  /// Runs two servers over one store, at one provider, on one clock.
  private func run(
    _ body: (ServerWorld, ServerWorld) async throws -> Void
  ) async throws {
    let first = ServerWorld.Setup.manual
    var second = ServerWorld.Setup.manual
    second.store = first.store
    second.clock = first.clock
    second.providers = first.providers
    second.seed = 2
    let other = second
    try await ServerWorld.run(first) { one in
      try await ServerWorld.run(other) { two in try await body(one, two) }
    }
  }

  private func captured(_ world: ServerWorld) async throws -> PaymentRow {
    let row = try await world.placed(.authorized)
    #expect(try await world.operate("captures", row, nil, key: "c").status == 200)
    return try await world.payment(row.id)
  }

  @Test(arguments: [2, 6])
  func `refunds at the same moment never take more than there is`(count: Int) async throws {
    try await run { one, two in
      let row = try await captured(one)
      one.provider.hold(.refund)
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<count {
          let world = number.isMultiple(of: 2) ? one : two
          group.addTask { try await world.refund(row, "60.00", key: "r\(number)").status }
        }
        try await one.until("one is sent") { one.provider.heldCount == 1 }
        await one.pause(.milliseconds(100))
        one.provider.release(.refund)
        let statuses = try await group.reduce(into: [Int]()) { $0.append($1) }
        #expect(statuses.sorted() == [200] + Array(repeating: 409, count: count - 1))
      }
      #expect(one.provider.count(.refund) == 1)
      let items = try await one.store.read { try $0.items(of: row.id) }
      #expect(items.sum(.refund) == 6_000)
    }
  }

  @Test func `the same key at both servers is one refund`() async throws {
    try await run { one, two in
      let row = try await captured(one)
      async let here = one.refund(row, "60.00", key: "same")
      async let there = two.refund(row, "60.00", key: "same")
      let statuses = try await [here.status, there.status]
      #expect(statuses.allSatisfy { [200, 202].contains($0) })
      try await one.until("done") {
        try await one.operations(row.id).allSatisfy { $0.state == .done }
      }
      #expect(one.provider.count(.refund) == 1)
    }
  }

  @Test func `a payment that another server has to itself is a 503 that says for how long`()
    async throws
  {
    try await run { one, _ in
      let row = try await captured(one)
      // What a server leaves behind that was killed in the middle of a read.
      let end = one.clock.now + .milliseconds(12_400)
      try await one.store.write { transaction in
        var schedule = try #require(try transaction.payment(row.id)).schedule
        schedule.leaseUntil = end
        try transaction.schedulePayment(row.id, schedule)
      }
      let answer = try await one.send(
        "POST", "/v1/payments/\(row.id)/refunds", key: "r",
        body: Array(#"{"reason":"returned"}"#.utf8))
      #expect(answer.status == 503)
      #expect(String(decoding: answer.body, as: UTF8.self).contains("Another server"))
      let wait = try #require(answer.headers["Retry-After"].flatMap { Int($0) })
      let left = end.since(one.clock.now)
      #expect(Duration.seconds(wait) >= left && Duration.seconds(wait) <= .seconds(13))
      #expect(one.provider.count(.refund) == 0)
      await one.pass(.seconds(wait))
      #expect(try await one.refund(row, nil, key: "r").status == 200)
      #expect(one.provider.count(.refund) == 1)
    }
  }

  @Test func `a provider that cannot be read is told apart from that`() async throws {
    try await run { one, _ in
      let row = try await captured(one)
      one.provider.always(.read, .fail(ProviderError(.unknown, detail: "out")))
      let answer = try await one.refund(row, nil, key: "r")
      #expect(answer.status == 503 && answer.text.contains("The provider cannot be read"))
    }
  }
}
