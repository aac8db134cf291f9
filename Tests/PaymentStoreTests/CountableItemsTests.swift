import PaymentModels
import PaymentStore
import TestSupport
import Testing

@Suite("An answer whose movements cannot be added up")
struct CountableItemsTests {
  private static func items(
    _ count: Int, of minorUnits: Int64, _ kind: PaymentItem.Kind, from first: Int = 0
  ) -> [PaymentItem] {
    (first..<(first + count)).map {
      PaymentItem(
        kind: kind, providerItemID: "m-\($0)", reference: nil,
        amount: Money(minorUnits: minorUnits, currency: Sample.aed), createdAt: nil)
    }
  }

  private func apply(
    _ items: [PaymentItem], _ transaction: any PaymentTransaction
  ) throws -> Settlement.Outcome {
    var number = 0
    let settlement = Settlement(
      transaction, policy: SettlementPolicy(), now: Sample.start,
      newUUID: {
        number += 1
        return Sample.uuid(9, number)
      })
    let payment = try #require(try transaction.payment(Sample.paymentID(1)))
    return try settlement.apply(
      PaymentReading(
        providerPaymentID: ProviderPaymentID("p-1"), status: .captured, amount: payment.amount,
        items: items), to: payment.id, startedAt: nil, channel: .call)
  }

  @Test(arguments: PaymentItem.Kind.allCases, [(1_000, Money.minorUnitsMax), (1_001, 1), (1, -1)])
  func `it is no proof, stops nobody and changes nothing`(
    kind: PaymentItem.Kind, _ row: (count: Int, minorUnits: Int64)
  ) async throws {
    let store = InMemoryPaymentStore()
    try await store.seed()
    try await store.write { transaction in
      let before = try transaction.payment(Sample.paymentID(1))
      let items = Self.items(row.count, of: row.minorUnits, kind)
      let outcome = try apply(items, transaction)
      let after = try transaction.payment(Sample.paymentID(1))
      let kept = try transaction.items(of: Sample.paymentID(1))
      #expect(outcome == Self.refusal)
      #expect(after == before)
      #expect(kept.isEmpty)
    }
  }

  @Test func `what is known counts with what is told, and each movement once`() async throws {
    let store = InMemoryPaymentStore()
    try await store.seed()
    try await store.write { transaction in
      let all = Self.items(1, of: Money.minorUnitsMax, .capture)
      let (first, again) = (try apply(all, transaction), try apply(all, transaction))
      let more = try apply(Self.items(1, of: 1, .capture, from: 1), transaction)
      let kept = try transaction.items(of: Sample.paymentID(1))
      #expect(first == .applied(changed: true))
      #expect(again == .applied(changed: false))
      #expect(more == Self.refusal)
      #expect(kept == all)
    }
  }

  private static let refusal = Settlement.Outcome.unusable(
    reason: "its movements are too many or too large to be added up")

  @Test func `the limits are a count, and the greatest amount for each kind`() {
    #expect(Self.items([PaymentItem].countMax, of: 1, .refund).isCountable)
    #expect(!Self.items([PaymentItem].countMax + 1, of: 1, .refund).isCountable)
    let half = Money.minorUnitsMax / 2
    #expect(Self.items(2, of: half, .refund).isCountable)
    #expect(!(Self.items(2, of: half, .refund) + Self.items(1, of: 1, .refund)).isCountable)
    #expect((Self.items(2, of: half, .refund) + Self.items(1, of: 1, .capture)).isCountable)
    #expect(!Self.items(1, of: -1, .refund).isCountable)
  }
}
