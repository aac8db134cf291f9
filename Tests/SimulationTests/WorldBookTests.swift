import PaymentModels
import PaymentOracle
import PaymentStore
@testable import Simulation
import TestSupport
import Testing

/// What the judge is given of the book, from rows that nobody goes on with.
struct WorldBookTests {
  private func payment(
    _ change: @escaping @Sendable (inout PaymentRow) -> Void = { _ in },
    now: Instant? = Sample.start,
    also: @escaping @Sendable (any PaymentTransaction) throws -> Void = { _ in }
  ) async throws -> (orders: [String], isOwned: Bool, isStuck: Bool, inFlight: Int) {
    let store = InMemoryPaymentStore()
    return try await store.write { transaction in
      try transaction.insertOrder(Sample.order())
      var row = Sample.payment()
      change(&row)
      try transaction.insertPayment(row)
      try also(transaction)
      let orders = try WorldBook.orders(transaction, now: now)
      let payment = try #require(orders.first?.payments.first)
      return (
        orders.map(\.orderID), payment.isOwned, payment.isStuck, payment.operationsInFlight
      )
    }
  }

  @Test func `a payment that is read next is owned, one that is not is not`() async throws {
    #expect(try await payment().isOwned)
    let forgotten = try await payment { $0.schedule.nextReadAt = nil }
    #expect(!forgotten.isOwned)
  }

  @Test(arguments: [(300, false), (301, true)])
  func `a lease that no worker can have taken is for ever`(
    seconds: Int, isStuck: Bool
  ) async throws {
    let end = Sample.start + .seconds(seconds)
    #expect(try await payment { $0.schedule.leaseUntil = end }.isStuck == isStuck)
    #expect(try await !payment({ $0.schedule.leaseUntil = end }, now: nil).isStuck)
  }

  @Test func `an operation is in flight until a person is asked about it`() async throws {
    let inFlight = try await payment(also: {
      try $0.insertOperation(Sample.operation())
    })
    #expect(inFlight.inFlight == 1 && inFlight.isOwned)
    let asked = try await payment(also: { transaction in
      try transaction.insertOperation(Sample.operation())
      _ = try transaction.openReview(
        ReviewRow(
          orderID: Sample.orderID(1), paymentID: Sample.paymentID(1), kind: .operationFailed,
          detail: "no end", openedAt: Sample.start))
    })
    #expect(asked.inFlight == 0)
    let forgotten = try await payment(also: { transaction in
      var operation = Sample.operation()
      operation.state = .unknown
      operation.nextTryAt = nil
      try transaction.insertOperation(operation)
    })
    #expect(!forgotten.isOwned)
  }

  @Test func `deliveries that wait, and those that nobody comes back to, are counted`()
    async throws
  {
    let store = InMemoryPaymentStore()
    let inbox = try await store.write { transaction in
      try transaction.insertWebhook(Sample.webhook(1))
      var forgotten = Sample.webhook(2)
      forgotten.bodyHash = "other"
      forgotten.nextTryAt = nil
      try transaction.insertWebhook(forgotten)
      return try WorldBook.inbox(transaction)
    }
    #expect(inbox.waiting == 2)
    #expect(inbox.unowned == 1)
  }

  private static let twins: [(WebhookRow.State, String?, String?, Bool, Int)] = [
    (.received, "event-1", "event-1", false, 1), (.processed, "event-1", "event-1", false, 1),
    (.received, "event-1", "event-2", true, 1), (.unmatched, nil, nil, true, 1),
    (.received, nil, nil, false, 0),
    // Done, and told again in the same bytes: another look.
    (.processed, nil, nil, true, 0), (.processed, "event-1", "event-2", true, 0),
  ]

  @Test(arguments: twins)
  func `rows of one event are counted`(
    state: WebhookRow.State, first: String?, second: String?, isSameBody: Bool, twins: Int
  ) async throws {
    let store = InMemoryPaymentStore()
    let inbox = try await store.write { transaction in
      for (number, event) in [(1, first), (2, second)] {
        var row = Sample.webhook(number)
        (row.eventID, row.state) = (event, number == 1 ? state : .received)
        row.bodyHash = isSameBody ? "same" : "body \(number)"
        try transaction.insertWebhook(row)
      }
      return try WorldBook.inbox(transaction)
    }
    #expect(inbox.twins == twins)
  }

  @Test func `messages are counted by what became of them`() async throws {
    let store = InMemoryPaymentStore()
    let order = try await store.write { transaction in
      try transaction.insertOrder(Sample.order())
      try transaction.insertPayment(Sample.payment())
      for (number, isDelivered) in [(1, true), (2, false), (3, false)] {
        var message = Sample.message(number, sequence: Int64(number))
        message.deliveredAt = isDelivered ? Sample.start : nil
        message.nextTryAt = number == 2 ? Sample.start : nil
        try transaction.insertMessage(message)
      }
      return try #require(try WorldBook.orders(transaction, now: nil).first)
    }
    #expect((order.delivered, order.undelivered, order.givenUp) == (1, 2, 1))
  }

  @Test func `the journal is read on from a line`() async throws {
    let store = InMemoryPaymentStore()
    let lines = try await store.write { transaction in
      for event in ["read", "order", "message"] {
        try transaction.appendJournal(Sample.entry(order: 1, payment: nil, event: event))
      }
      return try WorldBook.lines(transaction, after: 1)
    }
    #expect(lines.map(\.sequence) == [2, 3])
    #expect(lines.map(\.event) == ["order", "message"])
  }
}
