import PaymentModels
import ProviderInterface
import TabbyProvider
import TestSupport
import Testing

@Suite("The create request")
struct CheckoutRequestTests {
  private func prepare(
    _ terms: CheckoutTerms, region: TabbyRegion = .emiratesAndKuwait
  ) throws -> String {
    let bytes = try makeProvider(answering(""), region: region).prepareCreate(terms)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `it holds every required member, byte for byte`() throws {
    let terms = makeTerms(
      total: try money("140.00"),
      lines: [
        OrderLine(
          productID: "tea", title: "Tea “Karak”", category: "grocery", quantity: 2,
          unitPrice: try money("55.25")),
        OrderLine(
          productID: "cup", title: "Cup", category: "home", quantity: 1,
          unitPrice: try money("29.50")),
      ])
    let expected =
      #"{"payment":{"amount":"140.00","currency":"AED","#
      + #""buyer":{"name":"Test Buyer","email":"otp.success@tabby.ai","phone":"+971500000001"},"#
      + #""shipping_address":{"city":"Dubai","address":"1 Test Street","zip":"00000"},"#
      + #""order":{"reference_id":"\#(ourOrderID)","updated_at":"2026-09-21T14:13:20Z","items":["#
      + #"{"reference_id":"tea","title":"Tea “Karak”","category":"grocery","quantity":2,"#
      + #""unit_price":"55.25"},"#
      + #"{"reference_id":"cup","title":"Cup","category":"home","quantity":1,"#
      + #""unit_price":"29.50"}]},"#
      + #""buyer_history":{"registered_since":"2019-08-24T14:15:22Z","loyalty_level":3},"#
      + #""order_history":[],"#
      + #""meta":{"order_id":"\#(ourOrderID)","payment_id":"\#(ourPaymentID)"}},"#
      + #""lang":"en","merchant_code":"AE","#
      + #""merchant_urls":{"success":"https://shop.example/return/success?payment=b1","#
      + #""cancel":"https://shop.example/return/cancel","failure":"shop.example:/failure"}}"#
    #expect(try prepare(terms) == expected)
    #expect(try prepare(terms) == prepare(terms))
  }

  @Test func `a guess is never sent for what is not known of the buyer`() throws {
    var terms = makeTerms(total: try money("10.00"))
    terms.buyer = Buyer(name: "B", email: "b@shop.example", phone: "+971500000001")
    let text = try prepare(terms)
    #expect(text.contains(#""shipping_address":{"city":"","address":"","zip":""}"#))
    #expect(text.contains(#"{"registered_since":"2026-09-21T14:13:20Z","loyalty_level":0}"#))
  }

  @Test(arguments: [
    ("10.00", "AED", #""amount":"10.00","currency":"AED""#),
    ("5.5", "KWD", #""amount":"5.500","currency":"KWD""#),
    ("18.600", "KWD", #""amount":"18.600","currency":"KWD""#),
    ("1.234", "KWD", #""amount":"1.234","currency":"KWD""#),
  ])
  func `an amount is decimal text of major units`(
    decimal: String, code: String, member: String
  ) throws {
    #expect(try prepare(makeTerms(total: try money(decimal, code))).contains(member))
  }

  @Test(arguments: [("500", "JPY"), ("10.00", "SAR"), ("10.00", "USD"), ("35.200", "BHD")])
  func `a currency of another region is refused here`(decimal: String, code: String) async throws {
    let terms = makeTerms(total: try money(decimal, code))
    let error = await failure { try prepare(terms) }
    #expect(error?.kind == .refused)
    #expect(error?.detail.contains(code) == true)
    #expect(error?.detail.contains("AED, KWD") == true)
  }

  @Test func `the same currency with other decimals is refused`() async throws {
    let odd = try #require(Currency(code: "KWD", exponent: 2))
    let terms = makeTerms(total: Money(minorUnits: 550, currency: odd))
    #expect(await failure { try prepare(terms) }?.kind == .refused)
  }

  @Test(arguments: [0, -1] as [Int64])
  func `a total that is not positive is refused`(minorUnits: Int64) async throws {
    let terms = makeTerms(total: Money(minorUnits: minorUnits, currency: try currency("AED")))
    #expect(await failure { try prepare(terms) }?.kind == .refused)
  }

  @Test(arguments: ["fr", "", "EN"])
  func `a language that the page does not speak is refused`(language: String) async throws {
    let terms = makeTerms(total: try money("10.00"), language: language)
    #expect(await failure { try prepare(terms) }?.kind == .refused)
  }

  // Tabby, *Technical requirements*: at most 255 characters of a text are processed.
  @Test(arguments: [(255, true), (256, false)], 0..<3)
  func `a return URL may be as long as Tabby reads`(
    row: (length: Int, isSent: Bool), place: Int
  ) async throws {
    var urls = Array(repeating: "https://shop.example/back", count: 3)
    urls[place] += String(repeating: "x", count: row.length - urls[place].utf8.count)
    var terms = makeTerms(total: try money("10.00"))
    terms.returnURLs = ReturnURLs(success: urls[0], cancel: urls[1], failure: urls[2])
    let error = await failure { try prepare(terms) }
    #expect(error?.kind == (row.isSent ? nil : .refused))
  }

  @Test func `a buyer without name, email or phone is refused by the field's name`() async throws {
    for field in ["name", "email", "phone"] {
      var terms = makeTerms(total: try money("10.00"))
      terms.buyer = Buyer(
        name: field == "name" ? "" : "B", email: field == "email" ? " " : "b@shop.example",
        phone: field == "phone" ? "" : "+971500000001")
      #expect(await failure { try prepare(terms) }?.detail.contains(field) == true)
    }
  }

  @Test func `quantity 0, negative prices, mixed currencies and overflow are refused`() async throws
  {
    let aed = try currency("AED")
    let lines: [[(Int64, Money)]] = [
      [(0, try money("10.00")), (1, try money("10.00"))],
      [(-1, try money("10.00"))],
      [(1, try money("11.00")), (1, Money(minorUnits: -100, currency: aed))],
      [(1, try money("10.00", "SAR"))],
      [(1_000_000_000, Money(minorUnits: .max, currency: aed))],
    ]
    for prices in lines {
      let terms = makeTerms(
        total: try money("10.00"),
        lines: prices.map {
          OrderLine(
            productID: "p", title: "P", category: "c", quantity: $0.0, unitPrice: $0.1)
        })
      #expect(await failure { try prepare(terms) }?.kind == .refused)
    }
  }
}

@Suite("FB-11 Order total differs from the sum of the items by one cent, at Tabby")
struct TotalTests {
  @Test(arguments: ItemTotalRow.all)
  func `only lines that add up pass, and the error names both values and the order`(
    row: ItemTotalRow
  ) async throws {
    let terms = row.terms(try currency("AED"))
    let error = await failure { try provider("").prepareCreate(terms) }
    #expect(row.violations(of: error, terms) == [])
  }
}

@Suite("FB-24 Phone numbers the provider refuses, at Tabby")
struct PhoneTests {
  private func prepare(
    _ phone: String, _ code: String, country: String? = nil
  ) throws -> String {
    let region: TabbyRegion = code == "SAR" ? .saudiArabia : .emiratesAndKuwait
    var terms = makeTerms(total: try money("10", code), phone: phone)
    terms.buyer.country = country
    let bytes = try makeProvider(answering(""), region: region).prepareCreate(terms)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: FieldBugRows.phones.filter { $0.country != "--" }, ["AED", "SAR"])
  func `each number goes out as it is meant in its buyer's country, or is refused by its field`(
    row: (country: String, text: String, meant: String?), code: String
  ) async throws {
    if let meant = row.meant {
      #expect(try prepare(row.text, code, country: row.country).contains(#""phone":"\#(meant)""#))
    } else {
      let error = await failure { try prepare(row.text, code, country: row.country) }
      #expect(error?.detail.contains("phone") == true)
    }
  }

  @Test func `a buyer's country stands before the account's`() async throws {
    #expect(try prepare("971500000001", "AED", country: "AE").contains("+971500000001"))
    #expect(await failure { try prepare("500000001", "AED", country: "CH") }?.kind == .refused)
    #expect(await failure { try prepare("0500000001", "AED", country: "KW") }?.kind == .refused)
  }

  // The account's currency tells the country, so that a buyer is of one of these.
  private static let codes = ["AE": "AED", "SA": "SAR"]

  @Test(arguments: FieldBugRows.phones.filter { codes[$0.country] != nil })
  func `each number of the field report goes out as it is meant, or is refused by its field`(
    country: String, text: String, meant: String?
  ) async throws {
    let code = try #require(Self.codes[country])
    if let meant {
      #expect(try prepare(text, code).contains(#""phone":"\#(meant)""#))
    } else {
      let error = await failure { try prepare(text, code) }
      #expect(error?.kind == .refused)
      #expect(error?.detail.contains("phone") == true)
    }
  }

  @Test(arguments: FieldBugRows.phones.filter { ["IT", "CD"].contains($0.country) })
  func `a national number of another country is refused, never guessed`(
    country: String, text: String, meant: String?
  ) async throws {
    for code in ["AED", "SAR", "KWD"] {
      #expect(await failure { try prepare(text, code) }?.kind == .refused)
    }
  }

  @Test(arguments: [
    ("AED", "971500000001", "+971500000001"),
    ("AED", "+39 388 000 0000", "+393880000000"), ("SAR", "966500000001", "+966500000001"),
    ("KWD", "90000001", "+96590000001"), ("KWD", "96590000001", "+96590000001"),
  ])
  func `a number goes out in international form`(
    code: String, text: String, sent: String
  ) throws {
    #expect(try prepare(text, code).contains(#""phone":"\#(sent)""#))
  }

  @Test(arguments: [
    ("AED", "+12"),
    ("KWD", "090000001"), ("KWD", "0500000001"), ("AED", "966500000001"), ("AED", "050000000"),
    ("SAR", "٠٥٠"), ("AED", "(050) 000 0001 #2"), ("AED", " "),
  ])
  func `what is none is refused by the field's name, never guessed`(
    code: String, text: String
  ) async throws {
    let error = await failure { try prepare(text, code) }
    #expect(error?.kind == .refused)
    #expect(error?.detail.contains("phone") == true)
    #expect(error?.detail.contains(text) != true || text == " ")
  }
}
