import PaymentModels
import ProviderInterface

extension ProviderContract {
  /// Captures, refunds and closes as the capability words say.
  static let operations: [Case] = [
    Case("what the provider does not do is refused before anything is sent") { bench, found in
      let id = bench.stranger
      let operation = operation(1, on: id, try bench.terms(1).total)
      let can = bench.provider.capabilities
      let refused: [(String, Bool, () async throws -> PaymentReading)] = [
        ("capture", can.capture == .automatic, { try await bench.provider.capture(operation) }),
        ("refund", can.refund == .none, { try await bench.provider.refund(operation) }),
        ("close", can.close == .none, { try await bench.provider.close(id) }),
      ]
      for (name, isRefused, call) in refused where isRefused {
        found.equal(await failure(call)?.kind, .refused, name)
      }
      found.equal(bench.sentCount(), 0, "requests")
    },
    Case("held money is captured in parts, and a repeat takes nothing twice", needs: [.payer]) {
      bench, found in
      guard bench.provider.capabilities.capture == .separate else { return }
      let held = try await bench.paid()
      let parts = parts(of: try bench.terms(1).total)
      let first = operation(1, on: held, parts[0])
      let part = try await bench.provider.capture(first)
      found.equal(part.status, .authorized, "the status after a part")
      found.equal(part.sum(.capture), parts[0], "the sum after a part")
      if bench.provider.capabilities.operationsCarryReference {
        let again = try await bench.provider.capture(first)
        found.equal(again.sum(.capture), parts[0], "the sum after a repeat")
        found.equal(again.items.map(\.reference), [first.reference.rawValue], "our reference")
      }
      let whole = try await bench.provider.capture(operation(2, on: held, parts[1]))
      found.equal(whole.status, .captured, "the status")
      found.equal(whole.sum(.capture), try bench.terms(1).total, "the sum")
      found.equal(
        try await bench.provider.read(held.providerPaymentID), whole, "what a read says of it")
    },
    Case("captured money goes back, and a repeat gives nothing twice", needs: [.payer]) {
      bench, found in
      let can = bench.provider.capabilities.refund
      guard can != .none else { return }
      let total = try bench.terms(1).total
      var paid = try await bench.paid()
      if bench.provider.capabilities.capture == .separate {
        paid = try await bench.provider.capture(operation(1, on: paid, total))
      }
      let amounts = can == .partial ? parts(of: total) : [total]
      var given = Money.zero(total.currency)
      for (index, amount) in amounts.enumerated() {
        let refund = operation(index + 2, on: paid, amount)
        var reading = try await bench.provider.refund(refund)
        if bench.provider.capabilities.operationsCarryReference {
          reading = try await bench.provider.refund(refund)
        }
        given = given.adding(amount) ?? given
        found.equal(reading.sum(.refund), given, "the sum after refund \(index + 1)")
        found.equal(reading.status, .captured, "the status after refund \(index + 1)")
        found.equal(reading.sum(.capture), total, "what was captured")
      }
    },
    Case("a close lets held money go, and is no capture", needs: [.payer]) { bench, found in
      let can = bench.provider.capabilities
      guard can.close != .none, can.capture == .separate else { return }
      let held = try await bench.paid()
      let closed = try await bench.provider.close(held.providerPaymentID)
      found.equal(closed.status, .cancelled, "the status")
      found.equal(closed.items, [], "movements of money")
      let late = operation(1, on: held, try bench.terms(1).total)
      found.expect(
        await failure { try await bench.provider.capture(late) } != nil, "it was captured later")
    },
  ]

  private static func operation(
    _ number: Int, on reading: PaymentReading, _ amount: Money
  ) -> ProviderOperation {
    var operation = operation(number, on: reading.providerPaymentID, amount)
    operation.transactionID = reading.transactionID
    return operation
  }

  private static func operation(
    _ number: Int, on id: ProviderPaymentID, _ amount: Money
  ) -> ProviderOperation {
    ProviderOperation(
      providerPaymentID: id, amount: amount, reference: Sample.operationID(number),
      reason: "contract")
  }

  /// Two parts that are not equal.
  private static func parts(of total: Money) -> [Money] {
    let first = total.minorUnits / 3
    return [first, total.minorUnits - first].map {
      Money(minorUnits: $0, currency: total.currency)
    }
  }
}

extension PaymentReading {
  /// What moved one way.
  fileprivate func sum(_ kind: PaymentItem.Kind) -> Money? {
    guard let currency = amount?.currency else { return nil }
    return items.filter { $0.kind == kind }.reduce(Money.zero(currency)) {
      $0.adding($1.amount) ?? $0
    }
  }
}
