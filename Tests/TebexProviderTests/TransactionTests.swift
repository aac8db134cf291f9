import HTTPExchange
import PaymentModels
import ProviderInterface
import TebexProvider
import TestSupport
import Testing

private let get = "GET \(checkoutAPI)/payments/\(transactionID)?type=txn_id"
private let post = "POST \(checkoutAPI)/payments/\(transactionID)/refund?type=txn_id"
private let refunded = #"{"id":2,"description":"Refund"}"#

private func reading(_ payment: String) async throws -> PaymentReading {
  let tebex = try provider(payment)
  guard let reading = try await tebex.readTransaction(transactionID, of: ident) else {
    throw FixtureError()
  }
  return reading
}

private func item(_ kind: PaymentItem.Kind, _ id: String, _ decimal: String = "1.27") throws
  -> PaymentItem
{
  PaymentItem(
    kind: kind, providerItemID: id, reference: nil, amount: try money(decimal), createdAt: nil)
}

private func capture() throws -> PaymentItem { try item(.capture, ident.rawValue) }

@Suite("A transaction says what became of the money")
struct TransactionTests {
  @Test func `it is asked for by its id, with the Checkout API's credentials`() async throws {
    let transport = routes([get: .json(200, paymentJSON())])
    let tebex = try makeProvider(transport)
    let read = try await tebex.readTransaction(transactionID, of: ident)
    // base64 of the configured user, a colon and the password.
    #expect(
      transport.sent == [
        HTTPOutgoing(
          method: "GET", url: "\(checkoutAPI)/payments/\(transactionID)?type=txn_id",
          headers: [
            "Authorization": "Basic cHJvamVjdC01ZDBjMWY5YTpwYXNzfjVkMGMxZjlh",
            "Content-Type": "application/json", "Accept": "application/json",
          ])
      ])
    #expect(
      read
        == PaymentReading(
          providerPaymentID: ident, status: .captured, amount: try money("1.27"),
          orderReference: ourOrderID.rawValue, paymentReference: ourPaymentID.rawValue,
          mode: .test, items: [try capture()], transactionID: transactionID))
  }

  @Test func `an empty password leaves the user alone`() async throws {
    let transport = routes([get: .json(200, paymentJSON())])
    let tebex = try makeProvider(transport) { $0.checkout?.password = Secret("") }
    _ = try await tebex.readTransaction(transactionID, of: ident)
    #expect(transport.sent.first?.headers["Authorization"] == "Basic cHJvamVjdC01ZDBjMWY5YTo=")
  }

  @Test func `each status has its meaning`() async throws {
    let refund = try item(.refund, "\(transactionID).refund")
    let chargeback = try item(.chargeback, "\(transactionID).chargeback")
    let rows: [(String, PaymentStatus, [PaymentItem])] = [
      (#"{"id":1,"description":"Complete"}"#, .captured, [try capture()]),
      (refunded, .captured, [try capture(), refund]),
      (#"{"id":3,"description":"Chargeback"}"#, .captured, [try capture(), chargeback]),
      (#"{"id":18,"description":"Declined"}"#, .pending, []),
      (#"{"id":19,"description":"Pending Checkout"}"#, .pending, []),
      (#"{"id":21,"description":"Refund Pending"}"#, .captured, [try capture()]),
      (#"{"id":"2"}"#, .captured, [try capture(), refund]),
    ]
    for (status, meaning, items) in rows {
      let read = try await reading(paymentJSON(status: status))
      #expect(read.status == meaning)
      #expect(read.items == items)
    }
  }

  @Test func `what tells a payment's mode is the name of its method`() async throws {
    #expect(try await reading(paymentJSON(method: "Test Payments")).mode == .test)
    #expect(try await reading(paymentJSON(method: "TEST PAYMENTS")).mode == .test)
    #expect(try await reading(paymentJSON(method: "PayPal")).mode == .live)
    #expect(try await reading(paymentJSON(method: "")).mode == nil)
  }

  @Test(arguments: [
    (productJSON(quantity: "3", base: "1.00"), "6276316:3", "3.00"),
    (productJSON(quantity: "3", base: "3.00"), "6276316:3", "3.00"),
    (productJSON() + "," + productJSON("7", base: "2.5"), "6276316:1,7:1", "3.77"),
  ])
  func `the amount is that of the products, per piece or per line, without tax`(
    products: String, packages: String, price: String
  ) async throws {
    let read = try await reading(
      paymentJSON(
        products: products, custom: customJSON(packages: packages, price: price)))
    #expect(read.amount == (try money(price)))
    #expect(!read.isForOtherGoods)
  }

  @Test func `more pieces than were asked for count as pieces, at the price of one line too`()
    async throws
  {
    // A package that was added twice: what one piece costs is what the whole was to cost.
    let read = try await reading(
      paymentJSON(
        products: productJSON(quantity: "2", base: "1.27"),
        custom: customJSON(packages: "6276316:1", price: "1.27")))
    #expect(read.amount == (try money("2.54")))
    #expect(read.isForOtherGoods)
  }

  @Test func `products that cost something else show another amount`() async throws {
    let read = try await reading(paymentJSON(products: productJSON(base: "1.20")))
    #expect(read.amount == (try money("1.20")))
  }

  @Test func `a quantity as a text counts, and one that is no count makes it no answer`()
    async throws
  {
    let three = try await reading(
      paymentJSON(
        products: productJSON(quantity: #""3""#, base: "1.00"),
        custom: customJSON(packages: "6276316:3", price: "3.00")))
    #expect(three.amount == (try money("3.00")))
    #expect(!three.isForOtherGoods)
    #expect(
      !(try await reading(paymentJSON(products: productJSON(quantity: "null"))).isForOtherGoods))
    for quantity in ["0", "-1", "1.5", #""many""#, "{}"] {
      let tebex = try provider(paymentJSON(products: productJSON(quantity: quantity)))
      let error = await failure { try await tebex.readTransaction(transactionID, of: ident) }
      #expect(error?.kind == .unknown)
    }
  }

  @Test func `what cannot be compared with what was asked for is something else`() async throws {
    let nothing = paymentJSON(products: productJSON("0"), custom: "null")
    #expect(try await reading(nothing).isForOtherGoods)
  }

  @Test func `without products the payment's own price counts`() async throws {
    let read = try await reading(paymentJSON(products: ""))
    #expect(read.amount == (try money("1.38")))
    #expect(!read.isForOtherGoods)
    #expect(try await reading(paymentJSON(price: nil)).amount == nil)
  }

  @Test(arguments: [
    productJSON("6276317"), productJSON(quantity: "2"), productJSON("null"),
    productJSON() + "," + productJSON("7"),
  ])
  func `other products say so`(products: String) async throws {
    #expect(try await reading(paymentJSON(products: products)).isForOtherGoods)
  }

  @Test func `a payment of somebody else's basket names nobody of ours`() async throws {
    let read = try await reading(paymentJSON(custom: #"{"foo":"bar","ref":1234}"#))
    #expect(read.paymentReference == nil)
    #expect(read.isForOtherGoods)
  }

  @Test func `another transaction's answer is not believed`() async throws {
    let tebex = try provider(paymentJSON(id: "tbx-other"))
    let error = await failure { try await tebex.readTransaction(transactionID, of: ident) }
    #expect(error?.kind == .unknown)
  }

  @Test func `without access nothing is asked`() async throws {
    let transport = routes([:])
    let tebex = try makeProvider(transport) { $0.checkout = nil }
    #expect(try await tebex.readTransaction(transactionID, of: ident) == nil)
    #expect(transport.sent.isEmpty)
  }

  @Test(arguments: ["", "..", "a/b", "a?b", "a b"])
  func `an id that could lead elsewhere never becomes a path`(id: String) async throws {
    let transport = routes([:])
    let tebex = try makeProvider(transport)
    #expect(await failure { try await tebex.readTransaction(id, of: ident) }?.kind == .refused)
    #expect(transport.sent.isEmpty)
  }
}

@Suite("FB-16 A new status value, or other casing, breaks the whole answer, at Tebex")
struct StatusTests {
  @Test func `an unknown number is unknown with its word, never failed`() async throws {
    for (status, word) in [
      (#"{"id":22,"description":"Partly Refunded"}"#, "22 Partly Refunded"), (#"{"id":0}"#, "0"),
    ] {
      let read = try await reading(paymentJSON(status: status))
      #expect(read.status == .unknown(word))
      #expect(read.items.isEmpty)
    }
  }

  @Test(arguments: ["null", "7", "{}", #"{"id":null}"#, #"{"id":"Complete"}"#, #"{"id":1.5}"#])
  func `no number is no answer`(status: String) async throws {
    let tebex = try provider(paymentJSON(status: status))
    let error = await failure { try await tebex.readTransaction(transactionID, of: ident) }
    #expect(error?.kind == .unknown)
  }

  @Test(arguments: ["null", "7", #""true""#, "0"])
  func `a basket is complete or not, and nothing else`(complete: String) async throws {
    let tebex = try provider(basketJSON(complete: complete))
    #expect(await failure { try await tebex.read(ident) }?.kind == .unknown)
  }
}

@Suite("A refund gives all of a payment back, once")
struct RefundTests {
  private func refund(
    _ transport: ClosureTransport, amount: String = "1.27", transaction: String? = transactionID,
    _ change: (inout TebexSettings) -> Void = { _ in }
  ) async throws -> PaymentReading {
    try await makeProvider(transport, change).refund(
      ProviderOperation(
        providerPaymentID: ident, amount: money(amount), reference: OperationID("op"),
        transactionID: transaction))
  }

  private func sent(_ transport: ClosureTransport) -> [String] {
    transport.sent.map { "\($0.method) \($0.url)" }
  }

  @Test func `the transaction is read, then refunded`() async throws {
    let transport = routes([
      get: .json(200, paymentJSON()), post: .json(200, paymentJSON(status: refunded)),
    ])
    let read = try await refund(transport)
    #expect(sent(transport) == [get, post])
    #expect(transport.sent[1].body.isEmpty)
    #expect(read.items == [try capture(), try item(.refund, "\(transactionID).refund")])
  }

  @Test(arguments: [refunded, #"{"id":21,"description":"Refund Pending"}"#])
  func `what was given back before is not given back again`(status: String) async throws {
    let transport = routes([get: .json(200, paymentJSON(status: status))])
    #expect(try await refund(transport).status == .captured)
    #expect(sent(transport) == [get])
  }

  @Test(arguments: ["1.26", "1.28", "1.38"])
  func `a part, or more, is refused before a refund is sent`(amount: String) async throws {
    let transport = routes([get: .json(200, paymentJSON())])
    let error = await failure { try await refund(transport, amount: amount) }
    #expect(error?.kind == .refused)
    #expect(error?.code == "not_the_whole")
    #expect(sent(transport) == [get])
  }

  @Test func `without transaction or access nothing is sent`() async throws {
    let transport = routes([:])
    let unknown = await failure { try await refund(transport, transaction: nil) }
    let closed = await failure { try await refund(transport) { $0.checkout = nil } }
    #expect(unknown?.code == "no_transaction")
    #expect(closed?.code == "no_checkout_api")
    #expect(transport.sent.isEmpty)
  }

  @Test func `a read that fails means that no refund went out`() async throws {
    for answer in [Answer.json(502, "<html>"), .lost(.unknown), .lost(.notSent)] {
      let error = await failure { try await refund(routes([get: answer])) }
      #expect(error?.kind == .notSent)
    }
    #expect(await failure { try await refund(routes([:])) }?.kind == .notFound)
  }

  @Test func `a refund whose answer is lost is unknown`() async throws {
    for answer in [Answer.json(502, "<html>"), .lost(.unknown)] {
      let transport = routes([get: .json(200, paymentJSON()), post: answer])
      #expect(await failure { try await refund(transport) }?.kind == .unknown)
    }
  }

  @Test func `a refund that Tebex refuses is refused`() async throws {
    let problem = #"{"title":"Unprocessable","status":422,"detail":"not complete"}"#
    let transport = routes([get: .json(200, paymentJSON()), post: .json(422, problem)])
    #expect(await failure { try await refund(transport) }?.kind == .refused)
  }

  @Test func `somebody else's payment is never given back`() async throws {
    let transport = routes([get: .json(200, paymentJSON(custom: "null"))])
    #expect(await failure { try await refund(transport) }?.code == "not_the_whole")
    #expect(sent(transport) == [get])
  }
}

@Suite("A movement of money is the same however it is learned")
struct ItemIdentityTests {
  private func proof(_ topic: String, _ payment: String = paymentJSON()) throws -> PaymentReading {
    let tebex = try makeProvider()
    return try #require(tebex.webhookProof(delivery(topic, payment).body, of: ident)).reading
  }

  @Test func `the capture, by basket, transaction and webhook`() async throws {
    let basket = try await provider(basketJSON(complete: "true")).read(ident).items
    #expect(try await reading(paymentJSON()).items == basket)
    #expect(try proof("payment.completed").items == basket)
  }

  @Test func `the refund, by transaction and webhook`() async throws {
    let read = try await reading(paymentJSON(status: refunded)).items
    #expect(read.count == 2)
    #expect(try proof("payment.refunded", paymentJSON(status: refunded)).items == read)
  }

  @Test func `the charge-back, by transaction and webhook`() async throws {
    let payment = paymentJSON(status: #"{"id":3,"description":"Chargeback"}"#)
    let read = try await reading(payment).items
    #expect(read.count == 2)
    #expect(try proof("payment.dispute.lost", payment).items == read)
  }

  @Test func `a dispute that was won takes the same movement back to nothing`() throws {
    let lost = try proof(
      "payment.dispute.opened", paymentJSON(status: #"{"id":3,"description":"Chargeback"}"#))
    let won = try proof("payment.dispute.won")
    #expect(won.dispute == .won)
    #expect(won.items.map(\.providerItemID) == lost.items.map(\.providerItemID))
    #expect(won.items.map(\.kind) == lost.items.map(\.kind))
    #expect(try won.items.map(\.amount) == [money("1.27"), money("0")])
  }
}
