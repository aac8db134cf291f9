import PaymentModels
import PaymentStore

extension PaymentStoreContract {
  static let dueTimes: [Case] = [
    Case("what is due is told apart by whether its end is known") { store, found in
      let now = Sample.start + .seconds(60)
      try await store.seed(payments: 0)
      try await store.write { transaction in
        let statuses: [PaymentStatus] = [
          .created, .unknown("odd"), .captured, .expired, .pending, .pending, .authorized,
        ]
        for (index, status) in statuses.enumerated() {
          var payment = Sample.payment(index + 1, attempt: index + 1)
          payment.status = status
          payment.lapsed = index == 5
          payment.schedule.nextReadAt = now - .seconds(index)
          try transaction.insertPayment(payment)
        }
      }
      let account = AccountKey(Sample.payment().provider, Sample.payment().account)
      for (isLive, limit, numbers) in [
        (true, 9, [5, 2, 1]), (true, 2, [5, 2]), (false, 9, [7, 6, 4, 3]), (false, 1, [7]),
      ] {
        let due = try await store.read {
          try $0.paymentsDue(of: account, isLive: isLive, at: now, limit: limit).map(\.id)
        }
        found.equal(due, numbers.map { Sample.paymentID($0) }, "live \(isLive), \(limit)")
      }
    },
    Case("bringing forward makes due what is pending, and nothing else") { store, found in
      let limit = Sample.start
      let ahead = limit + .seconds(86_400)
      try await store.seed(payments: 0)
      try await store.write { transaction in
        let statuses: [PaymentStatus] = [
          .created, .unknown("odd"), .captured, .expired, .pending, .created, .created,
        ]
        for (index, status) in statuses.enumerated() {
          var payment = Sample.payment(index + 1, attempt: index + 1)
          payment.status = status
          payment.lapsed = index == 5
          payment.schedule.nextReadAt = index == 6 ? limit - .seconds(1) : ahead
          payment.schedule.leaseUntil = index == 4 ? ahead + .seconds(1) : nil
          try transaction.insertPayment(payment)
        }
        for number in 1...3 {
          var operation = Sample.operation(number)
          operation.state = [.intent, .unknown, .done][number - 1]
          operation.nextTryAt = number == 3 ? nil : ahead
          try transaction.insertOperation(operation)
          var webhook = Sample.webhook(number)
          webhook.state = [.received, .unmatched, .parked][number - 1]
          webhook.nextTryAt = ahead
          try transaction.insertWebhook(webhook)
        }
        var message = Sample.message(1)
        message.nextTryAt = ahead
        try transaction.insertMessage(message)
        try transaction.bringForward(to: limit)
      }
      let (payments, operations, webhooks, messages) = try await store.read { transaction in
        (
          try transaction.paymentsDue(at: limit, limit: 10).map(\.id),
          try transaction.operationsDue(at: limit, limit: 10).map(\.id),
          try transaction.webhooksDue(at: limit, limit: 10).map(\.id),
          try transaction.messagesDue(at: limit, limit: 10).map(\.id)
        )
      }
      found.equal(payments, [7, 1, 2, 5].map(Sample.paymentID), "payments")
      found.equal(operations, [1, 2].map(Sample.operationID), "operations")
      found.equal(webhooks, [Sample.webhookID(1)], "deliveries")
      found.equal(messages, [Sample.messageID(1)], "messages")
    },
    Case("only each provider's newest unmatched deliveries are kept, and all others") {
      store, found in
      let states: [WebhookRow.State] = [
        .unmatched, .received, .unmatched, .parked, .processed, .unmatched, .unmatched,
      ]
      try await store.write { transaction in
        for (index, state) in states.enumerated() {
          var webhook = Sample.webhook(index + 1)
          webhook.state = state
          try transaction.insertWebhook(webhook)
        }
        for number in 8...9 {
          var other = Sample.webhook(number)
          other.provider = .tebex
          other.state = .unmatched
          try transaction.insertWebhook(other)
        }
        for provider in [ProviderName.tabby, .tebex, .tebex] {
          try transaction.removeWebhooks(provider, in: .unmatched, keeping: 2, limit: 9)
        }
      }
      let left = try await store.read { transaction in
        try (1...9).filter { try transaction.webhook(Sample.webhookID($0)) != nil }
      }
      found.equal(left, [2, 4, 5, 6, 7, 8, 9], "left")
    },
  ]
}
