import PaymentModels
import PaymentOracle
import StrictJSON
import Testing

/// A journal of one payment, told in the words of the merchant's documents.
struct JournalStory {
  var lines: [JournalLine]

  /// Order 1 of 42.50, paid and handed out.
  static var paid: JournalStory {
    JournalStory([
      ("checkout", nil), ("read", "made at the provider, created → pending"),
      ("read", "pending → captured, 42.50 AED captured in all"), ("order", "pending → paid"),
      ("message", "fulfil delivered"),
    ])
  }

  init(_ events: [(event: String, change: String?)]) {
    lines = events.enumerated().map { index, told in
      JournalLine(
        sequence: Int64(index) + 1, at: Self.at(index), orderID: "order-1", paymentID: "pay-1",
        event: told.event, change: told.change)
    }
  }

  static func at(_ seconds: Int) -> Instant {
    Instant(milliseconds: 1_790_000_000_000) + .seconds(seconds)
  }

  var replay: JournalReplay {
    var replay = JournalReplay()
    for line in lines { replay.add(line) }
    return replay
  }

  /// With more lines behind.
  func then(_ events: [(event: String, change: String?)]) -> JournalStory {
    var story = self
    for told in events {
      story.lines.append(
        JournalLine(
          sequence: Int64(story.lines.count) + 1, at: Self.at(story.lines.count),
          orderID: "order-1", paymentID: "pay-1", event: told.event, change: told.change))
    }
    return story
  }
}

/// The journal alone gives what the rows say, or the judge objects.
struct JournalReplayTests {
  private func findings(
    _ story: JournalStory, _ change: (inout BookOrder) -> Void = { _ in }
  ) -> [String] {
    var order = BookOrder(
      orderID: "order-1", total: 4_250, state: "paid", delivered: 1,
      payments: [
        BookPayment(
          paymentID: "pay-1", providerPaymentIDs: ["P1"], status: "captured", captured: 4_250)
      ])
    change(&order)
    let evidence = PaymentEvidence(
      ledger: .object(["payments": .array([])]), receipts: [],
      screens: [], book: [order], journal: story.replay)
    return PaymentOracle.verdict(on: evidence).violations
      .filter { $0.invariant == .journalTells }.map(\.detail)
  }

  @Test func `a journal in order gives the rows`() {
    #expect(findings(.paid) == [])
  }

  @Test func `refunds, charge-backs, cases and repeats are followed`() {
    let story = JournalStory.paid.then([
      ("review", "disputed"), ("read", "7.50 AED refunded in all"),
      ("redeliver", "fulfil delivered → waiting"),
      ("message", "fulfil delivered"), ("review", "late_money"), ("review", "late_money: keep"),
      ("review", "disputed resolved"), ("signed webhook", "10.00 AED charged back in all"),
      ("message", "refunded given up"), ("redeliver", "refunded dead → waiting"),
      ("cart", "42.50 AED → 85.00 AED"), ("read failed", nil),
    ])
    let found = findings(story) { order in
      order.total = 8_500
      order.payments[0].returned = 1_750
      order.openReviews = ["late_money"]
    }
    #expect(found == [])
  }

  @Test(arguments: [
    // A line is missing, another stands twice.
    (2, nil), (3, nil), (1, 1),
  ])
  func `a hole or a repeat is a violation`(removed: Int, repeated: Int?) {
    var story = JournalStory.paid
    if let repeated {
      story.lines.insert(story.lines[repeated], at: repeated)
    } else {
      story.lines.remove(at: removed)
    }
    #expect(findings(story).contains { $0.contains("comes after line") })
  }

  @Test(arguments: [(60, true), (61, false)])
  func `a line may wait for its turn for so long`(seconds: Int, isRight: Bool) {
    var story = JournalStory.paid
    story.lines[3].at = story.lines[2].at - .seconds(seconds)
    #expect(findings(story).isEmpty == isRight)
  }

