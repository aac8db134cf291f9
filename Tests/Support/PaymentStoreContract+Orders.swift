import PaymentModels
import PaymentStore

extension PaymentStoreContract {
  static let orders: [Case] = [
    Case("an order comes back as it was put") { store, found in
      var order = Sample.order()
      order.subject = Subject("nul \u{0} and – dash")
      order.state = .needsReview
      order.cancelRequestedAt = Sample.start
      order.cancelledAt = Sample.start + .seconds(1)
      order.refundedAt = Sample.start + .seconds(2)
      order.loweredDue = 900
      order.nextSequence = 7
      order.isFulfilled = true
      let put = order
      try await store.write { try $0.insertOrder(put) }
      found.equal(try await store.read { try $0.order(put.id) }, put, "order")
    },
    Case("an order keeps the exponent of its currency") { store, found in
      guard let odd = Currency(code: "UGX", exponent: 2) else { return }
      let line = OrderLine(
        productID: "p", title: "t", category: "c", quantity: 1,
        unitPrice: Money(minorUnits: 500, currency: odd))
      let order = OrderRow(
        id: Sample.orderID(1), subject: Subject("s"), lines: [line], total: line.unitPrice,
        createdAt: Sample.start)
      try await store.write { try $0.insertOrder(order) }
      found.equal(try await store.read { try $0.order(order.id) }, order, "order")
    },
    Case("an order id is taken once") { store, found in
      try await store.seed()
      await found.refuses(store, .duplicate, "second insert") { try $0.insertOrder(Sample.order()) }
    },
    Case("an update adds 1 to the version") { store, found in
      try await store.seed()
      let seen = try await store.write { transaction in
        var order = Sample.order()
        order.state = .authorized
        try transaction.updateOrder(order)
        return try transaction.order(order.id)
      }
      found.equal(seen?.version, 2, "version")
      found.equal(seen?.state, .authorized, "state")
    },
    Case("a stale or missing order is not updated") { store, found in
      try await store.seed()
      try await store.write { try $0.updateOrder(Sample.order()) }
      await found.refuses(store, .stale, "old version") { try $0.updateOrder(Sample.order()) }
      await found.refuses(store, .missing, "no such order") { try $0.updateOrder(Sample.order(2)) }
    },
    Case("an update gives an order its new lines and total, and no other order") { store, found in
      try await store.seed()
      try await store.write { try $0.insertOrder(Sample.order(2)) }
      var order = Sample.order()
      order.lines = [order.lines[0], order.lines[0]]
      order.lines[0].productID = "other"
      order.lines[1].quantity += 1
      order.total = Money(
        minorUnits: order.total.minorUnits + 1, currency: order.total.currency)
      let edited = order
      let (seen, other) = try await store.write { transaction in
        try transaction.updateOrder(edited)
        return (try transaction.order(edited.id), try transaction.order(Sample.orderID(2)))
      }
      found.equal(seen?.lines, edited.lines, "lines")
      found.equal(seen?.total, edited.total, "total")
      found.equal(other?.lines, Sample.order(2).lines, "lines of the other")
    },
    Case("an idempotency key is known by its scope and taken once") { store, found in
      try await store.seed()
      let row = IdempotencyRow(
        scope: "buyer-1 checkouts", key: "k", termsHash: "h", orderID: Sample.orderID(1),
        paymentID: Sample.paymentID(1), createdAt: Sample.start)
      try await store.write { try $0.insertIdempotency(row) }
      let (same, otherKey, otherScope) = try await store.read { transaction in
        (
          try transaction.idempotency(row.scope, row.key),
          try transaction.idempotency(row.scope, "l"), try transaction.idempotency("x", row.key)
        )
      }
      found.equal(same, row, "same scope and key")
      found.equal(otherKey, nil, "other key")
      found.equal(otherScope, nil, "other scope")
      await found.refuses(store, .duplicate, "second use") { try $0.insertIdempotency(row) }
      var other = row
      other.scope = "buyer-2 checkouts"
      let elsewhere = other
      try await store.write { try $0.insertIdempotency(elsewhere) }
    },
  ]
}
