import PaymentModels
import ProviderInterface
import TabbyProvider
import TestSupport
import Testing

@Suite("FB-12 A proof of payment is not bound to amount, currency and order")
struct BindingTests {
  private func read(_ json: String) async throws -> PaymentReading {
    try await provider(json).read(paymentID)
  }

  @Test(arguments: [#""140.00""#, #""140""#, "140.0", "140", "140.00"])
  func `text and number of the same value are the same amount`(amount: String) async throws {
    #expect(try await read(paymentJSON(amount: amount)).amount == money("140.00"))
  }

  @Test func `another amount is given as it is`() async throws {
    #expect(try await read(paymentJSON(amount: #""14.00""#)).amount == money("14.00"))
  }

  @Test func `another currency is given as it is`() async throws {
    let reading = try await read(paymentJSON(amount: #""140.00""#, currency: #""SAR""#))
    #expect(reading.amount == (try money("140.00", "SAR")))
  }

  @Test(arguments: [nil, "null"])
  func `an absent amount is never zero`(amount: String?) async throws {
    let reading = try await read(paymentJSON(amount: amount))
    #expect(reading.amount == nil)
    #expect(reading.status == .authorized)
  }

  @Test func `order, payment and mode come back as they were given`() async throws {
    let reading = try await read(
      paymentJSON(
        extra: #""order":{"reference_id":"ord-0007"},"meta":{"payment_id":"p-7"},"is_test":false"#))
    #expect(reading.orderReference == "ord-0007")
    #expect(reading.paymentReference == "p-7")
    #expect(reading.mode == .live)
  }

  @Test(arguments: [
    "", #""order":null,"meta":null,"is_test":null,"expires_at":null"#,
    #""order":{"reference_id":null},"meta":{"payment_id":7},"is_test":"yes","expires_at":"soon""#,
    #""order":[],"meta":[],"is_test":0,"expires_at":7"#,
  ])
  func `what is not said is nil`(extra: String) async throws {
    let reading = try await read(paymentJSON(extra: extra))
    #expect(reading.orderReference == nil)
    #expect(reading.paymentReference == nil)
    #expect(reading.mode == nil)
    #expect(reading.expiresAt == nil)
  }

  @Test(arguments: [
    #""""#, #""abc""#, #""140,00""#, #"" 140""#, #""-140.00""#, "1.4e2", "-140", "true", "[]",
    #""140.001""#, #""99999999999999999999""#,
  ])
  func `an amount that cannot be read is an error, not an amount`(amount: String) async throws {
    #expect(await failure { try await read(paymentJSON(amount: amount)) }?.kind == .unknown)
  }

  @Test(arguments: [nil, "null", #""XXQ""#, #""aed""#, #""""#, "784"])
  func `an amount without a currency that we know is an error`(currency: String?) async throws {
    #expect(await failure { try await read(paymentJSON(currency: currency)) }?.kind == .unknown)
  }
}

@Suite("FB-09 Minor units: JPY x100, UGX /100, KWD /10, at Tabby")
struct MinorUnitTests {
  @Test(arguments: [
    ("5.500", "KWD", 5_500), ("5.5", "KWD", 5_500), ("18.6", "KWD", 18_600),
    ("1.234", "KWD", 1_234), ("10.00", "AED", 1_000), ("10", "SAR", 1_000),
    // Nobody pays these at Tabby; an answer in them is read by ISO 4217 and shown as a mismatch.
    ("500", "JPY", 500), ("5", "UGX", 5), ("35.200", "BHD", 35_200),
  ])
  func `an answer's amount is counted by its currency`(
    text: String, code: String, minorUnits: Int64
  ) async throws {
    let reading = try await provider(
      paymentJSON(amount: #""\#(text)""#, currency: #""\#(code)""#)
    ).read(paymentID)
    #expect(reading.amount?.minorUnits == minorUnits)
    #expect(reading.amount?.currency.code == code)
  }

  @Test(arguments: [("10.5", "JPY"), ("1.2345", "KWD"), ("1.001", "USD")])
  func `more decimals than the currency has are refused`(
    text: String, code: String
  ) async throws {
    let tabby = try provider(paymentJSON(amount: #""\#(text)""#, currency: #""\#(code)""#))
    #expect(await failure { try await tabby.read(paymentID) }?.kind == .unknown)
  }
}

@Suite("FB-10 Decimal to minor units through a binary float, at Tabby")
struct ExactAmountTests {
  @Test(arguments: exactAmountRows)
  func `no cent is lost, be the answer's amount a text or a number`(
    row: (decimal: String, minorUnits: String)
  ) async throws {
    for amount in [#""\#(row.decimal)""#, row.decimal] {
      let reading = try await provider(paymentJSON(amount: amount)).read(paymentID)
      #expect(reading.amount?.minorUnits == Int64(row.minorUnits))
    }
    let sent = try provider("").prepareCreate(makeTerms(total: try money(row.decimal)))
    #expect(
      String(decoding: sent, as: UTF8.self).contains(#""amount":"\#(row.decimal)""#))
  }

  @Test(arguments: [
    "1e3", "0x10", #""١٠٫٥٠""#, #""10,50""#, #"" 10.50""#, "NaN", #""+1.00""#, #""01.00""#,
  ])
  func `another form of a number is no amount`(amount: String) async throws {
    let tabby = try provider(paymentJSON(amount: amount))
    #expect(await failure { try await tabby.read(paymentID) }?.kind == .unknown)
  }
}
