import PaymentModels
import PaymentOracle
import StrictJSON
import Testing

/// Each promise of the oracle, broken in evidence that is otherwise in order.
struct PaymentOracleTests {
  private static let start = Instant(milliseconds: 1_790_000_000_000)

  private static func at(_ seconds: Int) -> Instant { start + .seconds(seconds) }

  /// One order of 42.50 that was paid after ten seconds and handed out after twenty.
  private static func story(
    _ change: (inout PaymentEvidence) -> Void = { _ in },
    ledger change2: (inout [JSONMember]) -> Void = { _ in }
  ) -> PaymentEvidence {
    func event(_ seconds: Int, _ word: String) -> JSONValue {
      .object(["at": .string(at(seconds).description), "event": .string(word)])
    }
    var members: [JSONMember] = [
      JSONMember(name: "id", value: "P1"), JSONMember(name: "provider", value: "futa"),
      JSONMember(name: "reference_id", value: "pay-1"), JSONMember(name: "status", value: "paid"),
      JSONMember(name: "amount", value: "42.50"), JSONMember(name: "currency", value: "AED"),
      JSONMember(name: "captured", value: "42.50"), JSONMember(name: "refunded", value: "0.00"),
      JSONMember(
        name: "events",
        value: .array([event(0, "created"), event(5, "page_opened"), event(10, "paid")])),
    ]
    change2(&members)
    var evidence = PaymentEvidence(
      ledger: .object(["payments": .array([.object(members)])]),
      receipts: [
        PaymentEvidence.Receipt(
          at: at(20), messageID: "m1", type: "order.fulfil", orderID: "order-1")
      ],
      screens: [
        PaymentEvidence.Screen(
          at: at(12), checkout: "c1", orderID: "order-1", paymentID: "pay-1", shows: "succeeded")
      ],
      book: [
        BookOrder(
          orderID: "order-1", total: 4_250, state: "paid", delivered: 1,
          payments: [
            BookPayment(
              paymentID: "pay-1", providerPaymentIDs: ["P1"], status: "captured",
              captured: 4_250)
          ])
      ], journal: JournalStory.paid.replay)
    change(&evidence)
    return evidence
  }

  private static func replace(
    _ name: String, _ value: JSONValue
  ) -> (inout [JSONMember]) -> Void {
    { members in
      members = members.map { $0.name == name ? JSONMember(name: name, value: value) : $0 }
    }
  }

  @Test func `a story in order has nothing against it`() {
    let verdict = PaymentOracle.verdict(on: Self.story())
    #expect(verdict.violations == [])
    #expect(verdict.unsettled == [])
  }

  /// What must never be.
  private static let wrong: [(PaymentOracle.Invariant, PaymentEvidence)] = [
    (.moneyConserved, story { $0.book[0].payments[0].captured = 5_000 }),
    (
      .paidIffCaptured,
      story({ $0.book[0].payments[0].captured = 0 }, ledger: replace("captured", "0.00"))
    ),
    (
      .paidIffCaptured,
      story({ $0.book[0].payments[0].captured = 2_000 }) {
        replace("captured", "20.00")(&$0)
        replace("status", "AUTHORIZED")(&$0)
      }
    ),
    (
      .fulfilledOnce,
      story {
        $0.receipts.append(
          PaymentEvidence.Receipt(
            at: at(30), messageID: "m2", type: "order.fulfil", orderID: "order-1"))
      }
    ),
    (.fulfilledOnce, story { $0.receipts[0].at = at(9) }),
    (.fulfilledOnce, story { $0.receipts[0].type = "order.revoke" }),
    (.withinBounds, story(ledger: replace("captured", "42.51"))),
    (.withinBounds, story(ledger: replace("refunded", "42.51"))),
    (
      .withinBounds,
      story({ $0.partsAsked = ["pay-1": 1_000] }, ledger: replace("refunded", "20.00"))
    ),
    (.neverFalselyFailed, story { $0.screens[0].shows = "cancelled" }),
    (.neverFalselyFailed, story { $0.screens[0].at = at(9) }),
    (
      .neverFalselyFailed,
      story {
        $0.screens[0].shows = "rejected"
        ($0.screens[0].orderID, $0.screens[0].paymentID) = (nil, nil)
      }
    ),
    (.nothingForgotten, story { $0.book[0].payments[0].isOwned = false }),
    (.nothingForgotten, story { $0.book[0].payments[0].isStuck = true }),
    (.nothingForgotten, story { $0.inbox.unowned = 1 }),
    (.takenOnce, story { $0.inbox.twins = 1 }),
    (
      .orderedOnce,
      story {
        $0.screens.append($0.screens[0])
        $0.screens[1].orderID = "order-2"
      }
    ),
    (.keysStayHome, story { $0.leaks = ["a key"] }),
    (.journalTells, story { $0.book[0].payments[0].status = "authorized" }),
    (.journalTells, story { $0.book[0].payments[0].captured = 4_249 }),
    (.journalTells, story { $0.book[0].payments[0].returned = 1 }),
    (.journalTells, story { $0.book[0].state = "pending" }),
    (.journalTells, story { $0.book[0].openReviews = ["late_money"] }),
    (.journalTells, story { $0.book[0].delivered = 0 }),
    (.journalTells, story { $0.book[0].givenUp = 1 }),
    (.journalTells, story { $0.journal = JournalReplay() }),
  ]

