import PaymentModels
import PaymentStore

extension PaymentStoreContract {
  private static let now = Sample.start + .seconds(1_000)

  static let inbox: [Case] = [
    Case("a delivery comes back as it was put and as it was replaced") { store, found in
      var put = Sample.webhook()
      put.body = [0, 1, 255, 0]
      put.providerPaymentID = ProviderPaymentID("p")
      put.paymentReference = Sample.paymentID(9)
      put.checkedHeaders = "X-Signature: 1"
      put.matchedSecret = 1
      let inserted = put
      put.body = []
      put.bodyErasedAt = now
      put.checkedHeaders = nil
      put.isUnsigned = true
      put.isConcluded = false
      put.state = .parked
      put.detail = "given up"
      put.deliveries = 2
      put.tries = 5
      put.nextTryAt = nil
      let replacement = put
      let (first, second, none) = try await store.write { transaction in
        try transaction.insertWebhook(inserted)
        let first = try transaction.webhook(inserted.id)
        try transaction.updateWebhook(replacement)
        return (
          first, try transaction.webhook(inserted.id), try transaction.webhook(Sample.webhookID(2))
        )
      }
      found.equal(first, inserted, "inserted")
      found.equal(second, replacement, "replaced")
      found.equal(none, nil, "another")
    },
    Case("a delivery is found by the provider's id of its event, at its own account") {
      store, found in
      let main = ProviderAccount("uae")
      try await store.write { transaction in
        for (number, account, event) in [
          (3, "uae", "e-1"), (2, "uae", "e-1"), (1, "ksa", "e-1"), (4, "uae", "e-2"),
        ] {
          var webhook = Sample.webhook(number)
          webhook.account = ProviderAccount(account)
          webhook.eventID = event
          webhook.topic = "payment.paid"
          webhook.isProof = true
          webhook.state = number == 2 ? .processed : .received
          try transaction.insertWebhook(webhook)
        }
        try transaction.insertWebhook(Sample.webhook(5))
      }
      let seen = try await store.read { transaction in
        try [
          transaction.webhook(.tabby, main, eventID: "e-1"),
          transaction.webhook(.tabby, main, eventID: "e-2"),
          transaction.webhook(.tabby, main, eventID: "e-3"),
          transaction.webhook(.futa, main, eventID: "e-1"),
        ]
      }
      found.equal(
        seen.map { $0?.id }, [Sample.webhookID(2), Sample.webhookID(4), nil, nil], "found")
      found.equal(seen[0]?.topic, "payment.paid", "topic")
      found.equal(seen[0]?.isProof, true, "proof")
    },
    Case("a delivery id is taken once and a missing one is not updated") { store, found in
      try await store.write { try $0.insertWebhook(Sample.webhook()) }
      await found.refuses(store, .duplicate, "insert") { try $0.insertWebhook(Sample.webhook()) }
      await found.refuses(store, .missing, "update") { try $0.updateWebhook(Sample.webhook(2)) }
    },
    Case("due deliveries come oldest first, without those in another state") { store, found in
      try await store.write { transaction in
        let states: [WebhookRow.State] = [
          .received, .received, .processed, .unmatched, .parked, .received,
        ]
        for (index, state) in states.enumerated() {
          var webhook = Sample.webhook(index + 1)
          webhook.state = state
          webhook.nextTryAt = now
          if index == 1 { webhook.receivedAt = Sample.start }
          if index == 5 { webhook.nextTryAt = now + .milliseconds(1) }
          try transaction.insertWebhook(webhook)
        }
      }
      let (due, one) = try await store.read { transaction in
        (
          try transaction.webhooksDue(at: now, limit: 10).map(\.id),
          try transaction.webhooksDue(at: now, limit: 1).map(\.id)
        )
      }
      found.equal(due, [2, 1].map(Sample.webhookID), "due")
      found.equal(one, [Sample.webhookID(2)], "one due")
    },
    Case("a twin is known while its first is received, unmatched or rejected") { store, found in
      let states: [(WebhookRow.State, Bool)] = [
        (.received, true), (.unmatched, true), (.rejected, true), (.processed, false),
        (.parked, false),
      ]
      try await store.write { try $0.insertWebhook(Sample.webhook()) }
      for (state, isOpen) in states {
        let (same, otherHash, otherProvider) = try await store.write { transaction in
          var webhook = Sample.webhook()
          webhook.state = state
          try transaction.updateWebhook(webhook)
          return (
            try transaction.openWebhook(.tabby, bodyHash: "hash-1")?.id,
            try transaction.openWebhook(.tabby, bodyHash: "hash-2")?.id,
            try transaction.openWebhook(ProviderName("other"), bodyHash: "hash-1")?.id
          )
        }
        found.equal(same, isOpen ? Sample.webhookID(1) : nil, "twin of a \(state) one")
        found.equal(otherHash, nil, "other body")
        found.equal(otherProvider, nil, "other provider")
      }
    },
    Case("deliveries are listed newest first, by state and provider, in pages") { store, found in
      try await store.write { transaction in
        let states: [WebhookRow.State] = [
          .received, .processed, .unmatched, .parked, .unmatched, .rejected,
        ]
        for (index, state) in states.enumerated() {
          var webhook = Sample.webhook(index + 1)
          webhook.state = state
          if index == 2 { webhook.provider = .futa }
          try transaction.insertWebhook(webhook)
        }
      }
      let lists = try await store.read { transaction in
        let all = try transaction.webhooks(in: nil, at: nil, before: nil, limit: 9)
        let page = try transaction.webhooks(
          in: nil, at: nil, before: Sample.webhookID(5), limit: 2)
        let unmatched = try transaction.webhooks(in: .unmatched, at: nil, before: nil, limit: 9)
        let older = try transaction.webhooks(
          in: .unmatched, at: nil, before: Sample.webhookID(5), limit: 9)
        let tabby = try transaction.webhooks(in: nil, at: .tabby, before: nil, limit: 2)
        let both = try transaction.webhooks(in: .unmatched, at: .futa, before: nil, limit: 9)
        let none = try transaction.webhooks(in: .parked, at: .futa, before: nil, limit: 9)
        return [all, page, unmatched, older, tabby, both, none].map { $0.map(\.id) }
      }
      let wanted = [[6, 5, 4, 3, 2, 1], [4, 3], [5, 3], [3], [6, 5], [3], []]
      found.equal(lists, wanted.map { $0.map(Sample.webhookID) }, "lists")
    },
    Case("due deliveries and payments are listed by account") { store, found in
      let ksa = AccountKey(.tabby, ProviderAccount("ksa"))
      try await store.seed(payments: 3)
      try await store.write { transaction in
        for number in 1...3 {
          var webhook = Sample.webhook(number)
          webhook.nextTryAt = now
          if number > 1 { webhook.account = ksa.account }
          if number == 3 { webhook.nextTryAt = now + .milliseconds(1) }
          try transaction.insertWebhook(webhook)
          var payment = Sample.payment(number + 1, attempt: number + 3)
          payment.account = ksa.account
          payment.schedule.nextReadAt = number == 3 ? nil : now - .seconds(number)
          if number == 1 { payment.schedule.leaseUntil = now + .milliseconds(1) }
          try transaction.insertPayment(payment)
        }
      }
      let (webhooks, payments) = try await store.read { transaction in
        (
          try transaction.webhooksDue(of: ksa, at: now, limit: 9).map(\.id),
          try transaction.paymentsDue(of: ksa, at: now, limit: 9).map(\.id)
        )
      }
      found.equal(webhooks, [Sample.webhookID(2)], "deliveries")
      found.equal(payments, [Sample.paymentID(3)], "payments")
    },
    Case("the journal of a delivery comes newest first") { store, found in
      try await store.write { transaction in
        for (number, event) in [(1, "webhook"), (2, "webhook"), (1, "requeue")] {
          var entry = Sample.entry(order: nil, payment: nil, event: event)
          entry.webhookID = Sample.webhookID(number)
          try transaction.appendJournal(entry)
        }
        try transaction.appendJournal(Sample.entry(order: nil, payment: nil, event: "read"))
      }
      let (both, one) = try await store.read { transaction in
        (
          try transaction.journal(of: Sample.webhookID(1), limit: 9),
          try transaction.journal(of: Sample.webhookID(1), limit: 1)
        )
      }
      found.equal(both.map(\.event), ["requeue", "webhook"], "entries")
      found.equal(both.map(\.webhookID), [Sample.webhookID(1), Sample.webhookID(1)], "ids")
      found.equal(one.count, 1, "the newest")
    },
    Case("unmatched deliveries are found by either id that they name") { store, found in
      let provider = ProviderPaymentID("prov-1")
      try await store.write { transaction in
        var named = Sample.webhook(3)
        named.state = .unmatched
        named.providerPaymentID = provider
        try transaction.insertWebhook(named)
        var ours = Sample.webhook(2)
        ours.state = .unmatched
        ours.paymentReference = Sample.paymentID(1)
        try transaction.insertWebhook(ours)
        var nameless = Sample.webhook(1)
        nameless.state = .unmatched
        try transaction.insertWebhook(nameless)
        var matched = Sample.webhook(4)
        matched.providerPaymentID = provider
        try transaction.insertWebhook(matched)
      }
      let (both, byProvider, byOurs, neither, elsewhere) = try await store.read { transaction in
        let ours = Sample.paymentID(1)
        return (
          try transaction.unmatchedWebhooks(.tabby, naming: provider, or: ours).map(\.id),
          try transaction.unmatchedWebhooks(.tabby, naming: provider, or: nil).map(\.id),
          try transaction.unmatchedWebhooks(.tabby, naming: nil, or: ours).map(\.id),
          try transaction.unmatchedWebhooks(.tabby, naming: nil, or: nil).map(\.id),
          try transaction.unmatchedWebhooks(ProviderName("x"), naming: provider, or: ours).count
        )
      }
      found.equal(both, [2, 3].map(Sample.webhookID), "by both")
      found.equal(byProvider, [Sample.webhookID(3)], "by the provider's id")
      found.equal(byOurs, [Sample.webhookID(2)], "by ours")
      found.equal(neither, [], "by none")
      found.equal(elsewhere, 0, "at another provider")
    },
  ]
}
