import PaymentModels
import Testing

/// One row: payments and decisions, and what they make of an order over 100.
struct StandingRow: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var payments: [PaymentFacts]
  var decisions = OrderDecisions()
  var state: OrderState
  var due: Int64 = 100
  var cases: [OrderCase] = []
  var payer: String?

  init(
    _ name: String, _ payments: [PaymentFacts], _ decisions: OrderDecisions,
    _ state: OrderState, due: Int64 = 100, _ cases: [OrderCase] = [], payer: String? = nil
  ) {
    testDescription = name
    self.payments = payments
    self.decisions = decisions
    self.state = state
    self.due = due
    self.cases = cases
    self.payer = payer
  }

  /// Without a decision.
  init(
    _ name: String, _ payments: [PaymentFacts], _ state: OrderState, _ cases: [OrderCase] = [],
    payer: String? = nil
  ) {
    self.init(name, payments, OrderDecisions(), state, cases, payer: payer)
  }
}

private let cancelling = OrderDecisions(cancelRequested: true)
private let cancelled = OrderDecisions(cancelRequested: true, cancelCompleted: true)
private let returned = OrderDecisions(refundCompleted: true)

private func held(_ id: String) -> PaymentFacts { payment(id, .authorized) }
private func taken(_ id: String, back: Int64 = 0, disputed: Int64 = 0) -> PaymentFacts {
  payment(id, .captured, captured: 100, refunded: back, chargedBack: disputed)
}

extension PaymentFacts {
  fileprivate var accepted: PaymentFacts {
    var facts = self
    facts.isAccepted = true
    return facts
  }
  fileprivate var setAside: PaymentFacts {
    var facts = self
    facts.isSetAside = true
    return facts
  }
  fileprivate func dispute(_ standing: DisputeStanding) -> PaymentFacts {
    var facts = self
    facts.dispute = standing
    return facts
  }
}

private func late(_ id: String) -> OrderCase { OrderCase(.lateMoney, PaymentID(id)) }
private func extra(_ id: String) -> OrderCase { OrderCase(.extraPayment, PaymentID(id)) }
private func short(_ id: String) -> OrderCase { OrderCase(.shortCapture, PaymentID(id)) }
private func disputed(_ id: String) -> OrderCase { OrderCase(.disputed, PaymentID(id)) }

private let openOrders: [StandingRow] = [
  StandingRow("nothing yet", [], .pending),
  StandingRow("created", [payment("a", .created)], .pending),
  StandingRow("under way", [payment("a", .pending)], .pending),
  StandingRow("an unknown word", [payment("a", .unknown("NEW"))], .pending),
  StandingRow("rejected", [payment("a", .rejected)], .pending),
  StandingRow("expired", [payment("a", .expired)], .pending),
  StandingRow("lapsed, not cancelled", [payment("a", .created, lapsed: true)], .pending),
  StandingRow("held", [held("a")], .authorized, payer: "a"),
  StandingRow(
    "held, a part captured", [payment("a", .authorized, captured: 60)], .authorized, payer: "a"),
  StandingRow("captured", [taken("a")], .paid, payer: "a"),
  StandingRow("captured more", [payment("a", .captured, captured: 101)], .paid, payer: "a"),
  StandingRow(
    "captured, then an unknown word", [payment("a", .unknown("NEW"), captured: 100)], .paid,
    payer: "a"),
  StandingRow(
    "captured, then rejected", [payment("a", .rejected, captured: 100)], .paid, payer: "a"),
  StandingRow(
    "captured less", [payment("a", .captured, captured: 60)], .needsReview, [short("a")],
    payer: "a"),
  StandingRow(
    "captured, and no sum", [payment("a", .captured)], .needsReview, [short("a")], payer: "a"),
  StandingRow(
    "captured less, and content with it", [payment("a", .captured, captured: 60)],
    OrderDecisions(loweredDue: 60), .paid, due: 60, payer: "a"),
  StandingRow("refunded in part", [taken("a", back: 99)], .paid, payer: "a"),
  StandingRow("refunded", [taken("a", back: 100)], .refunded, payer: "a"),
  StandingRow("refunded more", [taken("a", back: 101)], .refunded, payer: "a"),
  StandingRow("refunded, recorded", [taken("a", back: 100)], returned, .refunded, payer: "a"),
  StandingRow(
    "charged back in part", [taken("a", disputed: 40)], .paid, [disputed("a")], payer: "a"),
  StandingRow(
    "refunded and charged back", [taken("a", back: 60, disputed: 40)], .refunded, [disputed("a")],
    payer: "a"),
  StandingRow(
    "a dispute without its money", [taken("a").dispute(.opened)], .paid, [disputed("a")],
    payer: "a"),
  StandingRow("a dispute that was won", [taken("a").dispute(.won)], .paid, payer: "a"),
  StandingRow(
    "a dispute that was lost", [taken("a", disputed: 100).dispute(.lost)], .refunded, payer: "a"),
]

