import HTTPExchange
import PaymentModels
import ProviderInterface
import TebexProvider
import TestSupport
import Testing

private func bytes(
  _ terms: CheckoutTerms, _ change: (inout TebexSettings) -> Void = { _ in }
) throws -> String {
  String(decoding: try makeProvider(answering(""), change).prepareCreate(terms), as: UTF8.self)
}

private func refusal(
  _ terms: CheckoutTerms, _ change: (inout TebexSettings) -> Void = { _ in }
) async -> ProviderError? {
  await failure { try bytes(terms, change) }
}

@Suite("Stored bytes describe the whole create")
struct BasketRequestTests {
  @Test func `basket, packages and price stand in them, and nothing of the buyer`() throws {
    #expect(
      try bytes(makeTerms())
        == #"{"basket":{"complete_url":"tebexpay://complete","cancel_url":"tebexpay://cancel","#
        + #""complete_auto_redirect":true,"custom":\#(customJSON())}}"#)
  }

  @Test func `whether the page returns by itself is a setting`() throws {
    #expect(
      try bytes(makeTerms()) { $0.redirectsByItself = false }
        .contains(#""complete_auto_redirect":false"#))
  }

  @Test func `a username is sent where the store requires one`() async throws {
    #expect(!(try bytes(makeTerms(username: "Steve")).contains("Steve")))
    let text = try bytes(makeTerms(username: "Steve")) { $0.sendsUsername = true }
    #expect(text.contains(#""username":"Steve""#))
    for missing in [nil, "", " "] {
      let error = await refusal(try makeTerms(username: missing)) { $0.sendsUsername = true }
      #expect(error?.kind == .refused)
    }
  }

  @Test(arguments: [
    ("203.0.113.9", true), ("1.2.3.4", true), ("2001:db8::1", false), ("::ffff:1.2.3.4", false),
    ("1.2.3", false), ("1.2.3.256", false), ("01.2.3.4", false), ("1.2.3.4:80", false),
    ("", false), ("+1.2.3.4", false),
  ])
  func `an address is sent in its old form alone`(address: String, isSent: Bool) throws {
    let text = try bytes(makeTerms(ipAddress: address))
    #expect(text.contains(#""ip_address":"\#(address)""#) == isSent)
    #expect(text.contains("ip_address") == isSent)
  }

  @Test func `an address goes out with the private key or not at all`() async throws {
    let terms = try makeTerms(ipAddress: "203.0.113.9")
    #expect(!(try bytes(terms) { $0.privateKey = nil }.contains("ip_address")))
    let transport = routes([:])
    let tebex = try makeProvider(transport)
    let stored = try tebex.prepareCreate(terms)
    _ = await failure { try await tebex.create(stored, idempotencyKey: "k") }
    // base64 of the public token, a colon and the private key.
    #expect(
      transport.sent.first?.headers["Authorization"]
        == "Basic dDY2eC03Y2Q5MjhiMWU5Mzk5OTA5ZTY4MTBlZGFjNmRjMWZkMWVlZ"
        + "mM1N2NiOnByaXZ+NWQwYzFmOWF+a2V5"
    )
    // A key that was taken away since: the basket would be refused, so nothing is sent.
    let without = try makeProvider(transport) { $0.privateKey = nil }
    let error = await failure { try await without.create(stored, idempotencyKey: "k") }
    #expect(error?.code == "private_key_missing")
    #expect(transport.sent.count == 1)
  }

  @Test(arguments: [
    "lamp", "", "62763１6", "-1", "6276316 ", "../1", "0", "06276316", "1234567890123456789",
  ])
  func `a product that is no package is refused before anything is sent`(
    product: String
  ) async throws {
    let error = await refusal(try makeTerms([line(product, 1, try money("1.27"))]))
    #expect(error?.kind == .refused)
  }

  @Test(arguments: [(20, true), (21, false)])
  func `a basket has 20 packages at most`(count: Int, isTaken: Bool) async throws {
    let lines = try (1...count).map { line("\($0)", 1, try money("1.00")) }
    let terms = try makeTerms(lines, total: money("\(count).00"))
    #expect((await refusal(terms) == nil) == isTaken)
  }

  @Test func `a total that is not positive or of another currency is refused`() async throws {
    #expect(await refusal(try makeTerms(total: money("0")))?.kind == .refused)
    #expect(await refusal(try makeTerms(total: money("1.27", "EUR")))?.kind == .refused)
  }
}

@Suite("FB-11 Order total differs from the sum of the items by one cent, at Tebex")
struct TotalTests {
  @Test func `(a) three times 9.67 is not 29.00`() async throws {
    let terms = try makeTerms([line(package, 3, money("9.67"))], total: money("29.00"))
    let error = await refusal(terms)
    #expect(error?.kind == .refused)
    #expect(error?.detail.contains("29.01") == true)
    #expect(error?.detail.contains("29.00") == true)
    #expect(error?.detail.contains(ourOrderID.rawValue) == true)
  }

  @Test func `(e) no items have no total`() async throws {
    #expect(await refusal(try makeTerms([], total: money("29.00")))?.kind == .refused)
  }

  @Test func `lines that add up pass`() throws {
    let terms = try makeTerms(
      [line(package, 3, money("9.67")), line("7", 1, money("0.99"))], total: money("30.00"))
    #expect(try bytes(terms).contains(#""base_price":"30.00""#))
  }
}

@Suite("FB-14 Idempotency key changes on retry, or is reused for something else, at Tebex")
struct StableBytesTests {
  @Test func `equal terms give equal bytes, and another attempt is another request`() throws {
    let terms = try makeTerms()
    var later = terms
    later.placedAt = Instant(milliseconds: 0)
    later.language = "ar"
    later.buyer.email = "other@shop.example"
    #expect(try bytes(terms) == bytes(later))
    var second = terms
    second.paymentID = PaymentID("01936f5e-8a00-7000-8000-0000000000b2")
    #expect(try bytes(terms) != bytes(second))
  }
}

@Suite("FB-24 Phone numbers the provider refuses, at Tebex")
struct PhoneTests {
  @Test(arguments: ["0500000001", "+0500000001", "", "١٢", "+971 (0)50-000-0001"])
  func `Tebex is told no phone, so none can stop a payment`(phone: String) throws {
    var terms = try makeTerms()
    terms.buyer.phone = phone
    #expect(try bytes(terms) == bytes(makeTerms()))
  }
}
