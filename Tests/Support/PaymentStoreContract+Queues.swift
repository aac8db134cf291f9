import PaymentModels
import PaymentStore

extension PaymentStoreContract {
  private static let now = Sample.start + .seconds(1_000)

  static let schedule: [Case] = [
    Case("due payments come most overdue first, then by id, at most the limit") { store, found in
      try await store.write { transaction in
        try transaction.insertOrder(Sample.order())
        let dues: [Int64?] = [0, -5, 0, 1, nil, -5]
        for (index, due) in dues.enumerated() {
          var payment = Sample.payment(index + 1, order: 1, attempt: index + 1)
          payment.schedule.nextReadAt = due.map { now + .milliseconds($0) }
          try transaction.insertPayment(payment)
        }
      }
      let (all, two) = try await store.read { transaction in
        (
          try transaction.paymentsDue(at: now, limit: 10).map(\.attempt),
          try transaction.paymentsDue(at: now, limit: 2).map(\.attempt)
        )
      }
      found.equal(all, [2, 6, 1, 3], "all due")
      found.equal(two, [2, 6], "two due")
    },
    Case("a new schedule is stored and leaves the version as it is") { store, found in
      try await store.seed()
      var schedule = ReadSchedule(nextReadAt: now)
      schedule.leaseUntil = now + .seconds(1)
      schedule.lastProofAt = now - .seconds(1)
      schedule.failedReads = 2
      let wanted = schedule
      let (before, after) = try await store.write { transaction in
        let before = try transaction.payment(Sample.paymentID(1))
        try transaction.schedulePayment(Sample.paymentID(1), wanted)
        return (before, try transaction.payment(Sample.paymentID(1)))
      }
      found.equal(after?.schedule, wanted, "schedule")
      found.equal(after?.version, before?.version, "version")
      await found.fails("schedule of no payment", { ($0 as? StoreError)?.kind == .missing }) {
        try await store.write { try $0.schedulePayment(Sample.paymentID(9), wanted) }
      }
    },
    Case("a payment under a lease is not due until the lease ends") { store, found in
      try await store.seed()
      try await store.write { transaction in
        var payment = Sample.payment()
        payment.schedule.nextReadAt = now
        payment.schedule.leaseUntil = now + .seconds(30)
        try transaction.updatePayment(payment)
      }
      let (held, justBefore, free) = try await store.read { transaction in
        (
          try transaction.paymentsDue(at: now, limit: 1).count,
          try transaction.paymentsDue(at: now + .milliseconds(29_999), limit: 1).count,
          try transaction.paymentsDue(at: now + .seconds(30), limit: 1).count
        )
      }
      found.equal([held, justBefore, free], [0, 0, 1], "due at start, before the end, at the end")
    },
  ]

