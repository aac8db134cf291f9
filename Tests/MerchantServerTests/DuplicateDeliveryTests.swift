import HTTPExchange
import PaymentModels
import PaymentStore
import TestSupport
import Testing

@Suite("FB-04 The same event handled twice")
struct DuplicateDeliveryTests {
  @Test func `a: the same bytes again after 35 s do nothing twice`() async throws {
    try await check { world, id, _ in
      let webhook = world.provider.webhook(id, rest: "authorized")
      var statuses = [try await world.deliver(webhook)]
      await world.pass(.seconds(35))
      statuses.append(try await world.deliver(webhook))
      return statuses
    }
  }

  @Test(arguments: 2...8)
  func `b: the same bytes on parallel connections do nothing twice`(connections: Int) async throws {
    try await check { world, id, _ in
      let webhook = world.provider.webhook(id, rest: "authorized")
      return try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<connections { group.addTask { try await world.deliver(webhook) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }
  }

  @Test func `c: a capture that is told as authorized once more does nothing twice`() async throws {
    try await check { world, id, row in
      var statuses = [try await world.deliver(world.provider.webhook(id, rest: "captures=[]"))]
      try await world.until("captured") { try await world.payment(row.id).status == .captured }
      statuses.append(try await world.deliver(world.provider.webhook(id, rest: "captures=[c1]")))
      return statuses
    }
  }

  private func check(
    _ deliver: (ServerWorld, ProviderPaymentID, PaymentRow) async throws -> [Int]
  ) async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      world.provider.change(id) { $0.status = .authorized }
      let statuses = try await deliver(world, id, row)
      #expect(statuses.allSatisfy { $0 == 200 })
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      await world.pass(.seconds(5))
      #expect(world.provider.count(.capture) == 1)
      #expect(try await world.messages(row.orderID) == [.fulfil])
      #expect(try await world.operations(row.id).map(\.state) == [.done])
    }
  }
}
