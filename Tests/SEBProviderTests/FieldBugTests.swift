import PaymentModels
import ProviderInterface
import SEBProvider
import TestSupport
import Testing

private func request(
  _ decimal: String, _ code: String = "EUR", phone: String = "", country: String? = nil
) throws -> String {
  var terms = makeTerms(total: try money(decimal, code), phone: phone)
  terms.buyer.country = country
  let bytes = try makeProvider(answering("")) { $0.currencies = [code] }
    .prepareCreate(terms)
  return String(decoding: bytes, as: UTF8.self)
}

@Suite("FB-09 Minor units: JPY x100, UGX /100, KWD /10, at SEB")
struct MinorUnitTests {
  @Test(arguments: [
    ("500", "JPY", "500"), ("5", "UGX", "5"), ("35.2", "BHD", "35.200"), ("18.6", "KWD", "18.600"),
    ("1.234", "KWD", "1.234"), ("10", "AED", "10.00"), ("10", "ISK", "10"),
  ])
  func `major units with the currency's digits go out and come back`(
    decimal: String, code: String, wire: String
  ) async throws {
    #expect(
      try request(decimal, code).contains(
        #""instructedAmount":{"amount":"\#(wire)","currency":"\#(code)"}"#))
    let json = paymentJSON(amount: #"{"amount":"\#(wire)","currency":"\#(code)"}"#)
    let reading = try await provider(json) { $0.currencies = [code] }.read(paymentID)
    #expect(reading.amount == (try money(decimal, code)))
  }

  @Test(arguments: [("500.5", "JPY"), ("1.2345", "KWD"), ("1.234", "EUR")])
  func `digits that the currency has not are no amount`(wire: String, code: String) async throws {
    let json = paymentJSON(amount: #"{"amount":"\#(wire)","currency":"\#(code)"}"#)
    let seb = try provider(json) { $0.currencies = [code] }
    #expect(await failure { try await seb.read(paymentID) }?.kind == .unknown)
  }

  @Test func `a currency that nobody knows is refused, two digits are never assumed`() {
    #expect(throws: SEBConfigurationError.self) {
      try makeConfiguration { $0.currencies = ["XXQ"] }
    }
  }
}

@Suite("FB-10 Decimal to minor units through a binary float, at SEB")
struct ExactAmountTests {
  @Test(arguments: ["19.99", "8.20", "4.56", "1.15", "0.29", "8.29", "999999999999.99"])
  func `no cent is lost, neither as text nor as a number`(decimal: String) async throws {
    #expect(try request(decimal).contains(#""amount":"\#(decimal)""#))
    for wire in [decimal, "\"\(decimal)\""] {
      let json = paymentJSON(amount: #"{"amount":\#(wire),"currency":"EUR"}"#)
      #expect(try await provider(json).read(paymentID).amount == (try money(decimal)))
    }
  }

  @Test(arguments: ["19.990000000000002", "1999e-2", "0.1e1", "NaN"])
  func `what a binary float made is not rounded into an amount`(wire: String) async throws {
    let json = paymentJSON(amount: #"{"amount":\#(wire),"currency":"EUR"}"#)
    let seb = try provider(json)
    #expect(await failure { try await seb.read(paymentID) }?.kind == .unknown)
  }
}

@Suite("FB-11 Order total differs from the sum of the items by one cent, at SEB")
struct ItemTotalTests {
  @Test(arguments: ItemTotalRow.all)
  func `only lines that add up pass, and the error names both values and the order`(
    row: ItemTotalRow
  ) async throws {
    let terms = row.terms(try money("1").currency)
    let error = await failure { try makeProvider(answering("")).prepareCreate(terms) }
    #expect(row.violations(of: error, terms) == [])
  }
}

@Suite("FB-16 A new status value, or other casing, breaks the whole answer, at SEB")
struct StatusWordTests {
  private func status(_ word: String?) async throws -> PaymentStatus {
    try await provider(
      paymentJSON(status: word, extra: #""source":{"card_type":"NotSet"},"new":[null]"#)
    ).read(paymentID).status
  }

  @Test(arguments: [
    (#""captured""#, PaymentStatus.captured), (#""Captured""#, .captured),
    (#""sent_for_processing""#, .pending), (#""Initialized""#, .pending),
    (#""RETRY_SCHEDULED""#, .unknown("RETRY_SCHEDULED")), (#""""#, .unknown("")),
    (#""FA\u0130LED""#, .unknown("FAİLED")),
  ])
  func `a text is a known state or unknown, never failed`(
    word: String, wanted: PaymentStatus
  ) async throws {
    #expect(try await status(word) == wanted)
  }

  @Test(arguments: FieldBugRows.statuses.filter { $0.status == nil }.map(\.json))
  func `no text is no answer`(json: String?) async throws {
    #expect(await failure { try await status(json) }?.kind == .unknown)
  }

  @Test func `an unknown word is kept to 64 characters`() async throws {
    let word = String(repeating: "w", count: 70)
    #expect(try await status("\"\(word)\"") == .unknown(String(word.prefix(64))))
  }
}

@Suite("FB-24 Phone numbers the provider refuses, at SEB")
struct PhoneTests {
  private static let rows: [(String, String, String)] = [
    ("+971 (0)50-000-0001", "971", "500000001"), ("00971500000001", "971", "500000001"),
    ("+971500000001", "971", "500000001"), ("+39 388 000 0000", "39", "3880000000"),
    ("+٩٦٦٥٠٠٠٠٠٠٠١", "966", "500000001"), ("+243 81 000 0000", "243", "810000000"),
    ("\u{202A}+966\u{200E} 50 000 0001\u{202C}", "966", "500000001"),
    ("+1 (212) 555-0100", "1", "2125550100"), ("+7 495 000 00 00", "7", "4950000000"),
    ("+372 5550 0001", "372", "55500001"), ("+46.8.000.000.00", "46", "800000000"),
  ]

  @Test(arguments: FieldBugRows.phones)
  func `each number goes out as it is meant in its buyer's country, or is left out`(
    country: String, text: String, meant: String?
  ) throws {
    let body = try request("1", phone: text, country: country == "--" ? nil : country)
    let phone = try meant.map { try #require(InternationalPhone($0)) }
    let member = phone.map {
      #""phone":{"cc":"\#($0.callingCode)","subscriber":"\#($0.subscriber)"}"#
    }
    #expect(body.contains(member ?? "phone") == (member != nil))
  }

  // SEB's own number begins with the calling code; which country a buyer is of nobody tells here.
  @Test(arguments: FieldBugRows.phones)
  func `of the field report's numbers the international ones go out, and no other`(
    country: String, text: String, meant: String?
  ) throws {
    let body = try request("1", phone: text)
    let isInternational = meant != nil && (text.hasPrefix("+") || text.hasPrefix("00"))
    #expect(body.contains(#""phone":{"cc":"971","subscriber":"500000001"}"#) == isInternational)
    #expect(body.contains("phone") == isInternational)
  }

  @Test(arguments: rows)
  func `a number in international form is cut into code and rest`(
    row: (text: String, cc: String, subscriber: String)
  ) throws {
    #expect(
      try request("1", phone: row.text).contains(
        #""phone":{"cc":"\#(row.cc)","subscriber":"\#(row.subscriber)"}"#))
  }

  @Test(arguments: [
    "388 000 0000", "0500000001", "500000001", "٠٥٠٠٠٠٠٠٠١", "081 000 0000", "12", "+12",
    "+0500000001", "", "0500000001 ext 5", "+971500000001 ext 5", "+971500000001,5", "+",
    "+9715000000011234", "00", "+ü71500000001", "++971500000001", "971500000001",
  ])
  func `what is not certainly international is left out, never guessed`(phone: String) throws {
    let body = try request("1", phone: phone)
    #expect(!body.contains("phone"))
    #expect(body.contains(#""customer":{"name":"Test Buyer","#))
  }

  @Test(arguments: [
    ("+372111", false), ("+3721111", true), ("+372111111111111", true),
    ("+3721111111111111", false),
  ])
  func `it has 7 to 15 digits`(phone: String, isSent: Bool) throws {
    #expect(try request("1", phone: phone).contains("phone") == isSent)
  }
}
