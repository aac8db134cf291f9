import PaymentModels
import PaymentStore

extension PaymentStoreContract {
  private struct Refused: Error, Equatable {}

  static let transactions: [Case] = [
    Case("an empty store has nothing") { store, found in
      let (order, payment, recent) = try await store.read { transaction in
        (
          try transaction.order(Sample.orderID(1)), try transaction.payment(Sample.paymentID(1)),
          try transaction.payments(before: nil, limit: 10)
        )
      }
      found.equal(order, nil, "order")
      found.equal(payment, nil, "payment")
      found.equal(recent, [], "payments")
    },
    Case("a body that throws leaves nothing behind and its error comes out") { store, found in
      try await store.seed()
      await found.fails("write", { $0 as? Refused == Refused() }) {
        try await store.write { transaction in
          try transaction.insertOrder(Sample.order(2))
          try transaction.insertPayment(Sample.payment(2, order: 2))
          try transaction.putItem(Sample.item("c1"), of: Sample.paymentID(1))
          try transaction.appendJournal(Sample.entry(order: 1, payment: nil, event: "gone"))
          var order = Sample.order()
          order.state = .paid
          try transaction.updateOrder(order)
          throw Refused()
        }
      }
      let (second, first, items, journal) = try await store.read { transaction in
        (
          try transaction.order(Sample.orderID(2)), try transaction.order(Sample.orderID(1)),
          try transaction.items(of: Sample.paymentID(1)),
          try transaction.journal(of: Sample.orderID(1), limit: 10)
        )
      }
      found.equal(second, nil, "the order put in vain")
      found.equal(first, Sample.order(), "the order changed in vain")
      found.equal(items, [], "the item put in vain")
      found.equal(journal, [], "the entry put in vain")
    },
    Case("a body sees its own writes") { store, found in
      let seen = try await store.write { transaction in
        try transaction.insertOrder(Sample.order())
        return try transaction.order(Sample.orderID(1))
      }
      found.equal(seen, Sample.order(), "order")
    },
    Case("a body that catches a refusal may go on") { store, found in
      try await store.seed()
      let isTaken = try await store.write { transaction in
        var isTaken = false
        do {
          try transaction.insertOrder(Sample.order(1))
        } catch let error as StoreError {
          isTaken = error.kind == .duplicate
        }
        try transaction.insertOrder(Sample.order(2))
        return isTaken
      }
      let second = try await store.read { try $0.order(Sample.orderID(2)) }
      found.expect(isTaken, "the duplicate was told")
      found.equal(second, Sample.order(2), "the order after it")
    },
    Case("a read refuses to write") { store, found in
      try await store.seed()
      await found.fails("insert", { ($0 as? StoreError)?.kind == .readOnly }) {
        try await store.read { try $0.insertOrder(Sample.order(2)) }
      }
      await found.fails("append", { ($0 as? StoreError)?.kind == .readOnly }) {
        try await store.read {
          try $0.appendJournal(Sample.entry(order: 1, payment: nil, event: "no"))
        }
      }
      let second = try await store.read { try $0.order(Sample.orderID(2)) }
      found.equal(second, nil, "order")
      try await store.write { try $0.insertOrder(Sample.order(3)) }
    },
    Case("a read passes on what its body throws") { store, found in
      await found.fails("read", { $0 is Refused }) { try await store.read { _ in throw Refused() } }
    },
    Case("64 writers at once lose nothing") { store, found in
      try await store.seed()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<64 {
          group.addTask {
            try await store.write { transaction in
              guard var order = try transaction.order(Sample.orderID(1)) else {
                throw StoreError(.missing, "order")
              }
              order.nextSequence += 1
              try transaction.updateOrder(order)
            }
          }
        }
        try await group.waitForAll()
      }
      let order = try await store.read { try $0.order(Sample.orderID(1)) }
      found.equal(order?.nextSequence, 65, "sum of all writers")
      found.equal(order?.version, 65, "version")
    },
  ]

  static let references: [Case] = [
    Case("a row that names nothing stored is refused") { store, found in
      try await store.seed()
      await found.refuses(store, .constraint, "payment of no order") {
        try $0.insertPayment(Sample.payment(9, order: 9))
      }
      await found.refuses(store, .constraint, "link to no payment") {
        try $0.link(.tabby, ProviderPaymentID("p"), to: Sample.paymentID(9))
      }
      await found.refuses(store, .constraint, "item of no payment") {
        try $0.putItem(Sample.item("c"), of: Sample.paymentID(9))
      }
      await found.refuses(store, .constraint, "operation on no payment") {
        try $0.insertOperation(Sample.operation(1, payment: 9))
      }
      await found.refuses(store, .constraint, "message of no order") {
        try $0.insertMessage(Sample.message(1, order: 9))
      }
      await found.refuses(store, .constraint, "message about no payment") {
        var message = Sample.message()
        message.paymentID = Sample.paymentID(9)
        try $0.insertMessage(message)
      }
      await found.refuses(store, .constraint, "review of no order") {
        _ = try $0.openReview(
          ReviewRow(
            orderID: Sample.orderID(9), paymentID: nil, kind: .lateMoney, detail: "",
            openedAt: Sample.start))
      }
    },
    Case("journal and inbox may name what is not stored") { store, found in
      let journal = try await store.write { transaction in
        try transaction.appendJournal(Sample.entry(order: 9, payment: 9, event: "webhook"))
        var webhook = Sample.webhook()
        webhook.paymentReference = Sample.paymentID(9)
        try transaction.insertWebhook(webhook)
        return try transaction.journal(of: Sample.orderID(9), limit: 10)
      }
      found.equal(journal.count, 1, "entries")
    },
  ]
}