  /// What must not stay.
  private static let unfinished: [(PaymentOracle.Invariant, PaymentEvidence)] = [
    (.moneyConserved, story { $0.book[0].payments[0].captured = 0 }),
    (.moneyConserved, story(ledger: replace("refunded", "42.50"))),
    (.paidIffCaptured, story { $0.book[0].state = "pending" }),
    (.paidIffCaptured, story { $0.book[0].payments[0].status = "expired" }),
    (.paidIffCaptured, story { $0.book[0].total = 4_000 }),
    (.fulfilledOnce, story { $0.receipts = [] }),
    (.payerToldTheTruth, story { $0.screens[0].shows = "still_confirming" }),
    (.nothingUnknown, story { $0.book = [] }),
    (
      .orderedOnce,
      story {
        $0.book.append(BookOrder(orderID: "order-2", total: 1, state: "pending", payments: []))
      }
    ),
    (.nothingForgotten, story { $0.book[0].undelivered = 1 }),
    (.nothingForgotten, story { $0.book[0].payments[0].operationsInFlight = 1 }),
    (.nothingForgotten, story { $0.inbox.waiting = 1 }),
    (.nothingForgotten, story { $0.book[0].state = "needs_review" }),
  ]

  @Test(arguments: wrong)
  func `what must never be is a violation`(
    invariant: PaymentOracle.Invariant, evidence: PaymentEvidence
  ) {
    let verdict = PaymentOracle.verdict(on: evidence)
    #expect(verdict.violations.contains { $0.invariant == invariant }, "\(verdict.violations)")
  }

  @Test(arguments: unfinished)
  func `what must not stay is unsettled`(
    invariant: PaymentOracle.Invariant, evidence: PaymentEvidence
  ) {
    let verdict = PaymentOracle.verdict(on: evidence)
    #expect(verdict.unsettled.contains { $0.invariant == invariant }, "\(verdict.unsettled)")
  }

  @Test func `every invariant was seen broken`() {
    let seen = (Self.wrong + Self.unfinished).map(\.0)
    #expect(Set(seen) == Set(PaymentOracle.Invariant.allCases))
  }

  @Test func `a part that went back as it was asked for is right`() {
    let verdict = PaymentOracle.verdict(
      on: Self.story(
        {
          $0.partsAsked = ["pay-1": 2_000]
          $0.book[0].payments[0].returned = 2_000
        }, ledger: Self.replace("refunded", "20.00")))
    #expect(!verdict.violations.contains { $0.invariant == .withinBounds }, "\(verdict)")
  }

  /// The book has the payment under no id of its provider, whose page reached nobody.
  private static func lostAnswer(
    _ change: (inout PaymentEvidence) -> Void = { _ in }
  ) -> PaymentOracle.Verdict {
    PaymentOracle.verdict(
      on: story({
        $0.book[0].state = "pending"
        $0.book[0].payments[0] = BookPayment(
          paymentID: "pay-1", providerPaymentIDs: [], status: "expired", captured: 0)
        $0.receipts = []
        $0.screens[0].shows = "expired"
        change(&$0)
      }) { members in
        replace("captured", "0.00")(&members)
        replace("status", "created")(&members)
        replace("events", .array([]))(&members)
      })
  }

  @Test func `a payment whose page reached nobody need not be in the book`() {
    #expect(Self.lostAnswer().unsettled == [])
  }

  @Test func `what it was asked for under has to be in the book all the same`() {
    let unknown = Self.lostAnswer {
      $0.book[0].payments[0].paymentID = "pay-2"
      $0.screens[0].paymentID = "pay-2"
    }
    #expect(unknown.unsettled.map(\.invariant) == [.nothingUnknown], "\(unknown.unsettled)")
    let byOrder = PaymentOracle.verdict(
      on: Self.story({ $0.book[0].payments[0].providerPaymentIDs = [] }) { members in
        Self.replace("reference_id", "order-1")(&members)
      })
    let found = byOrder.unsettled.filter { $0.invariant == .nothingUnknown }
    #expect(found.map { $0.detail.contains("is not in the book") } == [true], "\(found)")
  }

  /// Two orders, of which the screens show one, and as many checkouts as there are orders.
  @Test(arguments: [(nil, true), ("order-1", false)])
  func `orders are counted by the checkouts that made them`(shown: String?, isRight: Bool) {
    let verdict = PaymentOracle.verdict(
      on: Self.story {
        $0.screens.append($0.screens[0])
        $0.screens[1].checkout = "c2"
        $0.screens[1].orderID = shown
        $0.screens[1].shows = "preparing"
        $0.book.append(BookOrder(orderID: "order-2", total: 1, state: "pending", payments: []))
      })
    #expect(verdict.unsettled.contains { $0.invariant == .orderedOnce } != isRight, "\(verdict)")
  }

