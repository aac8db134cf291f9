import HTTPExchange
import PaymentModels
import ProviderInterface
import TebexProvider
import TestSupport
import Testing

private let make = "POST \(headless)/accounts/\(publicToken)/baskets"
private let add = "POST \(headless)/baskets/\(ident)/packages"
private let fetch = "GET \(headless)/accounts/\(publicToken)/baskets/\(ident)"

/// The answer to a new basket, whose links are an empty array.
private let empty = #"{"data":\#(basketJSON(price: "0", packages: "", links: "[]"))}"#

private func create(
  _ transport: ClosureTransport, _ terms: CheckoutTerms? = nil,
  _ change: (inout TebexSettings) -> Void = { _ in }
) async throws -> CreatedPayment {
  let tebex = try makeProvider(transport, change)
  let bytes = try tebex.prepareCreate(terms ?? makeTerms())
  return try await tebex.create(bytes, idempotencyKey: "o1.1.c")
}

private func sent(_ transport: ClosureTransport) -> [String] {
  transport.sent.map { "\($0.method) \($0.url)" }
}

@Suite("A create fills a basket and looks at it before the page is handed out")
struct CreateTests {
  private func good(_ change: (inout [String: Answer]) -> Void = { _ in }) -> ClosureTransport {
    var answers: [String: Answer] = [
      make: .json(200, empty), add: .json(200, basketJSON()), fetch: .json(200, basketJSON()),
    ]
    change(&answers)
    return routes(answers)
  }