private let severalPayments: [StandingRow] = [
  StandingRow(
    "one failed, one under way", [payment("a", .rejected), payment("b", .pending)], .pending),
  StandingRow(
    "one expired, one held", [payment("a", .expired), held("b")], .authorized, payer: "b"),
  StandingRow("one open, one captured", [payment("a", .created), taken("b")], .paid, payer: "b"),
  StandingRow("two held", [held("a"), held("b")], .authorized, [extra("b")], payer: "a"),
  StandingRow("held and captured", [held("a"), taken("b")], .paid, [extra("a")], payer: "b"),
  StandingRow("two captured", [taken("a"), taken("b")], .paid, [extra("b")], payer: "a"),
  StandingRow(
    "three captured", [taken("a"), taken("b"), taken("c")], .paid, [extra("b"), extra("c")],
    payer: "a"),
  StandingRow(
    "the surplus went back in part", [taken("a"), taken("b", back: 99)], .paid, [extra("b")],
    payer: "a"),
  StandingRow("the surplus went back", [taken("a"), taken("b", back: 100)], .paid, payer: "a"),
  StandingRow("the first went back", [taken("a", back: 100), taken("b")], .paid, payer: "b"),
  StandingRow(
    "the surplus is settled elsewhere", [taken("a"), taken("b").setAside], .paid, payer: "a"),
  StandingRow(
    "both went back", [taken("a", back: 100), taken("b", back: 100)], .refunded, payer: "a"),
  StandingRow(
    "one went back, one too small", [taken("a", back: 100), payment("b", .captured, captured: 60)],
    .needsReview, [short("b")], payer: "b"),
  StandingRow(
    "one went back, one is held", [taken("a", back: 100), held("b")], .needsReview, [late("b")],
    payer: "b"),
  StandingRow(
    "one went back, the held one is accepted", [taken("a", back: 100), held("b").accepted],
    .authorized, payer: "b"),
  StandingRow(
    "two parts make the whole",
    [payment("a", .captured, captured: 60), payment("b", .captured, captured: 40)], .paid,
    [extra("b")], payer: "a"),
]

private let endedOrders: [StandingRow] = [
  StandingRow("cancelled before any payment", [], cancelling, .cancelled),
  StandingRow("cancelling, still payable", [payment("a", .created)], cancelling, .pending),
  StandingRow("cancelling, unknown word", [payment("a", .unknown("N"))], cancelling, .pending),
  StandingRow("cancelling, held", [held("a")], cancelling, .authorized, payer: "a"),
  StandingRow(
    "cancelling, lapsed", [payment("a", .created, lapsed: true)], cancelling, .cancelled),
  StandingRow("cancelling, expired", [payment("a", .expired)], cancelling, .cancelled),
  StandingRow(
    "cancelling, captured all the same", [taken("a")], cancelling, .needsReview, [late("a")],
    payer: "a"),
  StandingRow(
    "cancelling, a part captured", [payment("a", .captured, captured: 60)], cancelling,
    .needsReview, [short("a")], payer: "a"),
  StandingRow(
    "cancelling, captured and gone back", [taken("a", back: 100)], cancelling, .refunded,
    payer: "a"),
  StandingRow("cancelled", [payment("a", .expired)], cancelled, .cancelled),
  StandingRow(
    "cancelled, then held", [held("a")], cancelled, .needsReview, [late("a")], payer: "a"),
  StandingRow(
    "cancelled, then captured", [taken("a")], cancelled, .needsReview, [late("a")], payer: "a"),
  StandingRow(
    "cancelled, then two captured", [taken("a"), taken("b")], cancelled, .needsReview,
    [late("a"), late("b")], payer: "a"),
  StandingRow(
    "cancelled, captured and gone back", [taken("a", back: 100)], cancelled, .cancelled,
    payer: "a"),
  StandingRow(
    "cancelled, captured and settled elsewhere", [taken("a").setAside], cancelled, .cancelled),
  StandingRow("revived", [taken("a").accepted], .paid, payer: "a"),
  StandingRow("revived, still held", [held("a").accepted], .authorized, payer: "a"),
  StandingRow(
    "revived, and another one captured", [taken("a").accepted, taken("b")], .paid, [extra("b")],
    payer: "a"),
  StandingRow(
    "refunded, then captured by another", [taken("a", back: 100), taken("b")], returned,
    .needsReview, [late("b")], payer: "b"),
  StandingRow(
    "refunded, then held by another", [taken("a", back: 100), held("b")], returned, .needsReview,
    [late("b")], payer: "b"),
  StandingRow(
    "refunded, and the late one went back too", [taken("a", back: 100), taken("b", back: 100)],
    returned, .refunded, payer: "a"),
  StandingRow(
    "refunded, the late one accepted", [taken("a", back: 100), taken("b").accepted], .paid,
    payer: "b"),
  StandingRow(
    "refunded, charged back by another", [taken("a", back: 100), taken("b", disputed: 100)],
    returned, .refunded, [disputed("b")], payer: "a"),
]

