import PaymentModels
import PaymentStore

extension PaymentStoreContract {
  private static let opened = Sample.start + .seconds(10)
  private static let later = opened + .seconds(5_000)
  private static let lease = Duration.seconds(20)

  private static func settlement(
    _ transaction: any PaymentTransaction, at now: Instant
  ) -> Settlement {
    Settlement(
      transaction, policy: SettlementPolicy(capture: .manual), now: now, lease: lease,
      newUUID: {
        // Messages alone are made here.
        Sample.uuid(9, (try? transaction.messages(of: Sample.orderID(1)).count) ?? 0)
      })
  }

  /// A captured payment with three refunds of one amount, of which no read has told.
  private static func seedRefunds(_ store: any PaymentStore) async throws {
    try await store.seed()
    try await store.write { transaction in
      if var payment = try transaction.payment(Sample.paymentID(1)) {
        payment.status = .captured
        try transaction.updatePayment(payment)
      }
      try transaction.putItem(
        PaymentItem(
          kind: .capture, providerItemID: "c", reference: nil, amount: Sample.payment().amount,
          createdAt: nil), of: Sample.paymentID(1))
      for number in 1...3 {
        var operation = Sample.operation(number)
        operation.state = .unknown
        operation.nextTryAt = later + .seconds(3_600)
        try transaction.insertOperation(operation)
      }
    }
  }

  private static func ask(
    _ number: Int, _ transaction: any PaymentTransaction, at now: Instant = opened
  ) throws {
    guard let operation = try transaction.operation(Sample.operationID(number)) else { return }
    try settlement(transaction, at: now)
      .openFailure(of: operation, Sample.orderID(1), " has no end")
  }

  /// Dismisses the open case; gives what stood against it, or the states of the refunds.
  private static func dismissed(_ transaction: any PaymentTransaction) throws -> String {
    guard let review = try transaction.openReviews(after: 0, limit: 1).first else {
      return "no case"
    }
    do {
      try settlement(transaction, at: later).decide(
        ReviewRow.Decided(.dismiss, by: OperatorName("anna"), because: "it never came"),
        on: review)
    } catch let refused as DecisionRefused {
      return refused.description
    }
    return try transaction.operations(of: Sample.paymentID(1)).map(\.state.rawValue)
      .joined(separator: " ")
  }

  static let givenUp: [Case] = [
    Case("a dismissal gives up the refund that the case names alone") { store, found in
      try await seedRefunds(store)
      let (first, second) = try await store.write { transaction in
        try ask(1, transaction)
        // There is a case on the payment already, so this one has to ask again.
        try ask(2, transaction)
        let first = try dismissed(transaction)
        try ask(2, transaction)
        return (first, try dismissed(transaction))
      }
      found.equal(first, "refused unknown unknown", "the first")
      found.equal(second, "refused refused unknown", "the second, of the same amount")
    },
    Case("a dismissal of a case that names no refund gives none up") { store, found in
      try await seedRefunds(store)
      let states = try await store.write { transaction in
        try settlement(transaction, at: opened).open(
          .operationFailed, Sample.orderID(1), Sample.paymentID(1),
          "refund 10.00 AED has no end after many tries")
        var accepted = Sample.operation(3)
        accepted.state = .unknown
        accepted.acceptedAt = opened
        accepted.nextTryAt = later + .seconds(3_600)
        try transaction.updateOperation(accepted)
        return try dismissed(transaction)
      }
      found.equal(states, "unknown unknown unknown", "states")
    },
    Case("a refund that is due or under way is not given up") { store, found in
      for (wait, isFree) in [
        (Duration.seconds(-1), false), (lease, false), (lease + .milliseconds(1), true),
      ] {
        let answer = try await answer(store) { $0.nextTryAt = later + wait }
        found.equal(answer == "refused", isFree, "\(wait): \(answer)")
        found.equal(answer.hasSuffix("decide again in a minute."), !isFree, "\(wait): says when")
      }
    },
    Case("a refund that was taken on after its case was opened is not given up") { store, found in
      for (wait, isFree) in [(Duration.zero, true), (.milliseconds(1), false)] {
        let answer = try await answer(store) { $0.acceptedAt = opened + wait }
        found.equal(answer == "refused", isFree, "\(wait): \(answer)")
      }
    },
    Case("the case of a refund that is taken on ends, and it may ask anew") { store, found in
      try await seedRefunds(store)
      let open = try await store.write { transaction in
        try ask(1, transaction)
        var counts: [Int] = []
        for number in [2, 1] {
          guard let operation = try transaction.operation(Sample.operationID(number)) else {
            continue
          }
          try settlement(transaction, at: later).endFailure(of: operation, Sample.orderID(1))
          counts.append(try transaction.openReviews(after: 0, limit: 9).count)
        }
        try ask(1, transaction)
        return counts + [try transaction.openReviews(after: 0, limit: 9).count]
      }
      found.equal(open, [1, 0, 1], "open cases")
    },
  ]

  private struct RolledBack: Error {
    let answer: String
  }

  /// The state of a refund after its case is dismissed, or what stood against it. All is undone.
  private static func answer(
    _ store: any PaymentStore, _ change: @escaping @Sendable (inout OperationRow) -> Void
  ) async throws -> String {
    if try await store.read({ try $0.payment(Sample.paymentID(1)) }) == nil {
      try await seedRefunds(store)
    }
    do {
      try await store.write { transaction in
        try ask(1, transaction)
        var operation = Sample.operation(1)
        operation.state = .unknown
        operation.nextTryAt = later + .seconds(3_600)
        change(&operation)
        try transaction.updateOperation(operation)
        let answer = try dismissed(transaction)
        let isEnded = try transaction.operation(operation.id)?.state == .refused
        throw RolledBack(answer: isEnded ? "refused" : answer)
      }
    } catch let undone as RolledBack {
      return undone.answer
    }
    return "committed"
  }
}
