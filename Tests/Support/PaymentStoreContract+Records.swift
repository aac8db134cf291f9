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
    Case("a journal goes on after a number, and tells when a payment was noted last") {
      store, found in
      try await store.seed(order: 1, payments: 2)
      try await store.write { transaction in
        for (second, payment) in [1, 101, 1, 101].enumerated() {
          var entry = Sample.entry(order: nil, payment: payment, event: "\(second)")
          entry.at = Sample.start + .seconds(second)
          try transaction.appendJournal(entry)
        }
      }
      let whole = try await store.read { transaction in
        [
          try transaction.journal(after: 0, limit: 3), try transaction.journal(after: 1, limit: 2),
          try transaction.journal(after: 4, limit: 3), try transaction.journal(after: 9, limit: 3),
        ].map { $0.map(\.event) }
      }
      found.equal(whole, [["0", "1", "2"], ["1", "2"], [], []], "pages of the whole journal")
      let (pages, noted, never) = try await store.read { transaction in
        let first = try transaction.journal(of: Sample.orderID(1), after: 0, limit: 3)
        let rest = try transaction.journal(
          of: Sample.orderID(1), after: first.last?.sequence ?? 0, limit: 3)
        return (
          [first.map(\.event), rest.map(\.event)],
          try transaction.lastNoted(Sample.paymentID(1)),
          try transaction.lastNoted(Sample.paymentID(9))
        )
      }
      found.equal(pages, [["0", "1", "2"], ["3"]], "pages")
      found.equal(noted, Sample.start + .seconds(2), "last noted")
      found.equal(never, nil, "never noted")
    },
    Case("money that moved is summed by account and currency, at the provider's time") {
      store, found in
      try await store.seed(order: 1, payments: 2)
      try await store.seed(order: 2)
      try await store.write { transaction in
        for (id, kind, at, payment) in [
          ("a", PaymentItem.Kind.capture, 0, 1), ("b", .refund, 5, 1), ("c", .chargeback, 9, 2),
          ("d", .capture, 10, 2), ("e", .capture, 4, 2),
        ] {
          var item = Sample.item(id, kind: kind)
          item.createdAt = Sample.start + .seconds(at)
          try transaction.putItem(
            item, of: Sample.paymentID(payment), learnedAt: Sample.start + .seconds(100))
        }
        var silent = Sample.item("f")
        silent.createdAt = nil
        for second in [7, 70] {
          try transaction.putItem(
            silent, of: Sample.paymentID(2), learnedAt: Sample.start + .seconds(second))
        }
        _ = try transaction.openReview(
          ReviewRow(
            orderID: Sample.orderID(2), paymentID: nil, kind: .lateMoney, detail: "d",
            openedAt: Sample.start))
      }
      let seen = try await store.read {
        try $0.moneyTotals(from: Sample.start, to: Sample.start + .seconds(10))
      }
      let right = MoneyTotal(
        provider: .tabby, account: ProviderAccount("uae"), currency: Sample.aed,
        captured: 15_000, refunded: 5_000, chargedBack: 5_000, inReview: 10_000)
      found.equal(seen, [right], "totals")
      let none = try await store.read {
        try $0.moneyTotals(from: Sample.start + .seconds(11), to: Sample.start + .seconds(99))
      }
      found.equal(none, [], "totals of another time")
    },
    Case("a probe is written, and again") { store, found in
      for second in 0..<2 {
        try await store.write { try $0.probe(at: Sample.start + .seconds(second)) }
      }
      await found.fails("in a read", { ($0 as? StoreError)?.kind == .readOnly }) {
        try await store.read { try $0.probe(at: Sample.start) }
      }
    },
    Case("payments are counted") { store, found in
      found.equal(try await store.read { try $0.paymentCount() }, 0, "none")
      try await store.seed(payments: 3)
      found.equal(try await store.read { try $0.paymentCount() }, 3, "three")
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
      var right = review(.amountMismatch, payment: 1)
      right.number = reviews.first?.number ?? 0
      found.equal(reviews.first, right, "comes back as it was put")
      found.equal(reviews.map(\.number), reviews.map(\.number).sorted(), "growing numbers")
      found.equal(Set(reviews.map(\.number)).count, 4, "distinct numbers")
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
    Case("a review is decided by its number, and keeps how it was opened") { store, found in
      try await store.seed(payments: 2)
      let at = Sample.start + .seconds(30)
      let (before, after) = try await store.write { transaction in
        for payment in [1, 101, nil] {
          _ = try transaction.openReview(review(.disputed, payment: payment))
        }
        let rows = try transaction.reviews(of: Sample.orderID(1))
        var kept = rows[0]
        kept.decision = ReviewRow.Decided(
          .keep, by: OperatorName("anna"), because: "asked the payer", idempotencyKey: "k-1")
        try transaction.updateReview(kept)
        var closed = rows[1]
        closed.decision = ReviewRow.Decided(.refund, by: nil, because: "policy")
        closed.resolvedAt = at
        closed.detail = "not what is updated"
        try transaction.updateReview(closed)
        closed.detail = rows[1].detail
        return ([kept, closed, rows[2]], try transaction.reviews(of: Sample.orderID(1)))
      }
      found.equal(after, before, "reviews")
      let (one, none) = try await store.read {
        (try $0.review(before[1].number), try $0.review(99))
      }
      found.equal(one, before[1], "by its number")
      found.equal(none, nil, "no such number")
      await found.refuses(store, .missing, "update of none") { transaction in
        var stranger = review(.disputed, payment: 1)
        stranger.number = 99
        try transaction.updateReview(stranger)
      }
    },
    Case("open reviews come by number, behind the one that is named, at most so many") {
      store, found in
      try await store.seed(payments: 2)
      let lists = try await store.write { transaction in
        for (kind, at) in [(ReviewKind.disputed, 9), (.lateMoney, 5), (.wrongOrder, 1)] {
          _ = try transaction.openReview(review(kind, payment: 1, at: at))
        }
        var first = try transaction.openReviews(after: 0, limit: 1)[0]
        let second = try transaction.openReviews(after: first.number, limit: 1)
        first.resolvedAt = Sample.start
        try transaction.updateReview(first)
        return (second, try transaction.openReviews(after: 0, limit: 9))
      }
      found.equal(lists.0.map(\.kind), [.lateMoney], "behind the first")
      found.equal(lists.1.map(\.kind), [.lateMoney, .wrongOrder], "open ones")
    },
    Case("every kind of review and every decision can be kept") { store, found in
      try await store.seed()
      let kinds = try await store.write { transaction in
        for (index, kind) in ReviewKind.allCases.enumerated() {
          _ = try transaction.openReview(review(kind, payment: 1))
          guard var row = try transaction.openReviews(after: 0, limit: 99).last else { continue }
          let all = ReviewDecision.allCases
          row.decision = ReviewRow.Decided(all[index % all.count], by: nil, because: "r")
          try transaction.updateReview(row)
        }
        return try transaction.openReviews(after: 0, limit: 99).map(\.kind)
      }
      found.equal(kinds, ReviewKind.allCases, "kinds")
    },
  ]
}
