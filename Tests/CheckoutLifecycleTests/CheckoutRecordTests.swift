import CheckoutLifecycle
import FoundationEssentials
import PaymentModels
import TestSupport
import Testing

@Suite("CheckoutRecord")
struct CheckoutRecordTests {
  @Test func `the stored form is frozen`() {
    #expect(
      CheckoutRecord.Field.allCases.map(\.rawValue) == [
        "key", "revision", "stage", "provider", "strategy", "created_at", "purchase_items",
        "purchase_order_id", "payment_id", "order_id", "provider_payment_id", "checkout_url",
        "return_success", "return_cancel", "return_failure", "outcome",
        "verification_key", "settled_at",
      ])
    #expect(
      CheckoutRecord.Stage.allCases.map(\.rawValue) == ["intent", "created", "opened", "settled"])
    #expect(
      PresentationStrategy.allCases.map(\.rawValue) == [
        "auth_session", "safari_view", "web_view", "custom_tab", "system_browser",
      ])
    let outcomes: [CheckoutOutcome] = [
      .succeeded, .failed(.rejected), .failed(.expired), .cancelled,
      .unresolved(.stillConfirming), .unresolved(.underReview),
    ]
    #expect(
      outcomes.map(\.stored) == [
        "succeeded", "rejected", "expired", "cancelled", "still_confirming", "under_review",
      ])
    #expect(outcomes.map { CheckoutOutcome(stored: $0.stored) } == outcomes)
  }

  /// One record of each stage, as the present version writes it. Stores of installed apps hold such
  /// lines: a change here that is not an addition loses checkouts.
  private static func golden() throws -> [[String]] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = root.appending(path: "Docs/Modules/checkout-records.txt")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n\n")
      .map { $0.split(separator: "\n").map(String.init) }
  }

  @Test func `records are written as they always were`() throws {
    let written = sampleCheckoutRecords().map { record in
      record.fields.map { "\($0.field.rawValue): \($0.value)" }
    }
    #expect(try written == Self.golden())
  }

  @Test func `records of every version are read`() throws {
    let read = try Self.golden().map { lines in
      let pairs = lines.compactMap { line -> (CheckoutRecord.Field, String)? in
        let halves = line.split(separator: ": ", maxSplits: 1)
        return CheckoutRecord.Field(rawValue: String(halves[0])).map { ($0, String(halves[1])) }
      }
      return try CheckoutRecord(fields: Dictionary(uniqueKeysWithValues: pairs))
    }
    #expect(read == sampleCheckoutRecords())
  }

  @Test(arguments: sampleCheckoutRecords())
  func `a record reads back, and not without what it needs`(record: CheckoutRecord) throws {
    let fields = Dictionary(uniqueKeysWithValues: record.fields.map { ($0.field, $0.value) })
    #expect(try CheckoutRecord(fields: fields) == record)
    let optional: Set<CheckoutRecord.Field> = [
      .providerPaymentID, .checkoutURL, .verificationKey, .settledAt,
    ]
    for field in fields.keys where !optional.contains(field) {
      var rest = fields
      rest[field] = nil
      #expect(throws: CheckoutRecordError.self, "without \(field)") {
        try CheckoutRecord(fields: rest)
      }
    }
  }

  @Test func `the highest revision is read, and has a successor`() throws {
    var fields = Dictionary(
      uniqueKeysWithValues: sampleCheckoutRecords()[2].fields.map { ($0.field, $0.value) })
    fields[.revision] = String(CheckoutRecord.revisionMax)
    let state = CheckoutState(record: try CheckoutRecord(fields: fields))
    let step = state.after(.relaunched).state.after(
      .serverAnswered(scriptedAnswer(.captured, .paid, version: 1, payment: 2)))
    #expect(step.state.record.revision == CheckoutRecord.revisionMax + 1)
  }

  @Test func `an order with another cart reads back as that`() throws {
    let items = [CheckoutRequest.Item(productID: "a,b*c", quantity: 2)]
    let edited = CheckoutRequest.Purchase.edited(samplePayment.orderID, items)
    let record = CheckoutRecord(
      key: CheckoutKey("k"), request: CheckoutRequest(provider: .tabby, purchase: edited),
      strategy: .webView, createdAt: Instant(milliseconds: 0))
    let fields = Dictionary(uniqueKeysWithValues: record.fields.map { ($0.field, $0.value) })
    #expect(try CheckoutRecord(fields: fields).request.purchase == edited)
  }

  @Test(
    arguments: [
      (CheckoutRecord.Field.stage, "paid"), (.revision, "one"), (.revision, "0"),
      (.revision, "1099511627777"), (.revision, "9223372036854775807"), (.strategy, "popup"),
      (.createdAt, ""), (.purchaseItems, "mug"), (.purchaseItems, "mug*x"),
      (.purchaseItems, "%zz*1"), (.outcome, "won"), (.settledAt, "soon"),
    ])
  func `a wrong value is an error that names its field`(
    field: CheckoutRecord.Field, value: String
  ) throws {
    var fields = Dictionary(
      uniqueKeysWithValues: sampleCheckoutRecords()[2].fields.map { ($0.field, $0.value) })
    fields[field] = value
    let error = #expect(throws: CheckoutRecordError.self) { try CheckoutRecord(fields: fields) }
    #expect(error?.field == field)
  }

  @Test(
    arguments: [
      ("myapp://pay/success?attempt=ours", CheckoutRecord.ReturnAim.open),
      ("myapp://pay/success", .open),
      ("myapp://pay/success?x=pay_A1", .named),
      ("myapp://pay/success?attempt=0199cccc-0000-7000-8000-000000000001", .named),
      ("myapp://pay/success?payment_id=pay_A1&attempt=else", .named),
      ("myapp://pay/success?payment_id=pay_B2", .another),
    ])
  func `a return says whose it is`(url: String, aim: CheckoutRecord.ReturnAim) throws {
    let record = newRecord(stage: .opened)
    let link = try #require(record.match(url))
    #expect(record.aim(of: link) == aim)
  }

  @Test func `where the registered URL names our payment, another name there is another's`() throws
  {
    var record = newRecord(stage: .opened)
    record.payment?.returnURLs.cancel += "?attempt=\(samplePayment.paymentID)"
    let link = try #require(record.match("myapp://pay/cancel?attempt=else"))
    #expect(record.aim(of: link) == .another)
    #expect(newRecord().aim(of: link) == .another)
  }
}