  @Test func `it makes the basket, adds each package once and reads the basket`() async throws {
    let transport = good()
    let created = try await create(transport)
    #expect(sent(transport) == [make, add, fetch])
    let bodies = transport.sent.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(
      bodies == [
        #"{"complete_url":"tebexpay://complete","cancel_url":"tebexpay://cancel","#
          + #""complete_auto_redirect":true,"custom":\#(customJSON())}"#,
        #"{"package_id":"6276316","quantity":1}"#, "",
      ])
    for request in transport.sent {
      #expect(
        request.headers.fields.map { "\($0.name): \($0.value)" }.sorted()
          == ["Accept: application/json", "Content-Type: application/json"])
    }
    #expect(created.checkoutURL == "https://checkout.tebex.io/checkout/1a-55fff410")
    #expect(
      created.reading
        == PaymentReading(
          providerPaymentID: ident, status: .created, amount: try money("1.27"),
          orderReference: ourOrderID.rawValue, paymentReference: ourPaymentID.rawValue))
  }

  @Test func `answers under data and bare are read alike`() async throws {
    let wrapped = #"{"data":\#(basketJSON())}"#
    let created = try await create(
      good {
        $0[make] = .json(201, basketJSON(price: "0", packages: "", links: "[]"))
        $0[add] = .json(200, wrapped)
        $0[fetch] = .json(200, wrapped)
      })
    #expect(created.reading.providerPaymentID == ident)
  }

  @Test(arguments: ["[]", "{}", "null", #"{"checkout":null}"#])
  func `without a link the page is that of the ident`(links: String) async throws {
    let created = try await create(good { $0[fetch] = .json(200, basketJSON(links: links)) })
    #expect(created.checkoutURL == "https://pay.tebex.io/\(ident)")
  }

  @Test func `the page's origin is a setting`() async throws {
    let created = try await create(good { $0[fetch] = .json(200, basketJSON(links: "[]")) }) {
      $0.pageOrigin = "http://127.0.0.1:4010/tebex"
    }
    #expect(created.checkoutURL == "http://127.0.0.1:4010/tebex/\(ident)")
  }

  @Test func `several packages are added in one order, whatever order they were put in`()
    async throws
  {
    let lines = [
      line("9", 2, try money("1.00")), line("10", 1, try money("2.50")),
      line("9", 1, try money("1.00")),
    ]
    let terms = try makeTerms(lines, total: money("5.50"))
    let whole = basketJSON(
      price: "5.5", packages: "\(packageJSON("10")),\(packageJSON("9", quantity: "3"))",
      custom: customJSON(packages: "10:1,9:3", price: "5.50"))
    let transport = good { $0[fetch] = .json(200, whole) }
    _ = try await create(transport, terms)
    #expect(sent(transport) == [make, add, add, fetch])
    #expect(
      transport.sent[1...2].map { String(decoding: $0.body, as: UTF8.self) } == [
        #"{"package_id":"10","quantity":1}"#, #"{"package_id":"9","quantity":3}"#,
      ])
  }

  @Test func `whether a quantity of one is sent is a setting`() async throws {
    let transport = good()
    _ = try await create(transport) { $0.sendsQuantityOfOne = false }
    #expect(transport.sent[1].body == Array(#"{"package_id":"6276316"}"#.utf8))
  }

  @Test func `tax on top of the price is no other price`() async throws {
    let taxed = basketJSON().replacing(#""total_price":1.38"#, with: #""total_price":99.99"#)
    let created = try await create(good { $0[fetch] = .json(200, taxed) })
    #expect(created.reading.amount == (try money("1.27")))
  }
}

@Suite("A basket that is not the order's never gives a page")
struct BasketBindingTests {
  private static let others = [
    basketJSON(packages: packageJSON("6276317")), basketJSON(packages: packageJSON(quantity: "2")),
    basketJSON(packages: ""), basketJSON(packages: "\(packageJSON()),\(packageJSON("6276317"))"),
    basketJSON(custom: "null"), basketJSON(custom: "[]"),
    basketJSON(custom: customJSON(packages: "6276316:2")),
    basketJSON(custom: customJSON().replacing("b1", with: "b2")), basketJSON(price: nil),
    basketJSON(price: "null"), basketJSON(price: "1.275"), basketJSON(currency: "XXQ"),
    basketJSON(id: "1a-0000"), basketJSON(complete: "null"), basketJSON(complete: "1"),
    basketJSON(links: #"{"checkout":"javascript:alert(1)"}"#), "{}", "[]", "<html>",
  ]

  @Test(arguments: others)
  func `what cannot be the order's basket is unknown`(basket: String) async throws {
    let transport = routes([
      make: .json(200, empty), add: .json(200, "{}"), fetch: .json(200, basket),
    ])
    let error = await failure { try await create(transport) }
    #expect(error?.kind == .unknown)
    #expect(sent(transport) == [make, add, fetch])
  }

  @Test(arguments: [("1.28", "USD"), ("1.26", "USD"), ("0", "USD"), ("1.27", "EUR")])
  func `another price or currency is the shop's mistake and ends the attempt`(
    price: String, currency: String
  ) async throws {
    let transport = routes([
      make: .json(200, empty), add: .json(200, "{}"),
      fetch: .json(200, basketJSON(price: price, currency: currency)),
    ])
    let error = await failure { try await create(transport) }
    #expect(error?.kind == .refused)
    #expect(error?.code == "other_price")
    #expect(error?.detail.contains("1.27 USD") == true)
  }
}

@Suite("FB-13 Payment was created but the answer was lost; double tap, at Tebex")
struct LostAnswerTests {
  private static let lost: [Answer] = [
    .json(502, "<html>"), .json(500, ""), .json(200, "{\"ident\":"), .lost(.unknown),
    .lost(.notSent),
  ]

  @Test(arguments: lost.indices)
  func `an add that was done although its answer was lost is found by reading`(
    index: Int
  ) async throws {
    let transport = routes([
      make: .json(200, empty), add: Self.lost[index], fetch: .json(200, basketJSON()),
    ])
    #expect(try await create(transport).reading.providerPaymentID == ident)
    #expect(sent(transport) == [make, add, fetch])
  }

  @Test(arguments: lost.indices)
  func `an add that was not done is never done again in that basket`(index: Int) async throws {
    let transport = routes([
      make: .json(200, empty), add: Self.lost[index],
      fetch: .json(200, basketJSON(price: "0", packages: "", links: "[]")),
    ])
    #expect(await failure { try await create(transport) }?.kind == .unknown)
    #expect(sent(transport) == [make, add, fetch])
  }

  @Test(arguments: lost.indices)
  func `a basket that cannot be read gives no page`(index: Int) async throws {
    let transport = routes([
      make: .json(200, empty), add: .json(200, "{}"), fetch: Self.lost[index],
    ])
    #expect(await failure { try await create(transport) }?.kind == .unknown)
  }

  @Test func `a basket that was never made is said to be so`() async throws {
    #expect(await failure { try await create(routes([make: .lost(.notSent)])) }?.kind == .notSent)
    let error = await failure { try await create(routes([make: .lost(.unknown)])) }
    #expect(error?.kind == .unknown)
  }

  @Test func `a package that Tebex refuses ends the attempt without a page`() async throws {
    let problem = #"{"type":"about:blank","title":"Unprocessable","status":422,"detail":"x"}"#
    let transport = routes([make: .json(200, empty), add: .json(422, problem)])
    let error = await failure { try await create(transport) }
    #expect(error?.kind == .refused)
    #expect(sent(transport) == [make, add])
  }

  @Test(arguments: ["", "{}", "not json", #"{"basket":{"custom":{}}}"#])
  func `stored bytes that are none are never sent`(bytes: String) async throws {
    let transport = routes([:])
    let tebex = try makeProvider(transport)
    let error = await failure {
      try await tebex.create(Array(bytes.utf8), idempotencyKey: "k")
    }
    #expect(error?.kind == .refused)
    #expect(transport.sent.isEmpty)
  }
}
