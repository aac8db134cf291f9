import PaymentModels
import Testing

/// One payment of an order over 100 minor units.
func payment(
  _ id: String, _ status: PaymentStatus, captured: Int64 = 0, refunded: Int64 = 0,
  chargedBack: Int64 = 0, mismatches: Set<ReviewKind> = [], lapsed: Bool = false
) -> PaymentFacts {
  PaymentFacts(
    id: PaymentID(id), status: status, mismatches: mismatches, captured: captured,
    refunded: refunded, chargedBack: chargedBack, lapsed: lapsed)
}

/// The standing of an order over 100 minor units; the same whatever the order of the payments.
func standing(
  _ payments: [PaymentFacts], _ decisions: OrderDecisions = OrderDecisions()
) -> OrderStanding {
  let standing = OrderStanding(total: 100, payments: payments, decisions: decisions)
  for turn in payments.indices {
    let turned = Array(payments[turn...] + payments[..<turn])
    for order in [turned, turned.reversed()] {
      #expect(OrderStanding(total: 100, payments: order, decisions: decisions) == standing)
    }
  }
  return standing
}

@Suite("Order standing")
struct OrderStandingTests {
  @Test(
    arguments: [
      (.created, 0, 0, .pending), (.pending, 0, 0, .pending), (.unknown("NEW"), 0, 0, .pending),
      (.rejected, 0, 0, .pending), (.expired, 0, 0, .pending), (.cancelled, 0, 0, .pending),
      (.authorized, 0, 0, .authorized), (.authorized, 60, 0, .authorized),
      (.authorized, 100, 0, .paid), (.captured, 100, 0, .paid), (.captured, 101, 0, .paid),
      (.captured, 100, 1, .paid), (.captured, 100, 99, .paid), (.captured, 100, 100, .refunded),
      (.captured, 100, 101, .refunded), (.captured, 99, 0, .needsReview),
      (.captured, 99, 99, .refunded), (.captured, 0, 0, .needsReview),
      // Captured, and then a word that the kit does not know: the sums still stand.
      (.unknown("NEW"), 100, 0, .paid),
    ] as [(PaymentStatus, Int64, Int64, OrderState)])
  func `one payment`(
    status: PaymentStatus, captured: Int64, refunded: Int64, state: OrderState
  ) {
    let standing = standing([payment("a", status, captured: captured, refunded: refunded)])
    #expect(standing.state == state)
    #expect(standing.captured == captured && standing.returned == refunded && standing.due == 100)
    #expect(standing.reviews == (state == .needsReview ? [.shortCapture] : []))
    let pays = status.holdsMoney || captured > 0
    #expect(standing.payingPayment == (pays ? PaymentID("a") : nil))
  }

  @Test func `no payment yet`() {
    #expect(standing([]).state == .pending)
    #expect(standing([]).payingPayment == nil)
  }

  @Test func `two payments that hold money are a case beside the state`() {
    let both = standing([
      payment("b", .captured, captured: 100), payment("a", .captured, captured: 100),
    ])
    #expect(both.state == .paid && both.reviews == [.extraPayment])
    #expect(both.payingPayment == PaymentID("a"))
    #expect(both.captured == 200)

    let held = standing([payment("a", .authorized), payment("b", .captured, captured: 100)])
    #expect(held.state == .paid && held.reviews == [.extraPayment])
    #expect(held.payingPayment == PaymentID("b"), "the one that is captured pays")

    let twoHeld = standing([payment("b", .authorized), payment("a", .authorized)])
    #expect(twoHeld.state == .authorized && twoHeld.reviews == [.extraPayment])
    #expect(twoHeld.payingPayment == PaymentID("a"))
  }

  @Test(arguments: ["a", "b"])
  func `once the surplus is refunded the other one pays and the case is over`(surplus: String) {
    let other = surplus == "a" ? "b" : "a"
    let standing = standing([
      payment(surplus, .captured, captured: 100, refunded: 100),
      payment(other, .captured, captured: 100),
    ])
    #expect(standing.state == .paid && standing.reviews.isEmpty)
    #expect(standing.payingPayment == PaymentID(other))
  }

  @Test func `a surplus that is refunded in part is still a case`() {
    let standing = standing([
      payment("a", .captured, captured: 100), payment("b", .captured, captured: 100, refunded: 99),
    ])
    #expect(standing.state == .paid && standing.reviews == [.extraPayment])
  }

