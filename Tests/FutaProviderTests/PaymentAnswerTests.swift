import FutaProvider
import PaymentModels
import ProviderInterface
import TestSupport
import Testing

@Suite("The answer to a create")
struct CreateAnswerTests {
  private func create(
    _ body: String, status: Int = 201, _ change: (inout FutaSettings) -> Void = { _ in }
  ) async throws -> CreatedPayment {
    try await provider(body, status: status, change).create([0x7B, 0x7D], idempotencyKey: "k")
  }

  // Members of the seed's example come back; the page names id and checkout_url.
  private static let golden =
    #"{"id":"pay_7Q2m-01","state":"created","final":false,"amount":2500000,"currency":"CDF","#
    + #""merchant_reference":"\#(ourPaymentID)","description":"Order 10482","#
    + #""return_url":"https://shop.example/thanks","expires_at":"2026-10-20T12:00:00Z","#
    + #""embedding":{"mode":"app"},"#
    + #""checkout_url":"https://checkout.sandbox.futa-app.com/c/7Q2m?l=%66r"}"#

  @Test(arguments: [200, 201])
  func `it is a payment with its page, kept byte for byte`(status: Int) async throws {
    let created = try await create(Self.golden, status: status)
    #expect(
      created
        == CreatedPayment(
          reading: PaymentReading(
            providerPaymentID: paymentID, status: .pending, amount: try money("25000.00"),
            paymentReference: ourPaymentID.rawValue,
            expiresAt: Instant(iso8601: "2026-10-20T12:00:00Z")),
          checkoutURL: "https://checkout.sandbox.futa-app.com/c/7Q2m?l=%66r"))
  }

  @Test func `members that it does not know change nothing`() async throws {
    let odd = Self.golden.dropLast() + #","livemode":null,"next":[{"deep":{"x":1e9}}]}"#
    #expect(try await create(String(odd)) == create(Self.golden))
  }

  @Test(arguments: [
    "https://checkout.sandbox.futa-app.com", "HTTPS://CHECKOUT.sandbox.futa-app.com:443/c/1",
    "https://checkout.sandbox.futa-app.com/c#x", "https://checkout.sandbox.futa-app.com?p=1",
  ])
  func `a page on the checkout's origin is handed out as issued`(url: String) async throws {
    #expect(try await create(paymentJSON(checkoutURL: #""\#(url)""#)).checkoutURL == url)
  }

  @Test(arguments: [
    nil, "null", "7", #""""#, #""/c/1""#, #""http://checkout.sandbox.futa-app.com/c/1""#,
    #""https://checkout.sandbox.futa-app.com.evil.example/c/1""#,
    #""https://checkout.sandbox.futa-app.com@evil.example/c/1""#,
    #""https://checkout.sandbox.futa-app.com:8443/c/1""#, #""https://evil.example/c/1""#,
    #""https://evil.example\\@checkout.sandbox.futa-app.com/""#,
    #""javascript:alert(1)""#, #""https://checkout.sandbox.futa-app.com/c/ 1""#,
  ])
  func `another page, or none, is no answer while the payment is open`(url: String?) async throws {
    let error = await failure { try await create(paymentJSON(checkoutURL: url)) }
    #expect(error?.kind == .unknown)
    #expect(error?.detail.contains("checkout_url") == true)
  }

  @Test func `the checkout's origin is a setting`() async throws {
    let body = paymentJSON(checkoutURL: #""http://127.0.0.1:18140/c/1""#)
    #expect(await failure { try await create(body) }?.kind == .unknown)
    let created = try await create(body) { $0.checkoutOrigin = "http://127.0.0.1:18140" }
    #expect(created.checkoutURL == "http://127.0.0.1:18140/c/1")
  }

  @Test(arguments: ["paid", "expired"])
  func `a replay that finds the payment over needs no page`(state: String) async throws {
    let created = try await create(
      paymentJSON(state: #""\#(state)""#, final: "true", checkoutURL: nil))
    #expect(created.checkoutURL == nil)
    #expect(created.reading.status.isFinalForPayer)
  }
}

@Suite("FB-12 A proof of payment is not bound to amount, currency and order")
struct BindingTests {
  private func read(
    _ json: String, _ change: (inout FutaSettings) -> Void = { _ in }
  ) async throws -> PaymentReading {
    try await provider(json, change).read(paymentID)
  }

  @Test(arguments: [
    (2, "2500000", "25000.00"), (0, "25000", "25000.00"), (3, "25000000", "25000.00"),
    (2, "2500001", "25000.01"), (0, "0", "0.00"),
  ])
  func `an amount is counted by the exponent`(
    exponent: Int, wire: String, decimal: String
  ) async throws {
    let reading = try await read(paymentJSON(amount: wire)) { $0.exponent = exponent }
    #expect(reading.amount == (try money(decimal)))
  }

  @Test(arguments: [
    #""2500000""#, "2500000.0", "25000.00", "2.5e6", "-1", "true", "[]", "{}",
    "99999999999999999999", "1000000000000001",
  ])
  func `what is not a whole amount is an error, not an amount`(amount: String) async throws {
    #expect(await failure { try await read(paymentJSON(amount: amount)) }?.kind == .unknown)
  }

  @Test func `an amount that the kit cannot count exactly is an error`() async throws {
    let error = await failure {
      try await read(paymentJSON(amount: "25000001")) { $0.exponent = 3 }
    }
    #expect(error?.kind == .unknown)
  }

  @Test(arguments: [nil, "null"])
  func `an absent amount is never zero`(amount: String?) async throws {
    let reading = try await read(paymentJSON(state: #""paid""#, amount: amount))
    #expect(reading.status == .captured)
    #expect(reading.amount == nil)
    #expect(reading.items.isEmpty)
  }

  @Test(arguments: [nil, "null", #""cdf""#, #""""#, #""CDFX""#, "976"])
  func `an amount without a currency is an error`(currency: String?) async throws {
    #expect(await failure { try await read(paymentJSON(currency: currency)) }?.kind == .unknown)
  }

  @Test func `another currency never equals the account's`() async throws {
    let reading = try await read(paymentJSON(state: #""paid""#, currency: #""USD""#))
    #expect(reading.amount?.currency.code == "USD")
    #expect(reading.amount != (try money("25000.00")))
  }

  @Test(arguments: [
    ("", nil), (#""merchant_reference":"p-7","expires_at":"soon""#, "p-7"),
    (#""merchant_reference":"","expires_at":null"#, nil), (#""merchant_reference":7"#, nil),
  ])
  func `our reference comes back as it was given`(extra: String, reference: String?) async throws {
    let reading = try await read(paymentJSON(extra: extra))
    #expect(reading.paymentReference == reference)
    #expect(reading.orderReference == nil)
    #expect(reading.mode == nil)
    #expect(reading.expiresAt == nil)
  }

  @Test(arguments: ["pay_other", "PAY_7Q2M-01"])
  func `an answer about another payment is not believed`(id: String) async throws {
    #expect(await failure { try await read(paymentJSON(id: id)) }?.kind == .unknown)
  }

  @Test(arguments: ["", "a/b", "é"])
  func `an id that could not be asked for is no id`(id: String) async throws {
    #expect(await failure { try await read(paymentJSON(id: id)) }?.kind == .unknown)
  }
}
