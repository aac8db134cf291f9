import HTTPExchange
import PaymentModels
import ProviderInterface
import TebexProvider
import TestSupport
import Testing

private let paid = #"{"payment":"https://checkout.tebex.io/api/payments/\#(transactionID)"}"#

private func reading(
  _ basket: String, _ change: (inout TebexSettings) -> Void = { _ in }
) async throws -> PaymentReading {
  try await provider(basket, change).read(ident)
}

@Suite("A basket proves that it was paid, and nothing else")
struct BasketReadTests {
  @Test func `a complete basket is captured, for its base price`() async throws {
    let read = try await reading(basketJSON(complete: "true", links: paid))
    let price = try money("1.27")
    #expect(
      read
        == PaymentReading(
          providerPaymentID: ident, status: .captured, amount: price,
          orderReference: ourOrderID.rawValue, paymentReference: ourPaymentID.rawValue,
          items: [
            PaymentItem(
              kind: .capture, providerItemID: ident.rawValue, reference: nil, amount: price,
              createdAt: nil)
          ],
          transactionID: transactionID))
  }

  @Test func `an incomplete basket is open, whatever lies in it`() async throws {
    for basket in [
      basketJSON(), basketJSON(packages: packageJSON("1")), basketJSON(price: "900"),
      basketJSON(price: nil), basketJSON(custom: "null"),
    ] {
      let read = try await reading(basket)
      #expect(read.status == .created)
      #expect(read.amount == nil)
      #expect(read.items.isEmpty)
      #expect(!read.isForOtherGoods)
    }
  }

  @Test(arguments: [
    basketJSON(complete: "true", packages: packageJSON("6276317")),
    basketJSON(complete: "true", packages: packageJSON(quantity: "2")),
    basketJSON(complete: "true", packages: ""), basketJSON(complete: "true", custom: "null"),
    basketJSON(complete: "true", custom: "[]"),
  ])
  func `a basket that was paid for other packages says so`(basket: String) async throws {
    let read = try await reading(basket)
    #expect(read.status == .captured)
    #expect(read.isForOtherGoods)
  }

  @Test func `packages in several rows are counted together`() async throws {
    let basket = basketJSON(
      complete: "true", packages: "\(packageJSON()),\(packageJSON())",
      custom: customJSON(packages: "6276316:2"))
    #expect(!(try await reading(basket).isForOtherGoods))
  }

  @Test func `types that drift between Tebex' own sources are read alike`() async throws {
    let drifted = basketJSON(complete: "true")
      .replacing(#""id":"244127617""#, with: #""id":244127617"#)
      .replacing(#""username_id":127244"#, with: #""username_id":"127244""#)
      .replacing(#"{"id":6276316,"#, with: #"{"id":"6276316","#)
      .replacing(#""base_price":1.27"#, with: #""base_price":"1.270""#)
      .replacing(#""country":"US""#, with: #""country":null,"new":[{"a":null}]"#)
    #expect(try await reading(drifted) == reading(basketJSON(complete: "true")))
  }

  @Test func `a paid basket that carries nothing of ours is for other goods`() async throws {
    for packages in ["", packageJSON(), packageJSON("0"), packageJSON(quantity: "0")] {
      let basket = basketJSON(complete: "true", packages: packages, custom: "null")
      #expect(try await reading(basket).isForOtherGoods)
    }
  }

  @Test func `a paid basket that names no price names no amount`() async throws {
    let read = try await reading(basketJSON(complete: "true", price: nil))
    #expect(read.amount == nil)
    #expect(read.items.isEmpty)
  }

  @Test(arguments: [
    "null", #"{"payment":null}"#, #"{"payment":"https://x.example/tbx-1"}"#,
    #"{"payment":"https://x.example/payments/a b"}"#, #"{"payment":7}"#, "[]",
  ])
  func `a link that names no transaction is none`(links: String) async throws {
    #expect(
      try await reading(basketJSON(complete: "true", links: links)).transactionID == nil)
  }

  @Test func `fulfilment waits for the method's name where that is set`() async throws {
    #expect(try await reading(basketJSON(complete: "true")).modeWait == nil)
    let waiting = try await reading(basketJSON(complete: "true")) { $0.waitsForWebhook = true }
    #expect(waiting.modeWait == .seconds(600))
    #expect(waiting.mode == nil)
    func live(_ settings: inout TebexSettings) {
      settings.mode = .live
      settings.currency = "USD"
      settings.webhookSecrets = [Secret("whk-5d0c1f9a-5d0c1f9a")]
    }
    #expect(try await reading(basketJSON(), live).modeWait == .seconds(600))
    let off = try await reading(basketJSON()) {
      live(&$0)
      $0.waitsForWebhook = false
    }
    #expect(off.modeWait == nil)
  }

  @Test(arguments: ["", "..", "a/b", "a?b", "a b", "a%2fb", String(repeating: "a", count: 101)])
  func `an ident that could lead elsewhere never becomes a path`(id: String) async throws {
    let transport = answering(basketJSON())
    let tebex = try makeProvider(transport)
    #expect(await failure { try await tebex.read(ProviderPaymentID(id)) }?.kind == .refused)
    #expect(transport.sent.isEmpty)
  }

  @Test func `another basket's answer is not believed`() async throws {
    let tebex = try provider(basketJSON(id: "1a-other", complete: "true"))
    #expect(await failure { try await tebex.read(ident) }?.kind == .unknown)
  }
}

@Suite("FB-10 Decimal to minor units through a binary float, at Tebex")
struct ExactAmountTests {
  @Test(
    arguments: [
      ("19.99", 1_999), ("8.20", 820), ("8.2", 820), ("4.56", 456), ("1.15", 115), ("0.29", 29),
      ("8.29", 829), ("5", 500), ("5.000", 500), ("999999999999.99", 99_999_999_999_999),
    ] as [(String, Int64)])
  func `no cent is lost`(text: String, minorUnits: Int64) async throws {
    let read = try await reading(basketJSON(complete: "true", price: text))
    #expect(read.amount?.minorUnits == minorUnits)
  }

  @Test(arguments: [
    "1e3", "-1.00", "1.001", #""١٠٫٥٠""#, #""10,50""#, #"" 10.50""#, #""+1.00""#, #""01.00""#,
    #""NaN""#, "true", "{}", #""1.""#, #"".5""#,
  ])
  func `what is no plain amount is no answer`(text: String) async throws {
    let tebex = try provider(basketJSON(complete: "true", price: text))
    #expect(await failure { try await tebex.read(ident) }?.kind == .unknown)
  }
}

@Suite("FB-09 Minor units: JPY x100, UGX /100, KWD /10, at Tebex")
struct MinorUnitTests {
  @Test(
    arguments: [
      ("500", "JPY", 500), ("5", "UGX", 5), ("35.200", "BHD", 35_200), ("18.6", "KWD", 18_600),
      ("1.234", "KWD", 1_234), ("10.00", "AED", 1_000),
    ] as [(String, String, Int64)])
  func `the currency's own digits count, there and back`(
    decimal: String, code: String, minorUnits: Int64
  ) async throws {
    let total = try money(decimal, code)
    let tebex = try makeProvider(
      answering(
        basketJSON(
          complete: "true", price: decimal, currency: code,
          custom: customJSON(price: total.decimal, currency: code)))
    ) { $0.currency = code }
    let bytes = String(decoding: try tebex.prepareCreate(makeTerms(total: total)), as: UTF8.self)
    #expect(bytes.contains(#""base_price":"\#(total.decimal)","currency":"\#(code)""#))
    let read = try await tebex.read(ident)
    #expect(read.amount == total)
    #expect(read.amount?.minorUnits == minorUnits)
  }

  @Test func `a currency that nobody knows is refused, two digits are never assumed`() {
    #expect(throws: TebexConfigurationError.self) { try makeConfiguration { $0.currency = "XXQ" } }
  }

  @Test func `an answer in another currency keeps it, so that the order sees the difference`()
    async throws
  {
    let read = try await reading(basketJSON(complete: "true", currency: "EUR"))
    #expect(read.amount == (try money("1.27", "EUR")))
  }
}
