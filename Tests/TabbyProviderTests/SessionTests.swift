import PaymentModels
import ProviderInterface
import TabbyProvider
import TestSupport
import Testing

@Suite("The answer to a create")
struct SessionTests {
  private func create(_ answer: String) async throws -> CreatedPayment {
    try await provider(answer).create([], idempotencyKey: "k")
  }

  @Test func `a whole live answer is read`() async throws {
    let created = try await create(Sessions.full)
    #expect(
      created
        == CreatedPayment(
          reading: PaymentReading(
            providerPaymentID: paymentID, status: .created, amount: try money("100.00", "SAR"),
            orderReference: ourOrderID.rawValue, paymentReference: ourPaymentID.rawValue,
            mode: .test, items: [], expiresAt: Instant(iso8601: "2025-02-26T10:20:00Z")),
          checkoutURL:
            "https://checkout.tabby.ai/?apiKey=pk_test_x&lang=ara&sessionId=2d2c3f34"))
  }

  @Test func `the documented members are enough and the page is kept byte for byte`() async throws {
    let created = try await create(Sessions.created)
    #expect(created.checkoutURL == Sessions.webURL)
    #expect(created.rejectionReason == nil)
    #expect(created.reading.status == .created)
  }

  // `available_products` may be null at each level; the exact body is documented nowhere.
  private static let emptyProducts = [
    nil, "null", "{}", #"{"installments":null}"#, #"{"installments":[]}"#,
    #"{"installments":[null]}"#, #"{"installments":[{}]}"#,
    #"{"installments":[{"web_url":null}]}"#, #"{"installments":[{"web_url":""}]}"#,
    #"{"installments":{}}"#, "[]", "7",
  ]

  @Test(arguments: emptyProducts)
  func `a rejection is read whatever is empty around it`(products: String?) async throws {
    let available = products.map { #""available_products":\#($0),"# } ?? ""
    let created = try await create(
      Sessions.session(
        status: #""rejected""#,
        configuration: "{\(available)"
          + #""products":{"installments":{"rejection_reason":"order_amount_too_high"}}}"#))
    #expect(created.checkoutURL == nil)
    #expect(created.rejectionReason == "order_amount_too_high")
    #expect(created.reading.status == .rejected)
    #expect(created.reading.providerPaymentID == paymentID)
  }

  @Test(arguments: [
    (
      #"{"products":{"installments":{"rejection_reason":"not_available"}},"available_products":"#
        + #"{"installments":[{"rejection_reason":"order_amount_too_low"}]}}"#,
      "not_available"
    ),
    (
      #"{"products":{"installments":{"rejection_reason":null}},"available_products":"#
        + #"{"installments":[{"rejection_reason":"order_amount_too_low"}]}}"#,
      "order_amount_too_low"
    ),
    (#"{"products":null,"available_products":null}"#, "not_available_code"),
    ("{}", "not_available_code"), ("null", "not_available_code"),
  ])
  func `the reason is looked for in three places, in order`(
    configuration: String, reason: String
  ) async throws {
    let created = try await create(
      Sessions.session(
        status: #""rejected""#, configuration: configuration,
        extra: #""rejection_reason_code":"not_available_code""#))
    #expect(created.rejectionReason == reason)
  }

  @Test func `a rejection without a reason is still one`() async throws {
    let created = try await create(
      Sessions.session(status: #""Rejected""#, configuration: nil))
    #expect(created.rejectionReason == "rejected")
    #expect(created.checkoutURL == nil)
    #expect(created.reading.status == .rejected)
  }

  @Test func `a page beside a rejection is not offered`() async throws {
    let created = try await create(
      Sessions.session(
        status: #""rejected""#,
        configuration: #"{"available_products":{"installments":[{"web_url":"https://x/?a"}]}}"#))
    #expect(created.checkoutURL == nil)
  }

  @Test(arguments: [
    ("AUTHORIZED", PaymentStatus.authorized), ("NEW_WORD", .unknown("NEW_WORD")),
    ("EXPIRED", .rejected), ("REJECTED", .rejected), ("CREATED", .rejected),
  ])
  func `a rejection never hides money or an unknown word`(
    word: String, status: PaymentStatus
  ) async throws {
    let created = try await create(
      Sessions.session(
        status: #""rejected""#, configuration: nil, paymentStatus: #""\#(word)""#))
    #expect(created.reading.status == status)
    #expect(created.checkoutURL == nil)
  }

  @Test(arguments: [
    "{}", "[]", "null", "7", #"{"status":"created"}"#,
    #"{"status":"rejected"}"#, #"{"status":"rejected","payment":null}"#,
    #"{"status":"created","payment":{}}"#,
    Sessions.session(status: "null", configuration: nil),
    Sessions.session(status: "7", configuration: nil),
    // No page and no rejection: nobody can pay it, and nobody says why.
    Sessions.session(configuration: nil), Sessions.session(configuration: "null"),
    Sessions.session(configuration: #"{"available_products":{"installments":[]}}"#),
  ])
  func `an answer without what it takes to go on is unknown`(answer: String) async throws {
    let error = await failure { try await create(answer) }
    #expect(error?.kind == .unknown)
  }

  @Test(arguments: [
    "javascript:alert(1)", "intent://pay#Intent;end", "file:///etc/passwd", "//checkout.tabby.ai/",
    "https://checkout.tabby.ai@other.example/", "https://checkout.tabby.ai/\\r\\nX: y",
    "https://checkout.tabby.ai\\\\@other.example/", "https://", "nowhere",
  ])
  func `what is no web page is never handed out`(url: String) async throws {
    let answer = Sessions.session(
      configuration: #"{"available_products":{"installments":[{"web_url":"\#(url)"}]}}"#)
    let error = await failure { try await create(answer) }
    #expect(error?.kind == .unknown)
    #expect(error?.description.contains(url) == false)
  }
}
