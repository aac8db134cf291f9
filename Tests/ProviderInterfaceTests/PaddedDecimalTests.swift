import PaymentModels
import ProviderInterface
import Testing

@Suite("FB-10 Decimal to minor units through a binary float, as a provider pads it")
struct PaddedDecimalTests {
  private func minorUnits(_ text: String, _ code: String) throws -> Int64? {
    let currency = try #require(Currency(iso4217: code))
    return try? Money(paddedDecimal: text, currency: currency).minorUnits
  }

  @Test(
    arguments: [
      ("5.35", "USD", 535), ("5.3500", "USD", 535), ("5", "USD", 500), ("500.0", "JPY", 500),
      ("500.000", "JPY", 500), ("1.2340", "KWD", 1_234), ("0.00", "USD", 0),
    ] as [(String, String, Int64)])
  func `zeros behind the last digit are cut`(text: String, code: String, wanted: Int64) throws {
    #expect(try minorUnits(text, code) == wanted)
  }

  @Test(arguments: [
    ("5.351", "USD"), ("500.1", "JPY"), ("500.", "JPY"), ("5.", "USD"), (".5", "USD"),
    ("1.0e2", "USD"), ("1.2.0", "USD"), ("1.00.0", "JPY"), ("-1.0", "USD"), ("", "USD"),
  ])
  func `nothing else is`(text: String, code: String) throws {
    #expect(try minorUnits(text, code) == nil)
  }
}
