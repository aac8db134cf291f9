import PaymentModels
import PaymentStore
import ProviderInterface
import StatusSync
import TestSupport
import Testing

@Suite("The book and the provider's answer, compared")
struct PaymentComparisonTests {
  typealias Kind = Difference.Kind
  typealias Settler = Difference.Settler

  /// What differs from a payment that both sides call `booked`.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var booked: PaymentStatus = .captured
    var age: Duration = .seconds(60)
    var capabilities: @Sendable (inout ProviderCapabilities) -> Void = { _ in }
    var book: @Sendable (inout BookEntry) -> Void = { _ in }
    var told: @Sendable (inout PaymentReading) -> Void = { _ in }
    var found: [Kind] = []
    var settler: Settler = .read
    var amount: Int64?

    init(_ name: String, _ tune: (inout Row) -> Void) {
      testDescription = name
      tune(&self)
    }
  }

  private static let asked = Money(minorUnits: 15_000, currency: Sample.aed)

  private static func item(
    _ id: String, _ kind: PaymentItem.Kind, _ amount: Int64, reference: String? = nil
  ) -> PaymentItem {
    PaymentItem(
      kind: kind, providerItemID: id, reference: reference,
      amount: Money(minorUnits: amount, currency: Sample.aed), createdAt: nil)
  }

  private static func operation(
    _ kind: OperationRow.Kind, age: Duration
  ) -> OperationRow {
    var row = OperationRow(
      id: Sample.operationID(1), paymentID: Sample.paymentID(1), kind: kind,
      amount: Money(minorUnits: 1_000, currency: Sample.aed), reason: nil,
      createdAt: Sample.start - age)
    row.state = .unknown
    return row
  }

  private func differences(_ row: Row) -> [Difference] {
    var payment = Sample.payment()
    payment.createState = .created
    payment.providerPaymentID = ProviderPaymentID("p-1")
    payment.checkoutURL = "https://pay.example/p-1"
    payment.status = row.booked
    payment.createdAt = Sample.start - row.age
    let items = row.booked == .captured ? [Self.item("c-1", .capture, 15_000)] : []
    var book = BookEntry(payment: payment, items: items)
    row.book(&book)
    var reading = PaymentReading(
      providerPaymentID: ProviderPaymentID("p-1"), status: row.booked, amount: Self.asked,
      orderReference: payment.orderID.rawValue, paymentReference: payment.id.rawValue,
      mode: .test, items: items)
    row.told(&reading)
    var capabilities = FakeProvider().capabilities
    row.capabilities(&capabilities)
    return PaymentComparison(
      book: book, readings: [reading], capabilities: capabilities, now: Sample.start
    ).differences
  }

  @Test(arguments: agreeing + outcomes + movements + waits + terms)
  func `each difference has its name, and nothing else has one`(_ row: Row) {
    let found = differences(row)
    #expect(found.map(\.kind) == row.found)
    guard let first = found.first else { return }
    #expect(first.settledBy == row.settler)
    #expect(first.amount?.minorUnits == row.amount)
  }

  @Test(arguments: [
    (PaymentStatus.captured, [Kind.absent]), (.authorized, [.absent]), (.created, []),
    (.expired, []),
  ])
  func `a payment that the provider does not know is missed only where the book has money`(
    _ booked: PaymentStatus, _ kinds: [Kind]
  ) {
    var payment = Sample.payment()
    payment.createState = .created
    payment.providerPaymentID = ProviderPaymentID("p-1")
    payment.status = booked
    let comparison = PaymentComparison(
      book: BookEntry(payment: payment), readings: [], capabilities: FakeProvider().capabilities,
      now: Sample.start)
    #expect(comparison.differences.map(\.kind) == kinds)
  }

  private static let agreeing: [Row] = [
    Row("the same") { _ in },
    Row("on its way") {
      $0.booked = .created
      $0.told = { $0.status = .pending }
    },
    Row("refused at the create, and expired there") {
      $0.booked = .rejected
      $0.book = {
        $0.payment.checkoutURL = nil
        $0.payment.rejectionReason = "not_enough_limit"
      }
      $0.told = { $0.status = .expired }
    },
    Row("a capture of ours that is under way") {
      $0.booked = .authorized
      $0.book = { $0.operations = [operation(.capture, age: .seconds(60))] }
      $0.told = {
        $0.status = .captured
        $0.items = [item("c-1", .capture, 15_000, reference: Sample.operationID(1).rawValue)]
      }
    },
    Row("a refund of ours that is under way and bears no id") {
      $0.capabilities = { $0.operationsCarryReference = false }
      $0.book = { $0.operations = [operation(.refund, age: .seconds(60))] }
      $0.told = { $0.items.append(item("r-1", .refund, 1_000)) }
    },
    Row("a refund of the book that no read can show") {
      $0.capabilities = { $0.undoneProofs = [.signedWebhook] }
      $0.book = { $0.items.append(item("r-1", .refund, 1_000)) }
    },
    Row("another amount that a person has accepted") {
      $0.book = { $0.decided = [.amountMismatch] }
      $0.told = { $0.amount = Money(minorUnits: 14_000, currency: Sample.aed) }
    },
    Row("an open payment that was lapsed") {
      $0.booked = .created
      $0.age = .seconds(3 * 86_400)
      $0.book = { $0.payment.lapsed = true }
    },
  ]

  private static let outcomes: [Row] = [
    Row("paid there, open here") {
      $0.booked = .created
      $0.told = {
        $0.status = .captured
        $0.items = [item("c-1", .capture, 15_000)]
      }
      ($0.found, $0.amount) = ([.missing], 15_000)
    },
    Row("held there, open here") {
      $0.booked = .pending
      $0.told = { $0.status = .authorized }
      ($0.found, $0.amount) = ([.missing], 15_000)
    },
    Row("expired there, open here") {
      $0.booked = .pending
      $0.told = { $0.status = .expired }
      $0.found = [.missing]
    },
    Row("paid there, expired here") {
      $0.booked = .expired
      $0.told = {
        $0.status = .captured
        $0.items = [item("c-1", .capture, 15_000)]
      }
      ($0.found, $0.amount) = ([.missing], 15_000)
    },
    Row("captured there by somebody else") {
      $0.booked = .authorized
      $0.told = {
        $0.status = .captured
        $0.items = [item("c-1", .capture, 15_000)]
      }
      ($0.found, $0.amount) = ([.missing], 15_000)
    },
    Row("let go there") {
      $0.booked = .authorized
      $0.told = { $0.status = .cancelled }
      ($0.found, $0.amount) = ([.voided], 15_000)
    },
    Row("open again there") {
      $0.told = { $0.status = .pending }
      $0.found = [.state]
    },
    Row("a word that nobody knows, over money") {
      $0.told = { $0.status = .unknown("ON_HOLD") }
      ($0.found, $0.settler) = ([.state], .person)
    },
  ]

  private static let movements: [Row] = [
    Row("a second capture there") {
      $0.booked = .authorized
      $0.book = { $0.items = [item("c-1", .capture, 5_000)] }
      $0.told = {
        $0.items = [item("c-1", .capture, 5_000), item("c-2", .capture, 2_500)]
      }
      ($0.found, $0.amount) = ([.missing], 2_500)
    },
    Row("refunded in the dashboard") {
      $0.told = { $0.items.append(item("r-1", .refund, 4_000)) }
      ($0.found, $0.amount) = ([.refunded], 4_000)
    },
    Row("a refund that grew") {
      $0.book = { $0.items.append(item("r-1", .refund, 1_000)) }
      $0.told = { $0.items.append(item("r-1", .refund, 4_000)) }
      ($0.found, $0.amount) = ([.refunded], 3_000)
    },
    Row("taken back by the bank") {
      $0.told = { $0.items.append(item("b-1", .chargeback, 15_000)) }
      ($0.found, $0.amount) = ([.disputed], 15_000)
    },
    Row("a dispute that was won") {
      $0.book = { $0.payment.dispute = .opened }
      $0.told = { $0.dispute = .won }
      ($0.found, $0.amount) = ([.disputed], 0)
    },
    Row("a refund of the book that a read would show") {
      $0.book = { $0.items.append(item("r-1", .refund, 1_000)) }
      ($0.found, $0.settler, $0.amount) = ([.absent], .person, 1_000)
    },
  ]

  private static let waits: [Row] = [
    Row("a refund of ours that was done an hour ago") {
      $0.book = { $0.operations = [operation(.refund, age: .seconds(3_601))] }
      $0.told = {
        $0.items.append(item("r-1", .refund, 1_000, reference: Sample.operationID(1).rawValue))
      }
      ($0.found, $0.amount) = ([.stuck], 1_000)
    },
    Row("a refund of ours that nobody shows") {
      $0.book = { $0.operations = [operation(.refund, age: .seconds(3_601))] }
      ($0.found, $0.settler, $0.amount) = ([.stuck], .schedule, 1_000)
    },
    Row("a refund that the provider took on days ago") {
      $0.book = {
        var refund = operation(.refund, age: .seconds(9 * 86_400))
        refund.acceptedAt = refund.createdAt
        $0.operations = [refund]
      }
    },
    Row("a refund of ours under way for exactly an hour") {
      $0.book = { $0.operations = [operation(.refund, age: .seconds(3_600))] }
    },
    Row("open for longer than anybody waits") {
      $0.booked = .created
      $0.age = .seconds(86_401)
      $0.found = [.stuck]
    },
    Row("held for longer than three days") {
      $0.booked = .authorized
      $0.age = .seconds(3 * 86_400 + 1)
      ($0.found, $0.settler, $0.amount) = ([.stuck], .person, 15_000)
    },
    Row("a create without an answer") {
      $0.age = .seconds(3_601)
      $0.book = { $0.payment.createState = .intent }
      ($0.found, $0.settler) = ([.stuck], .schedule)
    },
  ]

  private static let terms: [Row] = [
    Row("another amount") {
      $0.told = { $0.amount = Money(minorUnits: 14_000, currency: Sample.aed) }
      ($0.found, $0.settler, $0.amount) = ([.amount], .person, -1_000)
    },
    Row("another currency") {
      $0.told = { $0.amount = Money(minorUnits: 15_000, currency: Sample.currency("SAR")) }
      ($0.found, $0.settler, $0.amount) = ([.currency], .person, 15_000)
    },
    Row("the same code with another exponent") {
      $0.told = { reading in
        reading.amount = Currency(code: "AED", exponent: 3).map {
          Money(minorUnits: 15_000, currency: $0)
        }
      }
      ($0.found, $0.settler, $0.amount) = ([.currency], .person, 15_000)
    },
    Row("another order") {
      $0.told = { $0.orderReference = Sample.orderID(2).rawValue }
      ($0.found, $0.settler) = ([.foreign], .person)
    },
    Row("real money on a test payment") {
      $0.told = { $0.mode = .live }
      ($0.found, $0.settler) = ([.foreign], .person)
    },
  ]
}
