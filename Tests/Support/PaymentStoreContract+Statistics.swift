import PaymentModels
import PaymentStore

extension PaymentStoreContract {
  static let statistics: [Case] = [
    Case("an empty store has nothing to count") { store, found in
      found.equal(try await store.read { try $0.statistics() }, StoreStatistics(), "empty")
    },
    Case("payments are counted by provider and state, unknown words as one") { store, found in
      try await seedStates(store)
      let seen = try await store.read { try $0.statistics() }
      let rows = seen.payments.map { "\($0.provider) \($0.status) \($0.count)" }
      found.equal(
        rows, ["futa captured 1", "tabby created 2", "tabby pending 1", "tabby unknown: 2"],
        "payments")
      let waiting = seen.waiting.map { "\($0.provider) \($0.queue.count)" }
      // One of the two that are created has lapsed.
      found.equal(waiting, ["tabby 4"], "waiting")
      found.equal(seen.waiting.first?.queue.oldest, Sample.start + .seconds(2), "oldest")
    },
    Case("queues are counted with their oldest") { store, found in
      try await store.seed()
      try await store.write { transaction in
        for (number, state) in [(1, WebhookRow.State.received), (2, .received), (3, .processed)] {
          var row = Sample.webhook(number)
          row.state = state
          try transaction.insertWebhook(row)
        }
        var held = Sample.webhook(4)
        held.state = .parked
        try transaction.insertWebhook(held)
        held = Sample.webhook(6)
        held.state = .rejected
        try transaction.insertWebhook(held)
        held = Sample.webhook(5)
        held.state = .unmatched
        try transaction.insertWebhook(held)
        try transaction.insertMessage(Sample.message(1))
        var done = Sample.message(2, sequence: 2)
        done.deliveredAt = Sample.start
        try transaction.insertMessage(done)
        var dead = Sample.message(3, sequence: 3)
        dead.nextTryAt = nil
        try transaction.insertMessage(dead)
        try transaction.insertOperation(Sample.operation(1))
        var refused = Sample.operation(2)
        refused.state = .refused
        try transaction.insertOperation(refused)
        _ = try transaction.openReview(review(.lateMoney, 5))
        var closed = review(.disputed, 7)
        closed.resolvedAt = Sample.start + .seconds(9)
        _ = try transaction.openReview(closed)
      }
      let seen = try await store.read { try $0.statistics() }
      func queue(_ count: Int, _ seconds: Int) -> StoreStatistics.Queue {
        StoreStatistics.Queue(count: count, oldest: Sample.start + .seconds(seconds))
      }
      found.equal(seen.receivedWebhooks, queue(2, 1), "received")
      found.equal(seen.parkedWebhooks, queue(1, 4), "parked")
      found.equal(seen.rejectedWebhooks, queue(1, 6), "rejected")
      found.equal(seen.unmatchedWebhooks, queue(1, 5), "unmatched")
      found.equal(seen.messages.count, 1, "messages")
      found.equal(seen.deadMessages.count, 1, "dead messages")
      found.equal(seen.operations, queue(1, 0), "operations")
      found.equal(
        seen.reviews, [StoreStatistics.Reviews(kind: .lateMoney, queue: queue(1, 5))], "reviews")
    },
  ]

  private static func review(_ kind: ReviewKind, _ seconds: Int) -> ReviewRow {
    ReviewRow(
      orderID: Sample.orderID(1), paymentID: Sample.paymentID(1), kind: kind, detail: "as told",
      openedAt: Sample.start + .seconds(seconds))
  }

  private static func seedStates(_ store: any PaymentStore) async throws {
    let states: [(ProviderName, PaymentStatus)] = [
      (.tabby, .created), (.tabby, .created), (.tabby, .pending), (.tabby, .unknown("NEW")),
      (.tabby, .unknown("NEWER")), (.futa, .captured),
    ]
    try await store.write { transaction in
      try transaction.insertOrder(Sample.order())
      for (index, (provider, status)) in states.enumerated() {
        var row = Sample.payment(index + 1, attempt: index + 1)
        row.provider = provider
        row.status = status
        row.lapsed = index == 0
        // The oldest by its creation was proven long after that.
        row.schedule.lastProofAt = index == 2 ? Sample.start + .seconds(900) : nil
        try transaction.insertPayment(row)
      }
    }
  }
}