  /// Beside the story, a checkout that never got an order.
  private static func orderless(_ screens: [String]) -> PaymentOracle.Verdict {
    PaymentOracle.verdict(
      on: story {
        for shows in screens {
          $0.screens.append(
            PaymentEvidence.Screen(
              at: at(30), checkout: "c2", orderID: nil, paymentID: nil, shows: shows))
        }
      })
  }

  @Test(arguments: [
    (["preparing"], false), (["preparing", "confirming"], false),
    (["not_started", "preparing"], false), (["preparing", "not_started"], true),
    (["confirming", "left"], true),
  ])
  func `who waits for an order that never comes is told so`(screens: [String], isRight: Bool) {
    let verdict = Self.orderless(screens)
    #expect(verdict.violations == [])
    #expect(verdict.unsettled.map(\.invariant) == (isRight ? [] : [.payerToldTheTruth]))
  }

  /// What a screen names, and what of it the book has not.
  private static let named: [(order: String?, payment: String, unknown: String?)] = [
    ("order-2", "pay-1", "order order-2"), ("order-1", "pay-2", "payment pay-2"),
    (nil, "pay-2", "payment pay-2"), ("order-1", "pay-1", nil),
  ]

  @Test(arguments: named)
  func `what a payer was shown is in the book`(order: String?, payment: String, unknown: String?) {
    let verdict = PaymentOracle.verdict(
      on: Self.story {
        for _ in 1...2 {
          $0.screens.append(
            PaymentEvidence.Screen(
              at: Self.at(30), checkout: "c2", orderID: order, paymentID: payment,
              shows: "succeeded"))
        }
      })
    let found = verdict.unsettled.filter { $0.invariant == .nothingUnknown }.map(\.detail)
    #expect(
      found == (unknown.map { ["c2 was shown as of \($0), which the book has not there"] } ?? []))
  }

  @Test func `money that came after the end may take a day, other money may not`() {
    let late = PaymentOracle.verdict(
      on: Self.story({ $0.book[0].state = "pending" }) { members in
        Self.replace(
          "events",
          .array(
            [(0, "created"), (5, "expired"), (10, "paid")].map { seconds, word in
              .object([
                "at": .string(Self.at(seconds).description), "event": .string(word),
              ])
            }))(&members)
      })
    #expect(!late.unsettled.isEmpty && late.unsettled.allSatisfy(\.isSlow))
    let other = PaymentOracle.verdict(on: Self.story { $0.book[0].state = "pending" })
    #expect(!other.unsettled.isEmpty && !other.unsettled.contains(where: \.isSlow))
  }

  /// Paid at second 10, after it had expired at second 5.
  private static func late(
    _ change: (inout PaymentEvidence) -> Void
  ) -> PaymentOracle.Verdict {
    PaymentOracle.verdict(
      on: story(change) { members in
        replace(
          "events",
          .array(
            [(0, "created"), (5, "expired"), (10, "paid")].map { seconds, word in
              .object(["at": .string(at(seconds).description), "event": .string(word)])
            }))(&members)
      })
  }

  @Test(arguments: [(10 + 25 * 3_600, true), (11 + 25 * 3_600, false)])
  func `what was proven may be shown until a day's look had to find the money`(
    second: Int, isRight: Bool
  ) {
    let verdict = Self.late {
      $0.screens[0].shows = "expired"
      $0.screens[0].at = Self.at(second)
    }
    let isFound = verdict.violations.contains { $0.invariant == .neverFalselyFailed }
    #expect(isFound != isRight, "\(verdict.violations)")
  }

  @Test func `what a provider has taken on is waited for`() {
    let verdict = PaymentOracle.verdict(
      on: Self.story {
        $0.book[0].state = "needs_review"
        $0.book[0].payments[0].isAwaitingProvider = true
      })
    #expect(!verdict.unsettled.contains { $0.invariant == .nothingForgotten })
  }

  @Test func `a payment that lapsed may take a day`() {
    let verdict = PaymentOracle.verdict(
      on: Self.story {
        $0.book[0].payments[0].status = "pending"
        $0.book[0].payments[0].isLapsed = true
      })
    let found = verdict.unsettled.filter { $0.detail.contains("the book still says") }
    #expect(!found.isEmpty && found.allSatisfy(\.isSlow), "\(verdict)")
  }

  @Test func `a case that a person dismissed is settled elsewhere`() {
    let verdict = PaymentOracle.verdict(
      on: Self.story {
        $0.book[0].state = "cancelled"
        $0.receipts = []
        $0.decided = ["order-1"]
      })
    #expect(verdict.unsettled == [])
  }

  @Test func `a ledger that cannot be read is no proof`() {
    let verdict = PaymentOracle.verdict(on: Self.story { $0.ledger = .null })
    #expect(verdict.violations.count == 1)
  }
}