  static let operations: [Case] = [
    Case("an operation comes back as it was put and as it was replaced") { store, found in
      try await store.seed()
      let put = Sample.operation()
      var changed = put
      changed.state = .refused
      changed.detail = "amount too high"
      changed.reason = nil
      changed.tries = 3
      changed.nextTryAt = nil
      let replacement = changed
      let (first, second) = try await store.write { transaction in
        try transaction.insertOperation(put)
        let first = try transaction.operation(put.id)
        try transaction.updateOperation(replacement)
        return (first, try transaction.operation(put.id))
      }
      found.equal(first, put, "inserted")
      found.equal(second, replacement, "replaced")
    },
    Case("an operation id is taken once and a missing one is not updated") { store, found in
      try await store.seed()
      try await store.write { try $0.insertOperation(Sample.operation()) }
      await found.refuses(store, .duplicate, "insert") {
        try $0.insertOperation(Sample.operation())
      }
      await found.refuses(store, .missing, "update") {
        try $0.updateOperation(Sample.operation(2))
      }
    },
    Case("operations come by id; due ones by time, then id, without those that ended") {
      store, found in
      try await store.seed(payments: 2)
      try await store.write { transaction in
        let states: [OperationRow.State] = [.unknown, .intent, .done, .refused, .intent]
        for (index, state) in states.enumerated() {
          var operation = Sample.operation(index + 1)
          operation.state = state
          operation.nextTryAt = index == 1 ? now - .seconds(1) : now
          try transaction.insertOperation(operation)
        }
        var later = Sample.operation(6)
        later.nextTryAt = now + .milliseconds(1)
        try transaction.insertOperation(later)
        var never = Sample.operation(7)
        never.nextTryAt = nil
        try transaction.insertOperation(never)
        try transaction.insertOperation(Sample.operation(8, payment: 101))
      }
      let (all, due, one) = try await store.read { transaction in
        (
          try transaction.operations(of: Sample.paymentID(1)).map(\.id),
          try transaction.operationsDue(at: now, limit: 10).map(\.id),
          try transaction.operationsDue(at: now, limit: 1).map(\.id)
        )
      }
      found.equal(all, (1...7).map(Sample.operationID), "of the payment")
      found.equal(due, [8, 2, 1, 5].map(Sample.operationID), "due")
      found.equal(one, [Sample.operationID(8)], "one due")
    },
  ]

  static let outbox: [Case] = [
    Case("a message comes back as it was put and as it was replaced") { store, found in
      try await store.seed()
      var put = Sample.message()
      put.paymentID = Sample.paymentID(1)
      let inserted = put
      put.deliveredAt = now
      put.tries = 2
      put.nextTryAt = nil
      let replacement = put
      let (first, second) = try await store.write { transaction in
        try transaction.insertMessage(inserted)
        let first = try transaction.messages(of: Sample.orderID(1))
        try transaction.updateMessage(replacement)
        return (first, try transaction.messages(of: Sample.orderID(1)))
      }
      found.equal(first, [inserted], "inserted")
      found.equal(second, [replacement], "replaced")
    },
    Case("a message id and an order's sequence are taken once") { store, found in
      try await store.seed()
      try await store.write { try $0.insertMessage(Sample.message()) }
      await found.refuses(store, .duplicate, "same id") {
        try $0.insertMessage(Sample.message(1, sequence: 2))
      }
      await found.refuses(store, .duplicate, "same sequence") {
        try $0.insertMessage(Sample.message(2))
      }
      await found.refuses(store, .missing, "update of none") {
        try $0.updateMessage(Sample.message(2, sequence: 2))
      }
    },
    Case("of each order only the first undelivered message is due") { store, found in
      try await store.seed(order: 1)
      try await store.seed(order: 2)
      try await store.write { transaction in
        try transaction.insertMessage(Sample.message(4, order: 1, sequence: 1))
        try transaction.insertMessage(Sample.message(3, order: 1, sequence: 2))
        try transaction.insertMessage(Sample.message(2, order: 2, sequence: 1))
      }
      let ids = try await store.read { try $0.messagesDue(at: now, limit: 10).map(\.id) }
      found.equal(ids, [2, 4].map(Sample.messageID), "at first")
      let (blocked, next) = try await store.write { transaction in
        var first = Sample.message(4, order: 1, sequence: 1)
        first.nextTryAt = now + .seconds(1)
        try transaction.updateMessage(first)
        let blocked = try transaction.messagesDue(at: now, limit: 10).map(\.id)
        first.deliveredAt = now
        first.nextTryAt = nil
        try transaction.updateMessage(first)
        return (blocked, try transaction.messagesDue(at: now, limit: 10).map(\.id))
      }
      found.equal(blocked, [Sample.messageID(2)], "while the first one waits")
      found.equal(next, [2, 3].map(Sample.messageID), "once the first one is delivered")
      let one = try await store.read { try $0.messagesDue(at: now, limit: 1).map(\.id) }
      found.equal(one, [Sample.messageID(2)], "one due")
    },
  ]
}