  @Test func `a returned payment does not make up for what another one lacks`() {
    let short = standing([
      payment("a", .captured, captured: 100, refunded: 100), payment("b", .captured, captured: 60),
    ])
    #expect(short.state == .needsReview && short.reviews == [.shortCapture])

    // 150 of 150 have gone back in sum, yet the 50 of one payment are still there.
    let over = standing([
      payment("a", .captured, captured: 100, refunded: 150), payment("b", .captured, captured: 50),
    ])
    #expect(over.state == .needsReview && over.reviews == [.shortCapture])
  }

  @Test func `money held beside a returned payment is a case, not silence`() {
    let standing = standing([
      payment("a", .captured, captured: 100, refunded: 100), payment("b", .authorized),
    ])
    #expect(standing.state == .needsReview && standing.reviews == [.lateMoney])
    #expect(standing.payingPayment == PaymentID("b"))
  }

  @Test func `a charge-back is a refund made by the provider, and a case`() {
    let whole = standing([payment("a", .captured, captured: 100, chargedBack: 100)])
    #expect(whole.state == .refunded && whole.reviews == [.disputed] && whole.returned == 100)
    let part = standing([payment("a", .captured, captured: 100, refunded: 40, chargedBack: 59)])
    #expect(part.state == .paid && part.reviews == [.disputed] && part.returned == 99)
  }

  @Test(
    arguments: [
      (.authorized, 60, .authorized, []), (.captured, 60, .needsReview, [.shortCapture]),
    ] as [(PaymentStatus, Int64, OrderState, Set<ReviewKind>)])
  func `a partial capture pays only what the merchant has lowered the due to`(
    status: PaymentStatus, captured: Int64, state: OrderState, reviews: Set<ReviewKind>
  ) {
    let part = payment("a", status, captured: captured)
    #expect(standing([part]).state == state)
    #expect(standing([part]).reviews == reviews)
    let lowered = standing([part], OrderDecisions(loweredDue: 60))
    #expect(lowered.state == .paid && lowered.due == 60 && lowered.reviews.isEmpty)
    #expect(standing([part], OrderDecisions(loweredDue: 61)).state == state)
  }
}

@Suite("Cancelled orders")
struct CancelledOrderTests {
  @Test(
    arguments: [
      (.created, false, .pending), (.created, true, .cancelled), (.pending, false, .pending),
      (.unknown("NEW"), false, .pending), (.unknown("NEW"), true, .cancelled),
      (.rejected, false, .cancelled), (.expired, false, .cancelled),
      (.cancelled, false, .cancelled), (.authorized, false, .authorized),
      (.authorized, true, .authorized),
    ] as [(PaymentStatus, Bool, OrderState)])
  func `a cancel is complete once every payment is over or lapsed`(
    status: PaymentStatus, lapsed: Bool, state: OrderState
  ) {
    let payments = [payment("a", status, lapsed: lapsed), payment("b", .expired)]
    #expect(standing(payments, OrderDecisions(cancelRequested: true)).state == state)
    #expect(standing([], OrderDecisions(cancelRequested: true)).state == .cancelled)
  }

  @Test func `a lapsed payment alone cancels nothing`() {
    #expect(standing([payment("a", .created, lapsed: true)]).state == .pending)
  }

  @Test(
    arguments: [
      (payment("b", .authorized), .needsReview, [.lateMoney]),
      (payment("b", .captured, captured: 100), .needsReview, [.lateMoney]),
      (payment("b", .captured), .needsReview, [.lateMoney]),
      (payment("b", .captured, captured: 100, refunded: 99), .needsReview, [.lateMoney]),
      (payment("b", .captured, captured: 100, refunded: 100), .cancelled, []),
      (payment("b", .cancelled), .cancelled, []),
      (payment("b", .created), .cancelled, []),
      (
        payment("b", .captured, captured: 100, mismatches: [.amountMismatch]), .cancelled,
        [.amountMismatch]
      ),
    ] as [(PaymentFacts, OrderState, Set<ReviewKind>)])
  func `money that comes after the cancel is a case until it has gone back`(
    late: PaymentFacts, state: OrderState, reviews: Set<ReviewKind>
  ) {
    let decisions = OrderDecisions(cancelRequested: true, cancelCompleted: true)
    let standing = standing([payment("a", .expired), late], decisions)
    #expect(standing.state == state && standing.reviews == reviews)
  }

  @Test func `late money held beside late money that went back is still a case`() {
    let decisions = OrderDecisions(cancelRequested: true, cancelCompleted: true)
    let payments = [
      payment("a", .captured, captured: 100, refunded: 100), payment("b", .authorized),
    ]
    #expect(standing(payments, decisions).state == .needsReview)
    #expect(standing(payments, decisions).reviews == [.lateMoney])
  }
}