@Suite("The whole truth table of an order")
struct OrderTruthTableTests {
  @Test(arguments: openOrders + severalPayments + endedOrders)
  func `payments and decisions alone say where an order stands`(row: StandingRow) {
    let found = standing(row.payments, row.decisions)
    #expect(found.state == row.state)
    #expect(found.due == row.due)
    #expect(found.cases == row.cases)
    #expect(found.reviews == Set(row.cases.map(\.kind)))
    #expect(found.payingPayment == row.payer.map { PaymentID($0) })
  }

  @Test(
    arguments: [.amountMismatch, .wrongOrder, .modeMismatch] as [ReviewKind],
    [
      StandingRow("held", [held("a")], .needsReview),
      StandingRow("captured", [taken("a")], .needsReview),
      StandingRow("captured in another currency", [payment("a", .captured)], .needsReview),
      StandingRow("went back", [taken("a", back: 100)], .pending),
      StandingRow("not paid yet", [payment("a", .created)], .pending),
      StandingRow("settled elsewhere", [taken("a").setAside], .pending),
      StandingRow("beside the right one", [taken("a"), taken("b")], .paid, payer: "b"),
      StandingRow("of a cancelled order", [taken("a")], cancelled, .cancelled),
      StandingRow("while cancelling", [taken("a")], cancelling, .needsReview),
      StandingRow("went back while cancelling", [payment("a", .cancelled)], cancelling, .cancelled),
    ])
  func `a payment that is not the one that was asked for pays nothing`(
    kind: ReviewKind, row: StandingRow
  ) {
    var payments = row.payments
    payments[0].mismatches = [kind]
    let found = standing(payments, row.decisions)
    #expect(found.state == row.state)
    #expect(found.payingPayment == row.payer.map { PaymentID($0) })
    #expect(found.cases == [])
    let isCase = payments[0].keepsMoney && !payments[0].isSetAside
    #expect(found.reviews == (isCase ? [kind] : []))
  }

  private static let kinds: [PaymentFacts] = [
    payment("", .created), payment("", .pending), payment("", .unknown("NEW")),
    payment("", .expired), payment("", .created, lapsed: true), held(""),
    payment("", .authorized, captured: 60), taken(""), taken("", back: 40), taken("", back: 100),
    taken("", disputed: 100), payment("", .captured, captured: 60), payment("", .captured),
    payment("", .captured, captured: 120), payment("", .unknown("NEW"), captured: 100),
    payment("", .captured, captured: 100, mismatches: [.amountMismatch]), held("").accepted,
    taken("").accepted, taken("").setAside,
  ]

  private static let decisions: [OrderDecisions] = [
    OrderDecisions(), cancelling, cancelled, returned, OrderDecisions(loweredDue: 60),
  ]

  @Test(arguments: decisions)
  func `whatever two payments are, no money is forgotten and no case is without a reason`(
    decisions: OrderDecisions
  ) {
    for first in Self.kinds {
      for second in Self.kinds {
        var pair = [first, second]
        pair[0].id = PaymentID("a")
        pair[1].id = PaymentID("b")
        let found = standing(pair, decisions)
        let keeping = pair.filter { $0.keepsMoney && !$0.isSetAside }
        let sound = keeping.filter { $0.mismatches.isEmpty }
        let kept = sound.filter { $0.captured > $0.refunded + $0.chargedBack }
          .reduce(0) { $0 + $1.captured }
        switch found.state {
        case .pending, .cancelled, .refunded: #expect(sound.isEmpty, "\(pair)")
        case .authorized: #expect(sound.contains { $0.status == .authorized }, "\(pair)")
        case .paid: #expect(kept >= found.due, "\(pair)")
        case .needsReview: #expect(!found.reviews.isEmpty, "\(pair)")
        }
        // Whatever money does not pay the order is a case.
        let named = Set(found.cases.map(\.paymentID))
        let isPaying = [.paid, .authorized].contains(found.state)
        for payment in sound where !(isPaying && payment.id == found.payingPayment) {
          #expect(named.contains(payment.id), "\(pair)")
        }
        #expect(keeping.count == sound.count || !found.reviews.isEmpty, "\(pair)")
      }
    }
  }
}
