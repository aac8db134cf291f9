import PaymentModels
import PaymentStore

extension PaymentStoreContract {
  private static let now = Sample.start + .seconds(1_000)

  static let operators: [Case] = [
    Case("messages are listed newest first, by state, in pages") { store, found in
      try await store.seed()
      try await store.write { transaction in
        for number in 1...4 {
          var message = Sample.message(number, sequence: Int64(number))
          if number == 2 { message.nextTryAt = nil }
          if number == 3 { (message.deliveredAt, message.nextTryAt) = (now, nil) }
          try transaction.insertMessage(message)
        }
      }
      let lists = try await store.read { transaction in
        let all = try transaction.messages(in: nil, before: nil, limit: 9)
        let page = try transaction.messages(in: nil, before: Sample.messageID(4), limit: 2)
        let states = try MessageRow.State.allCases.map {
          try transaction.messages(in: $0, before: nil, limit: 9)
        }
        return ([all, page] + states).map { $0.map(\.id) }
      }
      let wanted = [[4, 3, 2, 1], [3, 2], [4, 1], [3], [2]]
      found.equal(lists, wanted.map { $0.map(Sample.messageID) }, "lists")
      let (one, none) = try await store.read { transaction in
        (try transaction.message(Sample.messageID(2)), try transaction.message(Sample.messageID(9)))
      }
      found.equal(one?.state, .dead, "one")
      found.equal(none, nil, "none")
    },
    Case("a pause is kept, replaced and ended by provider and account") { store, found in
      let pause = { @Sendable (provider: ProviderName, account: String?, reason: String) in
        PauseRow(
          provider: provider, account: account.map { ProviderAccount($0) }, pausedAt: now,
          operatorName: OperatorName("anna"), reason: reason)
      }
      let (first, ended, missing, left) = try await store.write { transaction in
        try transaction.putPause(pause(.tabby, "uae", "b"))
        try transaction.putPause(pause(.tabby, nil, "a"))
        try transaction.putPause(pause(.futa, nil, "old"))
        try transaction.putPause(pause(.futa, nil, "c"))
        return (
          try transaction.pauses(), try transaction.removePause(.tabby, nil),
          try transaction.removePause(.tabby, ProviderAccount("ksa")), try transaction.pauses()
        )
      }
      found.equal(
        first, [pause(.futa, nil, "c"), pause(.tabby, nil, "a"), pause(.tabby, "uae", "b")], "all")
      found.equal(ended, true, "ended")
      found.equal(missing, false, "missing")
      found.equal(left.map(\.reason), ["c", "b"], "left")
    },
    Case("a buyer's bytes are erased, and what is worked on stays") { store, found in
      try await store.write { transaction in
        try transaction.insertOrder(Sample.order(1))
        try transaction.insertOrder(Sample.order(2))
        for (number, order) in [(1, 1), (2, 1), (3, 2)] {
          var payment = Sample.payment(number, order: order, attempt: number)
          payment.createState = number == 2 ? .intent : .created
          payment.status = number == 2 ? .created : .captured
          payment.providerPaymentID = number == 2 ? nil : ProviderPaymentID("p-\(number)")
          payment.checkoutURL = number == 2 ? nil : "https://pay.example/\(number)"
          try transaction.insertPayment(payment)
        }
        let rows: [(WebhookRow.State, PaymentID?, String?)] = [
          (.processed, Sample.paymentID(1), nil), (.parked, nil, "p-1"),
          (.received, nil, "p-1"), (.processed, Sample.paymentID(3), "p-3"),
        ]
        for (index, (state, ours, theirs)) in rows.enumerated() {
          var webhook = Sample.webhook(index + 1)
          webhook.state = state
          webhook.paymentReference = ours
          webhook.providerPaymentID = theirs.map { ProviderPaymentID($0) }
          webhook.checkedHeaders = "A: b"
          try transaction.insertWebhook(webhook)
        }
      }
      let (erased, again, nobody) = try await store.write { transaction in
        (
          try transaction.eraseBuyer(Subject("buyer-1"), at: now),
          try transaction.eraseBuyer(Subject("buyer-1"), at: now),
          try transaction.eraseBuyer(Subject("nobody"), at: now)
        )
      }
      var wanted = ErasedBuyer(orders: [Sample.orderID(1)])
      (wanted.bodies, wanted.requests, wanted.pages, wanted.waiting) = (2, 1, 1, 2)
      found.equal(erased, wanted, "erased")
      (wanted.bodies, wanted.requests, wanted.pages) = (0, 0, 0)
      found.equal(again, wanted, "again")
      found.equal(nobody, ErasedBuyer(orders: []), "nobody")
      let (bodies, requests, urls) = try await store.read { transaction in
        (
          try (1...4).map { try transaction.webhook(Sample.webhookID($0))?.body.isEmpty },
          try (1...3).map { try transaction.payment(Sample.paymentID($0))?.createRequest.isEmpty },
          try (1...3).map { try transaction.payment(Sample.paymentID($0))?.checkoutURL }
        )
      }
      found.equal(bodies, [true, true, false, false], "bodies")
      found.equal(requests, [true, false, false], "requests")
      found.equal(urls, [nil, nil, "https://pay.example/3"], "pages")
    },
  ]
}