  @Test func `times begin anew once the clock was set`() {
    var replay = JournalReplay()
    var story = JournalStory.paid
    story.lines[3].at = story.lines[2].at - .seconds(3_600)
    replay.clockWasSet()
    for line in story.lines { replay.add(line) }
    var evidence = PaymentEvidence(
      ledger: .object(["payments": .array([])]), receipts: [],
      screens: [],
      book: [
        BookOrder(
          orderID: "order-1", total: 4_250, state: "paid", delivered: 1,
          payments: [
            BookPayment(
              paymentID: "pay-1", providerPaymentIDs: [], status: "captured", captured: 4_250)
          ])
      ], journal: replay)
    #expect(
      !PaymentOracle.verdict(on: evidence).violations.contains { $0.invariant == .journalTells })
    evidence.journal = story.replay
    #expect(
      PaymentOracle.verdict(on: evidence).violations.contains { $0.invariant == .journalTells })
  }

  /// Everything that a journal tells: a refund, a charge-back, a case that was answered and one
  /// that is open, a message that was sent again and one that was given up.
  private static let full = JournalStory.paid.then([
    ("read", "7.50 AED refunded in all"), ("signed webhook", "10.00 AED charged back in all"),
    ("review", "disputed"), ("review", "disputed resolved"), ("review", "late_money"),
    ("redeliver", "fulfil delivered → waiting"), ("message", "fulfil delivered"),
    ("message", "refunded given up"), ("message", "needs_review given up"),
    ("redeliver", "refunded dead → waiting"),
  ])

  /// What the rows say by then.
  private static func fill(_ order: inout BookOrder) {
    order.payments[0].returned = 1_750
    order.openReviews = ["late_money"]
    order.givenUp = 1
  }

  @Test func `a full journal gives the rows`() {
    #expect(findings(Self.full, Self.fill) == [])
  }

  @Test(arguments: full.lines.indices.filter { full.lines[$0].change != nil })
  func `a line that does not tell what it changed is a violation`(line: Int) {
    var story = Self.full
    story.lines[line].change = nil
    #expect(!findings(story, Self.fill).isEmpty, "\(Self.full.lines[line])")
  }

  @Test(arguments: full.lines.indices.filter { full.lines[$0].change != nil })
  func `a line about another order or payment is a violation`(line: Int) {
    var story = Self.full
    (story.lines[line].orderID, story.lines[line].paymentID) = ("order-2", "pay-2")
    #expect(!findings(story, Self.fill).isEmpty, "\(Self.full.lines[line])")
  }

  @Test(arguments: [
    ("read", "authorized → captured"), ("order", "authorized → refunded"),
  ])
  func `a step from where nothing stood is a violation`(event: String, change: String) {
    #expect(!findings(.paid.then([(event, change)])).isEmpty)
  }

  /// The cart of order 1 was changed twice.
  private static let carts: [(event: String, change: String?)] = [
    ("cart", "20.00 AED → 85.00 AED"), ("cart", "85.00 AED → 42.50 AED"),
  ]

  @Test func `the total of an order whose cart was changed is followed`() {
    #expect(findings(.paid.then(Self.carts)) == [])
    #expect(
      findings(.paid.then(Self.carts)) { $0.total = 8_500 } == [
        "order order-1: is for 8500, by its journal for 4250"
      ])
  }

  @Test(arguments: ["84.99 AED → 42.50 AED", "a smaller cart", "85.00 → 42.50"])
  func `a cart from another total, or of none, is a violation`(change: String) {
    #expect(!findings(.paid.then([Self.carts[0], ("cart", change)])).isEmpty)
  }

  /// What a line is about has a row, also if it changed nothing.
  @Test(arguments: [("order-9", "pay-1", "order order-9"), ("order-1", "pay-9", "payment pay-9")])
  func `a line about what has no row is a violation`(
    order: String, payment: String, named: String
  ) {
    var story = JournalStory.paid.then([("checkout", nil)])
    (story.lines[5].orderID, story.lines[5].paymentID) = (order, payment)
    #expect(findings(story) == ["the journal tells of \(named), and no row is of it"])
  }
}
