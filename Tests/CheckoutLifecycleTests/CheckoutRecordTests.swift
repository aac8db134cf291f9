import CheckoutLifecycle
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

  @Test func `a whole record is written as it always was`() {
    let lines = sampleCheckoutRecords()[2].fields.map { "\($0.field.rawValue): \($0.value)" }
    #expect(
      lines == [
        "key: 0199aaaa-0000-7000-8000-000000000002",
        "revision: 3",
        "stage: opened",
        "provider: tabby",
        "strategy: system_browser",
        "created_at: 1790000000002",
        "purchase_items: mug*2,a%2Cb%2Ac%3D%25%01%D9%82%D9%87%D9%88%D8%A9%20%27x%27*1000",
        "payment_id: 0199cccc-0000-7000-8000-000000000002",
        "order_id: 0199bbbb-0000-7000-8000-000000000001",
        "provider_payment_id: pay'\"; --\u{1F600}",
        "checkout_url: https://checkout.example/?s=2&x=%20#f",
        "return_success: myapp://pay/success?a=1",
        "return_cancel: myapp://pay/cancel",
        "return_failure: https://shop.example/pay/failure",
      ])
  }

  @Test(arguments: sampleCheckoutRecords())
  func `a record reads back, and not without what it needs`(record: CheckoutRecord) throws {
    let fields = Dictionary(uniqueKeysWithValues: record.fields.map { ($0.field, $0.value) })
    #expect(try CheckoutRecord(fields: fields) == record)
    let optional: Set<CheckoutRecord.Field> = [.providerPaymentID, .checkoutURL]
    for field in fields.keys where !optional.contains(field) {
      var rest = fields
      rest[field] = nil
      #expect(throws: CheckoutRecordError.self, "without \(field)") {
        try CheckoutRecord(fields: rest)
      }
    }
  }

  @Test(
    arguments: [
      (CheckoutRecord.Field.stage, "paid"), (.revision, "one"), (.strategy, "popup"),
      (.createdAt, ""), (.purchaseItems, "mug"), (.purchaseItems, "mug*x"),
      (.purchaseItems, "%zz*1"), (.outcome, "won"),
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
