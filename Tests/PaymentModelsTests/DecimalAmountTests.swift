import KitEnvironment
import PaymentModels
import StrictJSON
import TestSupport
import Testing

@Suite("FB-10 Decimal to minor units through a binary float")
struct DecimalAmountTests {
  let aed: Currency

  init() throws {
    aed = try #require(Currency(iso4217: "AED"))
  }

  static let amounts: [(String, Int64)] = [
    ("19.99", 1_999), ("8.20", 820), ("4.56", 456), ("1.15", 115), ("0.29", 29), ("8.29", 829),
    ("999999999999.99", 99_999_999_999_999), ("0", 0), ("0.00", 0), ("0.1", 10), ("140", 14_000),
    ("140.0", 14_000), ("10000000000000", Money.minorUnitsMax),
  ]

  @Test(arguments: amounts)
  func `the text of an amount becomes exactly its minor units`(text: String, units: Int64) throws {
    #expect(try Money(decimal: text, currency: aed).minorUnits == units)
  }

  @Test(arguments: amounts)
  func `a JSON number is taken from its text`(text: String, units: Int64) throws {
    let json = try JSONValue(parsing: Array("{\"amount\":\(text)}".utf8))
    #expect(try Money(decimal: json.decimalText(at: "amount"), currency: aed).minorUnits == units)
    let quoted = try JSONValue(parsing: Array("{\"amount\":\"\(text)\"}".utf8))
    #expect(try Money(decimal: quoted.decimalText(at: "amount"), currency: aed).minorUnits == units)
  }

  @Test func `all ten thousand prices up to 100 are exact`() throws {
    for units in Int64(0)..<10_000 {
      let text = "\(units / 100).\(units % 100 < 10 ? "0" : "")\(units % 100)"
      let json = try JSONValue(parsing: Array(text.utf8))
      let money = try Money(decimal: json.numberText ?? "", currency: aed)
      #expect(money.minorUnits == units && money.decimal == text)
    }
  }

  @Test(
    arguments: FieldBugRows.refusedAmounts + [
      "10.50 ", "", ".", "1.", ".5", "1.2.3", "1 000", "1_000", "00", "00.1", "-0", "Infinity",
      "1e-2", "１０",
      "10.5\u{301}", "10.\u{200B}50", "10\n", "\u{0}", "1E2", "1,000.00",
    ])
  func `what is no plain decimal is refused with a clear message`(text: String) {
    let error = #expect(throws: MoneyError.self) { try Money(decimal: text, currency: aed) }
    #expect(error?.reason == .notADecimal)
    #expect(error?.description == "“\(text)” is not a plain decimal amount such as 19.99")
  }

  @Test(arguments: ["1e3", "1E+2", "1.5e1", "-1.00"])
  func `a JSON number may be legal and still be no amount`(text: String) throws {
    let number = try #require(try JSONValue(parsing: Array(text.utf8)).numberText)
    #expect(throws: MoneyError.self) { try Money(decimal: number, currency: aed) }
  }

  @Test(
    arguments: [
      "10000000000000.01", "92233720368547758.07", "92233720368547758.08",
      "99999999999999999999999999999999", String(repeating: "9", count: 5_000),
    ])
  func `one minor unit over the limit is refused`(text: String) {
    let error = #expect(throws: MoneyError.self) { try Money(decimal: text, currency: aed) }
    #expect(error?.reason == .tooLarge)
    #expect((error?.text.count ?? 0) <= 40)
  }

  @Test func `differences are whole minor units`() throws {
    let price = try Money(decimal: "244.68", currency: aed)
    let paid = try Money(decimal: "244.67", currency: aed)
    #expect(price.minorUnits - paid.minorUnits == 1)
  }

  @Test func `what is written is read back, for every exponent`() throws {
    let random = seededRandom(10)
    for exponent in 0...4 {
      let currency = try #require(Currency(code: "AAA", exponent: exponent))
      let edges: [Int64] = [0, 1, 9, 10, 99, 100, 999, 1_000, 9_999, 10_000, Money.minorUnitsMax]
      let drawn = (0..<500).map { _ in
        Int64(random.next() >> (14 + random.below(50))) % (Money.minorUnitsMax + 1)
      }
      for units in edges + drawn {
        let money = Money(minorUnits: units, currency: currency)
        #expect(try Money(decimal: money.decimal, currency: currency) == money)
      }
    }
  }

  @Test(
    arguments: [
      (0, 2, "0.00"), (5, 2, "0.05"), (1_990, 2, "19.90"), (500, 0, "500"), (1_234, 3, "1.234"),
      (7, 4, "0.0007"), (-5, 2, "-0.05"), (-1_999, 2, "-19.99"), (-3, 0, "-3"),
      (Int64.max, 2, "92233720368547758.07"), (Int64.min, 2, "-92233720368547758.08"),
    ] as [(Int64, Int, String)])
  func `an amount is written with exactly the digits of its currency`(
    units: Int64, exponent: Int, text: String
  ) throws {
    let currency = try #require(Currency(code: "AAA", exponent: exponent))
    let money = Money(minorUnits: units, currency: currency)
    #expect(money.decimal == text)
    #expect(money.description == "\(text) AAA")
  }

  @Test func `sums and products that do not fit are nil`() {
    let most = Money(minorUnits: .max, currency: aed)
    let one = Money(minorUnits: 1, currency: aed)
    #expect(most.adding(one) == nil)
    #expect(most.multiplied(by: 2) == nil)
    #expect(one.adding(one)?.minorUnits == 2)
    #expect(Money(minorUnits: 967, currency: aed).multiplied(by: 3)?.minorUnits == 2_901)
  }
}
