import PaymentModels
import PaymentStore

extension PaymentStoreContract {
  /// Every field away from its default.
  private static var fullPayment: PaymentRow {
    var payment = Sample.payment()
    payment.createState = .created
    payment.providerPaymentID = ProviderPaymentID("prov-1")
    payment.checkoutURL = "https://checkout.example/?a=%20b"
    payment.status = .unknown("ON_HOLD")
    payment.rejectionReason = "order_amount_too_high"
    payment.expiresAt = Sample.start + .seconds(60)
    payment.transactionID = "tx-1"
    payment.verificationKey = Secret("key-1")
    payment.isModeProven = true
    payment.fulfilmentHeldUntil = Sample.start + .seconds(61)
    payment.lastEventAt = Sample.start + .seconds(62)
    payment.dispute = .won
    payment.schedule.lastProofAt = Sample.start + .seconds(2)
    payment.schedule.nextReadAt = Sample.start + .seconds(3)
    payment.schedule.failedReads = 4
    payment.schedule.leaseUntil = Sample.start + .seconds(5)
    payment.lapsed = true
    payment.createRequest = [0, 255, 1]
    return payment
  }

  static let payments: [Case] = [
    Case("a payment comes back as it was put") { store, found in
      let put = fullPayment
      try await store.write { transaction in
        try transaction.insertOrder(Sample.order())
        try transaction.insertPayment(put)
      }
      found.equal(try await store.read { try $0.payment(put.id) }, put, "payment")
    },
    Case("every state comes back as it was put") { store, found in
      let states: [PaymentStatus] = [
        .created, .pending, .authorized, .captured, .rejected, .expired, .cancelled, .unknown(""),
        .unknown("captured"),
      ]
      try await store.seed()
      for state in states {
        let seen = try await store.write { transaction -> PaymentStatus? in
          guard var payment = try transaction.payment(Sample.paymentID(1)) else { return nil }
          payment.status = state
          try transaction.updatePayment(payment)
          return try transaction.payment(payment.id)?.status
        }
        found.equal(seen, state, "state")
      }
    },
    Case("a payment id and an attempt number are taken once") { store, found in
      try await store.seed()
      try await store.seed(order: 2)
      await found.refuses(store, .duplicate, "same id") {
        try $0.insertPayment(Sample.payment(1, order: 1, attempt: 2))
      }
      await found.refuses(store, .duplicate, "same attempt") {
        try $0.insertPayment(Sample.payment(3, order: 1, attempt: 1))
      }
      try await store.write { try $0.insertPayment(Sample.payment(3, order: 1, attempt: 2)) }
    },
    Case("a payment's update replaces the row and adds 1 to its version") { store, found in
      try await store.seed()
      let seen = try await store.write { transaction in
        try transaction.updatePayment(fullPayment)
        return try transaction.payment(Sample.paymentID(1))
      }
      var right = fullPayment
      right.version = 2
      found.equal(seen, right, "payment")
    },
    Case("a stale or missing payment is not updated") { store, found in
      try await store.seed()
      try await store.write { try $0.updatePayment(Sample.payment()) }
      await found.refuses(store, .stale, "old version") { try $0.updatePayment(Sample.payment()) }
      await found.refuses(store, .missing, "none") { try $0.updatePayment(Sample.payment(2)) }
    },
    Case("an order's payments come by attempt number") { store, found in
      try await store.write { transaction in
        try transaction.insertOrder(Sample.order())
        try transaction.insertOrder(Sample.order(2))
        try transaction.insertPayment(Sample.payment(1, order: 1, attempt: 3))
        try transaction.insertPayment(Sample.payment(2, order: 2, attempt: 1))
        try transaction.insertPayment(Sample.payment(3, order: 1, attempt: 1))
      }
      let seen = try await store.read { try $0.payments(of: Sample.orderID(1)).map(\.attempt) }
      found.equal(seen, [1, 3], "attempts")
    },
    Case("payments are listed newest first, page by page") { store, found in
      try await store.seed(payments: 5)
      let pages = try await store.read { transaction in
        let first = try transaction.payments(before: nil, limit: 2)
        let second = try transaction.payments(before: first.last?.id, limit: 2)
        let third = try transaction.payments(before: second.last?.id, limit: 2)
        return [first, second, third, try transaction.payments(before: nil, limit: 0)]
          .map { $0.map(\.id) }
      }
      let ids = [401, 301, 201, 101, 1].map(Sample.paymentID)
      found.equal(pages, [Array(ids[0..<2]), Array(ids[2..<4]), [ids[4]], []], "pages")
    },
    Case("every provider id ever linked finds its payment") { store, found in
      try await store.seed()
      let (old, new) = (ProviderPaymentID("zz-old"), ProviderPaymentID("aa-new"))
      try await store.write { transaction in
        try transaction.link(.tabby, old, to: Sample.paymentID(1))
        try transaction.link(.tabby, new, to: Sample.paymentID(1))
        try transaction.link(.tabby, old, to: Sample.paymentID(1))
      }
      let (byOld, byNew, elsewhere, ids) = try await store.read { transaction in
        (
          try transaction.payment(.tabby, old)?.id, try transaction.payment(.tabby, new)?.id,
          try transaction.payment(ProviderName("other"), old)?.id,
          try transaction.providerPaymentIDs(of: Sample.paymentID(1))
        )
      }
      found.equal(byOld, Sample.paymentID(1), "by the old id")
      found.equal(byNew, Sample.paymentID(1), "by the new id")
      found.equal(elsewhere, nil, "at another provider")
      found.equal(ids, [old, new], "ids, oldest first")
    },
    Case("a provider id belongs to one payment for good") { store, found in
      try await store.seed(payments: 2)
      let id = ProviderPaymentID("prov-1")
      try await store.write { try $0.link(.tabby, id, to: Sample.paymentID(1)) }
      await found.refuses(store, .duplicate, "link to another payment") {
        try $0.link(.tabby, id, to: Sample.paymentID(101))
      }
      await found.refuses(store, .duplicate, "update of another payment") {
        var other = Sample.payment(101, order: 1, attempt: 2)
        other.providerPaymentID = id
        try $0.updatePayment(other)
      }
      found.equal(
        try await store.read { try $0.payment(.tabby, id)?.id }, Sample.paymentID(1), "owner")
    },
    Case("a payment that names its provider id is found by it, also after it names another") {
      store, found in
      let put = fullPayment
      try await store.write { transaction in
        try transaction.insertOrder(Sample.order())
        try transaction.insertPayment(put)
        var moved = put
        moved.providerPaymentID = ProviderPaymentID("prov-2")
        try transaction.updatePayment(moved)
      }
      for id in ["prov-1", "prov-2"] {
        let seen = try await store.read { try $0.payment(.tabby, ProviderPaymentID(id))?.id }
        found.equal(seen, put.id, "by \(id)")
      }
    },
  ]

