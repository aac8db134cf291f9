import HTTPExchange
import PaymentModels
import ProviderSandbox
import StrictJSON
import TestSupport
import Testing

@Suite("The fake Tebex' calls")
struct TebexCallTests {
  private let store = "/accounts/\(TebexHarness.token)"

  private func problem(_ answer: HTTPResponse) -> Int64? {
    answer.json["status"]?.int64 == Int64(answer.status) && answer.json["detail"]?.text != nil
      ? Int64(answer.status) : nil
  }

  @Test func `a basket is made empty, filled and read`() async {
    let harness = TebexHarness()
    let made = await harness.headless("POST", "\(store)/baskets", TebexHarness.request)
    let basket = made.json["data"] ?? .null
    let ident = basket["ident"]?.text ?? ""
    #expect(made.status == 200)
    #expect(ident.utf8.count == 43)
    #expect(basket["complete"] == .bool(false))
    #expect(basket["links"] == .array([]))
    #expect(basket["packages"] == .array([]))
    #expect(basket["base_price"] == .number("0"))
    let added = await harness.add(ident, #"{"package_id":"6276316","quantity":2}"#)
    #expect(added.json.find("data.ident")?.text == ident)
    let read = await harness.read(ident)
    #expect(read["base_price"] == .number("10.7"))
    #expect(read["currency"] == "USD")
    #expect(read.find("packages.0.id")?.int64 == 6_276_316)
    #expect(read.find("packages.0.in_basket.quantity")?.int64 == 2)
    #expect(read.find("links.checkout")?.text == "http://sandbox.test/pay/\(ident)")
    #expect(read.find("custom.order_id") == "o1")
    #expect(read["complete_auto_redirect"] == .bool(true))
  }

  @Test func `the answer to an add may be bare, and a basket without a link`() async {
    let harness = TebexHarness {
      $0.wrapsAddAnswer = false
      $0.hasCheckoutLink = false
    }
    let ident = await harness.created()
    let added = await harness.add(ident, #"{"package_id":6276317}"#)
    #expect(added.json["ident"]?.text == ident)
    #expect(added.json["links"] == .array([]))
  }

  @Test func `packages are listed, changed and removed`() async {
    let harness = TebexHarness()
    let listed = await harness.headless("GET", "\(store)/packages")
    #expect(listed.json["data"]?.elements?.count == 3)
    let ident = await harness.created()
    _ = await harness.headless("PUT", "/baskets/\(ident)/packages/6276316", #"{"quantity":3}"#)
    #expect(await harness.read(ident).find("packages.0.in_basket.quantity")?.int64 == 3)
    _ = await harness.headless(
      "POST", "/baskets/\(ident)/packages/remove", #"{"package_id":6276316}"#)
    #expect(await harness.read(ident)["packages"] == .array([]))
    #expect(await harness.headless("GET", store).json.find("data.currency") == "USD")
  }

  @Test func `a package is added by the basket's own path alone`() async {
    let harness = TebexHarness()
    let ident = await harness.created()
    let answer = await harness.headless(
      "POST", "\(store)/baskets/\(ident)/packages", #"{"package_id":6276316,"quantity":1}"#)
    #expect(answer.status == 404)
  }

  @Test func `what a basket cannot take is refused in words`() async {
    let harness = TebexHarness()
    let ident = await harness.created()
    let rows: [(String, Int64)] = [
      (#"{"package_id":"1","quantity":1}"#, 422), (#"{"package_id":"x"}"#, 422), ("{}", 422),
      (#"{"package_id":6276316,"quantity":0}"#, 422),
      (#"{"package_id":6276316,"quantity":1.5}"#, 422), ("nothing", 400),
      (#"{"package_id":6276318,"quantity":1}"#, 400),
    ]
    for (body, status) in rows { #expect(problem(await harness.add(ident, body)) == status) }
    #expect(await harness.add(ident, #"{"package_id":6276318}"#).status == 200)
    #expect(problem(await harness.add("1a-none", #"{"package_id":6276316}"#)) == 404)
    await harness.paid(ident)
    #expect(problem(await harness.add(ident, #"{"package_id":6276316}"#)) == 400)
  }

  @Test func `a store and a basket must be known`() async {
    let harness = TebexHarness()
    #expect(
      problem(await harness.headless("POST", "/accounts/t66x-other/baskets", "{}")) == 422)
    #expect(problem(await harness.headless("GET", "\(store)/baskets/1a-none")) == 404)
    #expect(await harness.headless("POST", "\(store)/baskets", "").status == 200)
    #expect(problem(await harness.headless("POST", "\(store)/baskets", "[]")) == 422)
    #expect(problem(await harness.headless("POST", "\(store)/baskets", "{")) == 400)
  }

  @Test func `an address needs the private key, and is of the old form`() async {
    let harness = TebexHarness()
    func make(_ address: String, _ key: String?) async -> HTTPResponse {
      await harness.headless(
        "POST", "\(store)/baskets", #"{"ip_address":"\#(address)"}"#, authorization: key)
    }
    #expect(problem(await make("203.0.113.9", nil)) == 422)
    #expect(problem(await make("203.0.113.9", TebexHarness.checkoutKey)) == 401)
    #expect(problem(await make("2001:db8::1", TebexHarness.storeKey)) == 422)
    let made = await make("203.0.113.9", TebexHarness.storeKey)
    #expect(made.json.find("data.ip") == "203.0.113.9")
  }

  @Test func `a store may require a username`() async {
    let harness = TebexHarness { $0.requiresUsername = true }
    #expect(problem(await harness.headless("POST", "\(store)/baskets", "{}")) == 422)
    let made = await harness.headless("POST", "\(store)/baskets", #"{"username":"Steve"}"#)
    #expect(made.json.find("data.username") == "Steve")
  }

  @Test func `tax comes on top of the base price`() async {
    let harness = TebexHarness { $0.taxBasisPoints = 825 }
    let basket = await harness.read(await harness.created())
    #expect(basket["base_price"] == .number("5.35"))
    #expect(basket["sales_tax"] == .number("0.44"))
    #expect(basket["total_price"] == .number("5.79"))
  }

  @Test func `a payment is looked up and given back once`() async {
    let harness = TebexHarness()
    let ident = await harness.created()
    await harness.paid(ident)
    let id = await harness.transactionID(ident)
    let basket = await harness.read(ident)
    #expect(basket["complete"] == .bool(true))
    #expect(
      basket.find("links.payment")?.text == "http://sandbox.test/checkout/api/payments/\(id)")
    let payment = await harness.transaction(id).json
    #expect(payment.find("status.id")?.int64 == 1)
    #expect(payment.find("payment_method.name") == "Test Payments")
    #expect(payment.find("products.0.base_price.amount") == .number("5.35"))
    #expect(payment.find("custom.order_id") == "o1")
    let refunded = await harness.transaction(id, "POST", "/refund")
    #expect(refunded.json.find("status.description") == "Refund")
    #expect(problem(await harness.transaction(id, "POST", "/refund")) == 422)
    // The basket does not tell.
    #expect(await harness.read(ident)["complete"] == .bool(true))
    #expect(await harness.entry(ident)["refunded"] == "5.35")
  }

  @Test func `the Checkout API has credentials of its own`() async {
    let harness = TebexHarness { $0.refundsLater = true }
    let ident = await harness.created()
    await harness.paid(ident)
    let id = await harness.transactionID(ident)
    for key in [nil, TebexHarness.storeKey] {
      #expect(problem(await harness.transaction(id, authorization: key)) == 401)
    }
    #expect(await harness.transaction(id, authorization: TebexHarness.keyAlone).status == 200)
    #expect(problem(await harness.transaction("tbx-none")) == 404)
    let bare = await harness.call(
      "GET", "/checkout/api/payments/\(id)", authorization: TebexHarness.checkoutKey)
    #expect(problem(bare) == 404)
    let pending = await harness.transaction(id, "POST", "/refund")
    #expect(pending.json.find("status.id")?.int64 == 21)
    await harness.move(ident, "refunded")
    #expect(await harness.transaction(id).json.find("status.id")?.int64 == 2)
  }

  @Test func `a dispute takes the money and may bring it back`() async {
    let harness = TebexHarness()
    func status(_ ident: String) async -> Int64? {
      let id = await harness.transactionID(ident)
      return await harness.transaction(id).json.find("status.id")?.int64
    }
    let (won, lost) = (await harness.created(), await harness.created())
    for ident in [won, lost] {
      await harness.paid(ident)
      await harness.move(ident, "dispute_opened")
      #expect(await status(ident) == 3)
    }
    await harness.move(won, "dispute_won")
    await harness.move(lost, "dispute_lost")
    #expect(await status(won) == 1)
    #expect(await status(lost) == 3)
    #expect(await harness.entry(lost)["charged_back"] == "5.35")
    // Nothing is disputed or refunded that was not paid, and nothing follows a lost dispute.
    let open = await harness.created()
    for ident in [open, lost] { await harness.move(ident, "refunded") }
    #expect(await harness.entry(open)["status"] == "open")
    #expect(await harness.entry(lost)["status"] == "dispute_lost")
  }

  @Test func `answers are spoilt as a fault says, once`() async {
    let harness = TebexHarness()
    await harness.control(
      "settings", #"{"faults":{"answers":[{"call":"add","kind":"lost"}],"read_price":"9.99"}}"#)
    let ident = await harness.created()
    let basket = await harness.read(ident)
    #expect(basket["packages"]?.elements?.count == 1)
    #expect(basket["base_price"] == .number("9.99"))
    #expect(await harness.add(ident, #"{"package_id":6276316}"#).status == 200)
  }
}
