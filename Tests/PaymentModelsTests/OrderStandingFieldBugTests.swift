import PaymentModels
import Testing

@Suite("FB-01 Buyer comes back on the cancel URL, presses Back, then pays")
struct CancelReturnTests {
  @Test func `what is not finished is pending, and pays later`() {
    #expect(standing([payment("pay_A1", .created)]).state == .pending)
    #expect(standing([payment("pay_A1", .authorized)]).state == .authorized)
    #expect(standing([payment("pay_A1", .captured, captured: 100)]).state == .paid)
  }
}

@Suite("FB-02 An abandoned attempt expires and cancels an order paid by another attempt")
struct AbandonedAttemptTests {
  @Test(arguments: [.expired, .rejected, .cancelled, .unknown("NEW")] as [PaymentStatus])
  func `the end of one payment never lowers an order that another pays`(end: PaymentStatus) {
    let events: [(PaymentFacts, PaymentFacts, OrderState)] = [
      (payment("pay_A1", .created), payment("pay_B1", .created), .pending),
      (payment("pay_A1", .created), payment("pay_B1", .authorized), .authorized),
      (payment("pay_A1", .created), payment("pay_B1", .captured, captured: 100), .paid),
      (payment("pay_A1", end), payment("pay_B1", .captured, captured: 100), .paid),
      (payment("pay_A1", end), payment("pay_B1", .authorized), .authorized),
    ]
    for (first, second, state) in events {
      let standing = standing([first, second])
      #expect(standing.state == state && standing.reviews.isEmpty)
      #expect(standing.payingPayment == (state == .pending ? nil : PaymentID("pay_B1")))
    }
  }
}

@Suite("FB-05 A newer state is overwritten by an older event")
struct OlderEventTests {
  @Test func `from captured no older state is a legal step`() {
    for older in [PaymentStatus.created, .pending, .authorized, .rejected, .expired] {
      #expect(!PaymentStatus.captured.allows(older), "\(older)")
    }
    #expect(PaymentStatus.captured.allows(.captured))
  }

  @Test func `the order in which payments are counted does not matter`() {
    let kinds = [
      payment("", .created), payment("", .expired), payment("", .authorized),
      payment("", .captured, captured: 100), payment("", .captured, captured: 40),
      payment("", .captured, captured: 100, refunded: 100),
      payment("", .captured, captured: 100, mismatches: [.wrongOrder]),
    ]
    // `standing` compares every rotation, and each of them reversed.
    for first in kinds {
      for second in kinds {
        for third in kinds {
          let payments = zip(["a", "b", "c"], [first, second, third]).map { id, facts in
            var facts = facts
            facts.id = PaymentID(id)
            return facts
          }
          let paid = payments.contains {
            $0.captured == 100 && $0.refunded == 0 && $0.mismatches == []
          }
          #expect(standing(payments).state == .paid || !paid)
        }
      }
    }
  }
}

@Suite("FB-12 A proof of payment is not bound to amount, currency and order")
struct UnboundProofTests {
  @Test(
    arguments: [.amountMismatch, .wrongOrder, .modeMismatch] as [ReviewKind],
    [
      (.authorized, 0, .needsReview), (.captured, 100, .needsReview), (.created, 0, .pending),
      (.expired, 0, .pending),
    ] as [(PaymentStatus, Int64, OrderState)])
  func `money of a payment that does not match pays nothing`(
    mismatch: ReviewKind, row: (status: PaymentStatus, captured: Int64, state: OrderState)
  ) {
    let standing = standing([
      payment("pay_A1", row.status, captured: row.captured, mismatches: [mismatch])
    ])
    #expect(standing.state == row.state)
    #expect(standing.reviews == (row.state == .needsReview ? [mismatch] : []))
    #expect(standing.captured == 0 && standing.payingPayment == nil)
  }

  @Test func `a mismatch is a case beside the payment that rightly pays`() {
    let standing = standing([
      payment("pay_A1", .captured, captured: 14, mismatches: [.amountMismatch]),
      payment("pay_B1", .captured, captured: 100),
    ])
    #expect(standing.state == .paid && standing.reviews == [.amountMismatch])
    #expect(standing.payingPayment == PaymentID("pay_B1") && standing.captured == 100)
  }

  @Test(arguments: ["140", "140.0", "140.00"])
  func `the same amount in other words is the same amount`(text: String) throws {
    let aed = try #require(Currency(iso4217: "AED"))
    let asked = Money(minorUnits: 14_000, currency: aed)
    #expect(try Money(decimal: text, currency: aed) == asked)
  }

  @Test func `another amount, currency or exponent is another amount`() throws {
    let aed = try #require(Currency(iso4217: "AED"))
    let sar = try #require(Currency(iso4217: "SAR"))
    let asked = Money(minorUnits: 14_000, currency: aed)
    #expect(try Money(decimal: "14.00", currency: aed) != asked)
    #expect(try Money(decimal: "140.00", currency: sar) != asked)
    #expect(asked != Money(minorUnits: 14_000, currency: Currency(code: "AED", exponent: 3) ?? sar))
  }
}
