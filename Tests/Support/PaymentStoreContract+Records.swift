import PaymentModels
import PaymentStore

extension PaymentStoreContract {
  private static func review(_ kind: ReviewKind, payment: Int?, at seconds: Int = 0) -> ReviewRow {
    ReviewRow(
      orderID: Sample.orderID(1), paymentID: payment.map(Sample.paymentID), kind: kind,
      detail: "15000 and 14000", openedAt: Sample.start + .seconds(seconds))
  }

  static let records: [Case] = [
    Case("the journal of an order holds its payments' entries, in order of commit") {
      store, found in
      try await store.seed(order: 1, payments: 2)
      try await store.seed(order: 2)
      try await store.write { transaction in
        try transaction.appendJournal(Sample.entry(order: 1, payment: nil, event: "a"))
        try transaction.appendJournal(Sample.entry(order: nil, payment: 101, event: "b"))
        try transaction.appendJournal(Sample.entry(order: 2, payment: 2, event: "other"))
      }
      try await store.write {
        try $0.appendJournal(Sample.entry(order: nil, payment: nil, event: "nobody"))
        try $0.appendJournal(Sample.entry(order: 1, payment: 1, event: "c"))
      }
      let (all, two) = try await store.read { transaction in
        (
          try transaction.journal(of: Sample.orderID(1), limit: 10),
          try transaction.journal(of: Sample.orderID(1), limit: 2).map(\.event)
        )
      }
      found.equal(all.map(\.event), ["a", "b", "c"], "events")
      found.equal(two, ["a", "b"], "limited events")
      found.equal(all.map(\.sequence), all.map(\.sequence).sorted(), "growing numbers")
      found.equal(Set(all.map(\.sequence)).count, 3, "distinct numbers")
      var right = Sample.entry(order: 1, payment: 1, event: "c")
      right.sequence = all.last?.sequence ?? 0
      found.equal(all.last, right, "an entry comes back as it was put")
    },
    Case("a review of one kind is opened once on a payment") { store, found in
      try await store.seed(payments: 2)
      let opened = try await store.write { transaction in
        try [
          transaction.openReview(review(.amountMismatch, payment: 1)),
          transaction.openReview(review(.amountMismatch, payment: 1, at: 5)),
          transaction.openReview(review(.amountMismatch, payment: 101)),
          transaction.openReview(review(.wrongOrder, payment: 1)),
          transaction.openReview(review(.amountMismatch, payment: nil)),
          transaction.openReview(review(.amountMismatch, payment: nil)),
        ]
      }
      found.equal(opened, [true, false, true, true, true, false], "opened")
      let reviews = try await store.read { try $0.reviews(of: Sample.orderID(1)) }
      found.equal(reviews.first, review(.amountMismatch, payment: 1), "comes back as it was put")
      found.equal(reviews.count, 4, "reviews")
    },
    Case("a resolved review does not stop a new one; reviews come oldest first") { store, found in
      try await store.seed()
      let (opened, reviews) = try await store.write { transaction in
        var resolved = review(.disputed, payment: 1, at: 9)
        resolved.resolvedAt = Sample.start + .seconds(20)
        let opened = [
          try transaction.openReview(resolved),
          try transaction.openReview(review(.disputed, payment: 1, at: 3)),
          try transaction.openReview(review(.disputed, payment: 1, at: 1)),
        ]
        return (opened, try transaction.reviews(of: Sample.orderID(1)))
      }
      found.equal(opened, [true, true, false], "opened")
      found.equal(
        reviews.map(\.openedAt), [3, 9].map { Sample.start + .seconds($0) }, "oldest first")
      found.equal(reviews.last?.resolvedAt, Sample.start + .seconds(20), "resolved")
    },
    Case("the open review of one kind and one payment, or of none, is resolved once") {
      store, found in
      try await store.seed(payments: 2)
      let at = Sample.start + .seconds(30)
      let (resolved, reviews) = try await store.write { transaction in
        let order = Sample.orderID(1)
        for payment in [1, 101, nil] {
          _ = try transaction.openReview(review(.disputed, payment: payment))
        }
        _ = try transaction.openReview(review(.lateMoney, payment: nil))
        let resolved = try [
          transaction.resolveReview(.disputed, of: order, Sample.paymentID(1), at: at),
          transaction.resolveReview(.disputed, of: order, Sample.paymentID(1), at: at),
          transaction.resolveReview(.disputed, of: order, nil, at: at),
          transaction.resolveReview(.wrongOrder, of: order, nil, at: at),
          transaction.resolveReview(.disputed, of: Sample.orderID(2), nil, at: at),
        ]
        return (resolved, try transaction.reviews(of: order))
      }
      found.equal(resolved, [true, false, true, false, false], "resolved")
      found.equal(
        reviews.filter { $0.resolvedAt == nil }.map(\.kind), [.disputed, .lateMoney], "open")
      found.equal(
        reviews.filter { $0.resolvedAt == nil }.first?.paymentID, Sample.paymentID(101), "payment")
      found.equal(reviews.compactMap(\.resolvedAt), [at, at], "times")
    },
  ]
}
