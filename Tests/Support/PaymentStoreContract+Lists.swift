import PaymentModels
import PaymentStore

extension PaymentStoreContract {
  static let lists: [Case] = [
    Case("a filter takes state and provider, newest first, page by page") { store, found in
      let states: [PaymentStatus] = [.captured, .pending, .unknown("HELD"), .unknown("x:y")]
      try await store.write { transaction in
        for number in 1...40 {
          try transaction.insertOrder(Sample.order(number))
          var row = Sample.payment(number, order: number)
          row.status = states[number % 4]
          row.provider = number.isMultiple(of: 3) ? .futa : .tabby
          try transaction.insertPayment(row)
        }
      }
      let filters = [
        PaymentFilter(), PaymentFilter(state: .captured), PaymentFilter(state: .unknown),
        PaymentFilter(provider: .futa), PaymentFilter(state: .pending, provider: .futa),
        PaymentFilter(state: .expired), PaymentFilter(provider: .seb),
      ]
      for filter in filters {
        let wanted = (1...40).reversed().filter { number in
          let provider: ProviderName = number.isMultiple(of: 3) ? .futa : .tabby
          let state = PaymentFilter.State(states[number % 4])
          return (filter.provider ?? provider) == provider && (filter.state ?? state) == state
        }.map { Sample.paymentID($0) }
        let (all, first, rest) = try await store.read { transaction in
          let first = try transaction.payments(matching: filter, before: nil, limit: 3)
          return (
            try transaction.payments(matching: filter, before: nil, limit: 99).map(\.id),
            first.map(\.id),
            try transaction.payments(
              matching: filter, before: first.last?.id ?? Sample.paymentID(0), limit: 99
            ).map(\.id)
          )
        }
        found.equal(all, wanted, "all of \(filter)")
        found.equal(first + rest, wanted, "pages of \(filter)")
      }
    },
    Case("providers of payments are listed once, by name") { store, found in
      found.equal(try await store.read { try $0.paymentProviders() }, [], "none")
      try await store.write { transaction in
        for (number, name) in [(1, ProviderName.tabby), (2, .futa), (3, .tabby), (4, .seb)] {
          try transaction.insertOrder(Sample.order(number))
          var row = Sample.payment(number, order: number)
          row.provider = name
          try transaction.insertPayment(row)
        }
      }
      found.equal(
        try await store.read { try $0.paymentProviders() }, [.futa, .seb, .tabby], "providers")
    },
    Case("accounts of payments are listed once, by provider and name") { store, found in
      found.equal(try await store.read { try $0.paymentAccounts() }, [], "none")
      let made: [(ProviderName, String)] = [
        (.tabby, "uae"), (.futa, "main"), (.tabby, "ksa"), (.tabby, "uae"),
      ]
      try await store.write { transaction in
        for (number, account) in zip(1..., made) {
          try transaction.insertOrder(Sample.order(number))
          var row = Sample.payment(number, order: number)
          (row.provider, row.account) = (account.0, ProviderAccount(account.1))
          try transaction.insertPayment(row)
        }
      }
      let wanted: [(ProviderName, String)] = [(.futa, "main"), (.tabby, "ksa"), (.tabby, "uae")]
      found.equal(
        try await store.read { try $0.paymentAccounts() },
        wanted.map { AccountKey($0.0, ProviderAccount($0.1)) }, "accounts")
    },
    Case("the beginning of an id finds its payments, and no sign is a wildcard") { store, found in
      for number in [1, 2, 12] { try await store.seed(order: number) }
      let id = Sample.paymentID(12).rawValue
      for (prefix, wanted) in [
        (id, [12]), (String(id.dropLast(2)), [12, 2, 1]), (String(id.dropLast()), [12]),
        ("%", []), ("", [12, 2, 1]), ("f", []),
      ] {
        let ids = try await store.read {
          try $0.payments(idPrefix: prefix, limit: 9).map(\.id)
        }
        found.equal(ids, wanted.map { Sample.paymentID($0) }, "“\(prefix)”")
      }
    },
    Case("the last change of a payment is the last by proof") { store, found in
      try await store.seed()
      let id = Sample.paymentID(1)
      found.equal(try await store.read { try $0.lastChange(of: id)?.event }, nil, "none")
      let lines: [(Channel, TrustClass, String?, String)] = [
        (.call, .proof, "made", "answer"), (.webhook, .proof, "pending → captured", "read"),
        (.poll, .proof, nil, "read failed"), (.device, .hint, "cart", "cart"),
        (.system, .proof, "paid", "order"),
      ]
      func append(_ lines: [(Channel, TrustClass, String?, String)]) async throws {
        try await store.write { transaction in
          for (channel, trust, change, event) in lines {
            try transaction.appendJournal(
              JournalEntry(
                at: Sample.start, orderID: Sample.orderID(1), paymentID: id, channel: channel,
                trust: trust, event: event, change: change))
          }
        }
      }
      try await append(lines)
      let last = try await store.read { try $0.lastChange(of: id) }
      found.equal(last?.channel, .webhook, "channel")
      found.equal(last?.change, "pending → captured", "change")
      // A read that the app asked for is a proof too.
      try await append([(.device, .proof, "captures and refunds", "read")])
      found.equal(
        try await store.read { try $0.lastChange(of: id)?.channel }, .device, "by the app")
    },
  ]
}
