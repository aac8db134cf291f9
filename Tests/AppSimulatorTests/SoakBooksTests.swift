import PaymentModels
import StrictJSON
import Testing

@testable import AppSimulator

@Suite("How a soak judges")
struct SoakBooksTests {
  private static let right: SoakBooks = {
    var books = SoakBooks()
    books.payments = [payment("p1", order: "o1")]
    books.ledger = [entry("t1", "340.00")]
    books.fulfilments = ["o1": 1]
    return books
  }()

  private static func payment(
    _ id: String, order: String, provider: String = "t1", state: String = "paid",
    captured: Int64 = 340_00
  ) -> SoakBooks.Payment {
    guard let dirham = Currency(code: "AED", exponent: 2) else { preconditionFailure("AED") }
    return SoakBooks.Payment(
      id: id, order: order, provider: "tabby", providerID: provider, orderState: state,
      amount: 340_00, captured: captured, refunded: 0, currency: dirham)
  }

  private static func entry(
    _ id: String, _ captured: String, back refunded: String = "0.00", reference: String = "o1"
  ) -> SoakBooks.Entry {
    SoakBooks.Entry(
      id: id, provider: "tabby", reference: reference, status: "CLOSED", captured: captured,
      refunded: refunded)
  }

  private static func books(_ change: (inout SoakBooks) -> Void) -> SoakBooks {
    var books = right
    change(&books)
    return books
  }

  @Test(arguments: [
    right,
    books {
      $0.payments[0].orderState = "pending"
      $0.payments[0].captured = 0
      $0.ledger = []
      $0.fulfilments = [:]
    },
    books {
      $0.payments[0].orderState = "refunded"
      $0.payments[0].refunded = 340_00
      $0.ledger = [entry("t1", "340.00", back: "340")]
      $0.revocations = ["o1": 1]
    },
    // A second payment of a payer, known by its reference alone.
    books {
      $0.ledger.append(entry("t2", "340.00"))
      $0.payments.append(payment("p2", order: "o1", provider: "t2"))
      $0.cases = [SoakBooks.Case(order: "o1", kind: "extra_payment", detail: "")]
    },
    books {
      $0.payments[0].orderState = "needs_review"
      $0.fulfilments = [:]
      $0.cancelled = ["o1"]
      $0.cases = [SoakBooks.Case(order: "o1", kind: "late_money", detail: "")]
    },
  ])
  func `books that agree are right`(books: SoakBooks) {
    #expect(books.faults.isEmpty)
  }

  @Test(arguments: [
    (books { $0.fulfilments = [:] }, "fulfilments: 0, must be 1"),
    (books { $0.fulfilments = ["o1": 2] }, "fulfilments: 2, must be 1"),
    (books { $0.revocations = ["o1": 1] }, "revocations: 1, must be 0"),
    (books { $0.payments[0].captured = 0 }, "captured in the book: 0, must be 34000"),
    (books { $0.payments[0].refunded = 1 }, "refunded in the book: 1, must be 0"),
    (
      books { $0.cases = [SoakBooks.Case(order: "o1", kind: "extra_payment", detail: "x")] },
      "case extra_payment: x"
    ),
    (
      books { $0.cases = [SoakBooks.Case(order: "o1", kind: "late_money", detail: "x")] },
      "case late_money: x"
    ),
    (
      books {
        $0.cancelled = ["o1"]
        $0.cases = [SoakBooks.Case(order: "o1", kind: "operation_failed", detail: "x")]
      }, "case operation_failed: x"
    ),
  ])
  func `a witness that says otherwise is wrong`(books: SoakBooks, text: String) {
    #expect(books.faults == [SoakBook.Fault(order: "o1", text: text)])
  }

  @Test func `an order is paid exactly when the provider holds the money`() {
    let unpaid = Self.books { $0.ledger = [Self.entry("t1", "0.00")] }.faults.map(\.text)
    #expect(unpaid.contains { $0.hasPrefix("the order is paid, must be pending or authorized") })
    let lost = Self.books {
      $0.payments[0].orderState = "pending"
      $0.payments[0].captured = 0
      $0.fulfilments = [:]
    }
    #expect(lost.faults.contains { $0.text.hasPrefix("the order is pending, must be paid") })
  }