  static let items: [Case] = [
    Case("items come by kind and provider id, and the same one is replaced") { store, found in
      try await store.seed(payments: 2)
      let seen = try await store.write { transaction in
        let payment = Sample.paymentID(1)
        for item in [
          Sample.item("r1", kind: .refund), Sample.item("c2"), Sample.item("c1"),
          Sample.item("c1", kind: .chargeback),
        ] {
          try transaction.putItem(item, of: payment)
        }
        var grown = Sample.item("c1")
        grown.amount = Money(minorUnits: 6_000, currency: Sample.aed)
        grown.reference = nil
        grown.createdAt = nil
        try transaction.putItem(grown, of: payment)
        try transaction.putItem(Sample.item("c1"), of: Sample.paymentID(101))
        return try transaction.items(of: payment)
      }
      found.equal(
        seen.map { "\($0.kind.rawValue) \($0.providerItemID)" },
        ["capture c1", "capture c2", "chargeback c1", "refund r1"], "items")
      found.equal(seen.first?.amount.minorUnits, 6_000, "replaced amount")
      found.equal(seen.first?.reference, nil, "replaced reference")
      found.equal(seen.first?.createdAt, nil, "replaced time")
      found.equal(seen.last, Sample.item("r1", kind: .refund), "an item comes back as put")
    }
  ]
}
