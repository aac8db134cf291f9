import HTTPExchange
import PaymentModels
import PaymentStore
import TestSupport
import Testing

@testable import MerchantServer

@Suite("One answer for all that wait for the same")
struct SharedAnswerTests {
  private let order = Sample.orderID(1)
  private let key = SharedAnswers.Key(
    payment: Sample.paymentID(1), showsKey: true, isFresh: true)

  private func seen(_ version: Int64) -> SharedAnswers.Seen {
    SharedAnswers.Seen(
      response: HTTPResponse(status: 200, body: Array("\(version)".utf8)), version: version,
      isSame: false)
  }

  private func told(_ world: ServerWorld, of number: Int) async throws {
    let known = await world.waiters.position
    world.waiters.committed(CommittedChanges(orders: [Sample.orderID(number)], payments: []))
    try await world.untilStill("heard") { await world.waiters.position > known }
  }

  private func isAnswer(_ news: WaiterTable.News, _ version: Int64) -> Bool {
    if case .answer(let response) = news {
      response.body == Array("\(version)".utf8)
    } else {
      false
    }
  }

  private func isNone(_ news: WaiterTable.News) -> Bool {
    if case .none = news { true } else { false }
  }

  private func isUnknown(_ news: WaiterTable.News) -> Bool {
    if case .unknown = news { true } else { false }
  }

  @Test func `one is woken, reads, and then the others are, who read nothing`() async throws {
    try await ServerWorld.run { world in
      let table = world.waiters
      let first = try #require(await table.register(order))
      let second = try #require(await table.register(order))
      try await told(world, of: 1)
      #expect(await first.changes.first { _ in true } != nil)
      #expect(isUnknown(await table.news(key, behind: 4, for: first)))
      await table.tell(seen(5), key, by: first, readAt: table.position)
      #expect(await second.changes.first { _ in true } != nil)
      #expect(isAnswer(await table.news(key, behind: 4, for: second), 5))
      #expect(await table.waiterCount == 1)
      await table.remove(first)
    }
  }

  @Test(arguments: [false, true])
  func `another goes where the first leaves before it has told what it read`(
    _ isLate: Bool
  ) async throws {
    try await ServerWorld.run { world in
      let table = world.waiters
      let waiters = [
        try #require(await table.register(order)), try #require(await table.register(order)),
      ]
      let before = await table.position
      try await told(world, of: 1)
      if isLate { await table.tell(seen(5), key, by: waiters[0], readAt: before) }
      await table.remove(waiters[0])
      #expect(await waiters[1].changes.first { _ in true } != nil)
      #expect(isUnknown(await table.news(key, behind: 4, for: waiters[1])))
      await table.remove(waiters[1])
    }
  }

  @Test func `what was read is good until the next commit to the order`() async throws {
    try await ServerWorld.run { world in
      let table = world.waiters
      let waiters = [
        try #require(await table.register(order)), try #require(await table.register(order)),
      ]
      await table.tell(seen(5), key, by: waiters[0], readAt: table.position)
      try await told(world, of: 2)
      #expect(isAnswer(await table.news(key, behind: 4, for: waiters[0]), 5))
      try await told(world, of: 1)
      #expect(isUnknown(await table.news(key, behind: 4, for: waiters[1])))
      await table.remove(waiters[1])
    }
  }

  @Test func `who has seen as much is told nothing and waits on`() async throws {
    try await ServerWorld.run { world in
      let table = world.waiters
      let waiter = try #require(await table.register(order))
      await table.tell(seen(5), key, by: waiter, readAt: table.position)
      #expect(isNone(await table.news(key, behind: 5, for: waiter)))
      #expect(isNone(await table.news(key, behind: 6, for: waiter)))
      #expect(await table.waiterCount == 1)
      await table.remove(waiter)
    }
  }

  @Test func `an answer is for those alone who may see the same`() async throws {
    try await ServerWorld.run { world in
      let table = world.waiters
      let waiter = try #require(await table.register(order))
      await table.tell(seen(5), key, by: waiter, readAt: table.position)
      for other in [
        SharedAnswers.Key(payment: Sample.paymentID(2), showsKey: true, isFresh: true),
        SharedAnswers.Key(payment: Sample.paymentID(1), showsKey: false, isFresh: true),
        SharedAnswers.Key(payment: Sample.paymentID(1), showsKey: true, isFresh: false),
      ] {
        #expect(isUnknown(await table.news(other, behind: 4, for: waiter)))
      }
      await table.remove(waiter)
    }
  }

  @Test func `nothing is kept when nobody waits any more`() async throws {
    try await ServerWorld.run { world in
      let table = world.waiters
      let gone = try #require(await table.register(order))
      let position = await table.position
      await table.tell(seen(5), key, by: gone, readAt: position)
      await table.remove(gone)
      await table.tell(seen(5), key, by: gone, readAt: position)
      let next = try #require(await table.register(order))
      #expect(isUnknown(await table.news(key, behind: 4, for: next)))
      await table.remove(next)
    }
  }

  @Test func `each of many gets the new state, and those with another view their own`()
    async throws
  {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      let version = row.version + (try await world.order(row.orderID).version)
      let tokens = Array(repeating: ServerWorld.user, count: 6) + [ServerWorld.operatorKey]
      let answers = try await world.moving {
        try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
          for token in tokens {
            group.addTask {
              await world.server.respond(
                to: HTTPRequest(
                  method: "GET", target: "/v1/payments/\(row.id)?wait=30",
                  headers: [
                    "Authorization": "Bearer \(token)", "If-None-Match": "\"\(version)\"",
                  ]))
            }
          }
          try await world.until("wait") { await world.waiters.waiterCount == tokens.count }
          try await world.until("read") { world.provider.count(.read) >= 1 }
          world.provider.change(id) { $0.status = .authorized }
          try await world.deliver(world.provider.webhook(id))
          return try await group.reduce(into: []) { $0.append($1) }
        }
      }
      #expect(answers.count == tokens.count)
      for answer in answers {
        #expect(answer.status == 200)
        #expect(answer.headers["ETag"] != "\"\(version)\"")
        #expect(String(decoding: answer.body, as: UTF8.self).contains(row.id.rawValue))
      }
    }
  }
}