  @Test func `money of no order is wrong, and an open page of none is not`() {
    let stranger = Self.books { $0.ledger.append(Self.entry("t9", "340.00", reference: "o9")) }
    #expect(stranger.faults.map(\.order) == [nil])
    let open = Self.books { $0.ledger.append(Self.entry("t9", "0.00", reference: "o9")) }
    #expect(open.faults.isEmpty)
  }

  @Test func `more given back than taken is wrong whatever the sums`() {
    let books = Self.books {
      $0.ledger = [Self.entry("t1", "340.00", back: "0"), Self.entry("t2", "0", back: "1.00")]
      $0.payments[0].refunded = 1_00
    }
    #expect(books.faults.contains { $0.text == "tabby gave back 100 of 0 of t2" })
  }
}

@Suite("How a soak hears its witnesses")
struct SoakReadingTests {
  private static let payment =
    #"{"payment_id":"p1","order_id":"o1","provider":"tabby","order_state":"paid","currency":"AED","#
    + #""exponent":2,"amount":"1.00","captured":"1.00","refunded":"0.00"}"#
  private static let entry =
    #"{"id":"t1","provider":"tabby","reference_id":"o1","status":"CLOSED","captured":"1.00","#
    + #""refunded":"0.00"}"#

  private func json(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Array(text.utf8))
  }

  @Test func `a list that is told whole is heard`() throws {
    let payments = try SoakBooks.Payment.all(in: json(#"{"payments":[\#(Self.payment)]}"#))
    #expect(payments.map(\.captured) == [1_00])
    let entries = try SoakBooks.Entry.all(in: json(#"{"payments":[\#(Self.entry)]}"#))
    #expect(entries.map(\.captured) == ["1.00"])
    let ledger = #"{"webhooks_waiting":1,"providers":{"seb":{"webhooks_waiting":2}}}"#
    #expect(try SoakBooks.webhooksWaiting(in: json(ledger)) == 3)
  }

  @Test(arguments: [
    #"{"payment":[]}"#, #"{"payments":[{}]}"#,
    #"{"payments":[\#(payment.replacing("captured", with: "taken"))]}"#,
  ])
  func `one that is not there, or not understood, is no list without faults`(text: String) throws {
    let page = try json(text)
    #expect(throws: StoryFailure.self) { try SoakBooks.Payment.all(in: page) }
    #expect(throws: StoryFailure.self) { try SoakBooks.Entry.all(in: page) }
  }

  @Test(arguments: [
    "{}", #"{"webhooks_waiting":0}"#, #"{"webhooks_waiting":0,"providers":{"seb":{}}}"#,
    #"{"providers":{"seb":{"webhooks_waiting":0}}}"#,
  ])
  func `a ledger that does not tell what waits is not taken for an empty one`(text: String) throws {
    let ledger = try json(text)
    #expect(throws: StoryFailure.self) { try SoakBooks.webhooksWaiting(in: ledger) }
  }
}

@Suite("What a soak draws from its seed")
struct SoakPlanTests {
  private func deeds(_ seed: UInt64, _ name: String) -> [SoakDeed] {
    var words = SoakPlan(duration: .seconds(1), seed: seed).words(name)
    return (0..<200).map { _ in SoakDeed.drawn(&words) }
  }

  @Test func `the same seed has the same payer do the same, another one something else`() {
    #expect(deeds(7, "payer 1") == deeds(7, "payer 1"))
    #expect(deeds(7, "payer 1") != deeds(8, "payer 1"))
    #expect(deeds(7, "payer 1") != deeds(7, "payer 2"))
  }

  @Test func `everything that a payer may do is drawn`() {
    #expect(Set(deeds(1, "payer 0")) == Set(SoakDeed.allCases))
  }

  @Test(arguments: HostedPage.payers.map(\.facts.provider))
  func `each weather names all that another one has changed`(provider: ProviderName) throws {
    let facts = try #require(HostedPage.payers.first { $0.facts.provider == provider }).facts
    var words = SoakPlan(duration: .seconds(1), seed: 1).words("weather")
    let names = SoakWeather.allCases.map { weather in
      weather.faults(of: facts, &words).members?.map(\.name) ?? []
    }
    #expect(Set(names).count == 1)
    #expect(names[0].count == 5)
  }
}
