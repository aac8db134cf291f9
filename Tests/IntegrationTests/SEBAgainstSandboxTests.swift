import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import ProviderSandbox
import SEBProvider
import StrictJSON
import TestSupport
import Testing

/// The provider module and the sandbox are written apart, each from the public pages; here they
/// meet for the first time.
@Suite("The SEB client and the SEB sandbox read the documents alike")
struct SEBAgainstSandboxTests {
  private static let origin = "http://127.0.0.1:9080"

  private struct World {
    let seb: SEBProvider
    let sandbox: SEBSandbox
    let delivered: ClosureTransport
    let sent: ClosureTransport
    let clock = ManualClock()

    init(
      _ changeSandbox: (inout SEBSandboxSettings) -> Void = { _ in },
      _ changeClient: (inout SEBSettings) -> Void = { _ in }
    ) throws {
      let environment = KitEnvironment.test(clock)
      delivered = ClosureTransport { _ in HTTPResponse(status: 200) }
      var settings = SEBSandboxSettings()
      settings.webhookURL = "http://127.0.0.1/webhooks/seb"
      changeSandbox(&settings)
      let sandbox = SEBSandbox(
        settings: settings, environment: environment, transport: delivered, publicURL: origin,
        prefix: "/seb")
      self.sandbox = sandbox
      var client = SEBSettings()
      client.baseURL = "\(origin)/seb"
      client.tokenURL = "\(origin)/seb/auth/token"
      changeClient(&client)
      let demo = SEBSandboxClient.demo
      sent = ClosureTransport { await sandbox.respond(to: serverSide($0)) }
      seb = SEBProvider(
        try SEBConfiguration(
          account: ProviderAccount("main"), mode: .test,
          credentials: SEBCredentials(
            clientID: demo.id, clientSecret: demo.secret, participantID: demo.participantID,
            shopAgreementID: demo.shopAgreementID), settings: client),
        transport: sent, environment: environment)
    }

    func create(_ decimal: String = "129.90", _ code: String = "EUR") async throws
      -> CreatedPayment
    {
      let total = try Money(decimal: decimal, currency: Sample.currency(code))
      let terms = CheckoutTerms(
        orderID: Sample.orderID(1), paymentID: Sample.paymentID(1),
        lines: [
          OrderLine(
            productID: "mug", title: "Mug", category: "home", quantity: 1, unitPrice: total)
        ],
        total: total,
        buyer: Buyer(name: "Test Buyer", email: "b@shop.example", phone: "+37255500001"),
        returnURLs: ReturnURLs(
          success: "tillshop://checkout/success?attempt=1",
          cancel: "tillshop://checkout/cancel?attempt=1", failure: "tillshop://checkout/failure"),
        language: "et", placedAt: Sample.start)
      return try await seb.create(try seb.prepareCreate(terms), idempotencyKey: "k")
    }

    func page(_ method: String, _ path: String, _ form: String = "") async -> HTTPResponse {
      await sandbox.respond(
        to: HTTPRequest(
          method: method, target: path, headers: ["Host": "127.0.0.1:9080"],
          body: Array(form.utf8)))
    }

    func control(_ path: String, _ body: String) async {
      #expect(await page("POST", "/sandbox/\(path)", body).status == 200)
    }

    /// Moves a payment as the payer's doings would.
    func set(_ status: String, _ id: ProviderPaymentID) async {
      await control("payments/\(id)/status", #"{"status":"\#(status)"}"#)
    }

    func operation(_ id: ProviderPaymentID, _ decimal: String) throws -> ProviderOperation {
      ProviderOperation(
        providerPaymentID: id,
        amount: try Money(decimal: decimal, currency: Sample.currency("EUR")),
        reference: OperationID("01936f5e-8a00-7000-8000-0000000000c1"))
    }
  }

  private static func serverSide(_ request: HTTPOutgoing) -> HTTPRequest {
    var headers = request.headers
    headers.add("Host", "127.0.0.1:9080")
    return HTTPRequest(
      method: request.method, target: String(request.url.dropFirst("\(origin)/seb".count)),
      headers: headers, body: request.body, peer: "127.0.0.1")
  }

  private func kind(_ call: () async throws -> some Sendable) async -> ProviderError.Kind? {
    do {
      _ = try await call()
      return nil
    } catch {
      return (error as? ProviderError)?.kind
    }
  }

  @Test(arguments: [SEBRedirectPlace.flat, .links], [true, false])
  func `a checkout is created and read, wherever its page stands, text or number`(
    place: SEBRedirectPlace, isNumber: Bool
  ) async throws {
    let world = try World {
      $0.redirectPlace = place
      $0.showsNumbers = isNumber
    }
    let created = try await world.create()
    let id = created.reading.providerPaymentID
    #expect(created.reading.status == .created)
    #expect(created.checkoutURL == "\(Self.origin)/seb/checkout/\(id)")
    #expect(created.verificationKey?.reveal().hasPrefix("vk_") == true)
    let reading = try await world.seb.read(id)
    #expect(reading.status == .pending)
    #expect(reading.amount?.description == "129.90 EUR")
    #expect(reading.paymentReference == Sample.paymentID(1).rawValue)
    #expect(reading.orderReference == Sample.orderID(1).rawValue)
    #expect(reading.items.isEmpty)
  }

  @Test(arguments: [SEBClientAuthentication.basic, .form])
  func `a token is fetched once for many calls, by either way`(
    way: SEBClientAuthentication
  ) async throws {
    let world = try World({ _ in }) { $0.clientAuthentication = way }
    let id = try await world.create().reading.providerPaymentID
    for _ in 0..<3 { _ = try await world.seb.read(id) }
    #expect(world.sent.sent.filter { $0.url.hasSuffix("/token") }.count == 1)
  }

  @Test func `a token that ended early is replaced after one refusal`() async throws {
    let world = try World()
    let id = try await world.create().reading.providerPaymentID
    // The sandbox's clients change, and with them go their tokens.
    world.clock.advance(by: .seconds(301))
    _ = try await world.seb.read(id)
    #expect(world.sent.sent.filter { $0.url.hasSuffix("/token") }.count == 2)
  }

  @Test func `two failed tries end nothing, and the bank's answer pays`() async throws {
    let world = try World()
    let id = try await world.create().reading.providerPaymentID
    let page = "/checkout/\(id)"
    _ = await world.page("POST", "\(page)/card", "card_number=5186000000000013")
    _ = await world.page("POST", "\(page)/bank", "bank=mock-bank")
    _ = await world.page("POST", "\(page)/sca", "decision=decline")
    #expect(try await world.seb.read(id).status == .pending)
    _ = await world.page("POST", "\(page)/bank", "bank=mock-bank")
    _ = await world.page("POST", "\(page)/sca", "decision=approve")
    #expect(try await world.seb.read(id).status == .pending)
    await world.control("clock", #"{"advance_ms":3000}"#)
    let reading = try await world.seb.read(id)
    #expect(reading.status == .captured)
    #expect(reading.items.map(\.amount.decimal) == ["129.90"])
  }

  @Test(arguments: [
    ("CAPTURED", PaymentStatus.captured), ("AUTHORIZED", .authorized), ("FAILED", .rejected),
    ("EXPIRED", .expired), ("CANCELLED", .cancelled), ("SENT_FOR_PROCESSING", .pending),
    ("INITIALIZED", .pending),
  ])
  func `each state is read as one`(word: String, status: PaymentStatus) async throws {
    let world = try World()
    let id = try await world.create().reading.providerPaymentID
    await world.set(word, id)
    let reading = try await world.seb.read(id)
    #expect(reading.status == status)
    #expect(reading.items.map(\.amount.decimal) == (word == "CAPTURED" ? ["129.90"] : []))
  }

  @Test func `words of the account's own are understood once they are named`() async throws {
    let world = try World { $0.capturedWord = "PAID" }
    let id = try await world.create().reading.providerPaymentID
    await world.set("CAPTURED", id)
    #expect(try await world.seb.read(id).status == .unknown("PAID"))
    let named = try World({ $0.capturedWord = "PAID" }) {
      $0.states = SEBStates(captured: ["PAID"])
    }
    let other = try await named.create().reading.providerPaymentID
    await named.set("CAPTURED", other)
    #expect(try await named.seb.read(other).status == .captured)
  }

  @Test func `money is captured in parts and let go, refunded in parts and as a whole`()
    async throws
  {
    let world = try World({ $0.capturesAtOnce = false }) {
      $0.capture = .separate
      $0.operations = .assumed
      $0.operations?.allowsPartialRefunds = true
    }
    let id = try await world.create("100.00").reading.providerPaymentID
    await world.set("AUTHORIZED", id)
    let part = try await world.seb.capture(try world.operation(id, "60.00"))
    #expect(part.status == .authorized)
    #expect(part.items.map(\.amount.decimal) == ["60.00"])
    #expect(
      await kind { try await world.seb.capture(try world.operation(id, "40.01")) } == .refused)
    #expect(try await world.seb.close(id).status == .captured)
    let refunded = try await world.seb.refund(try world.operation(id, "10.00"))
    #expect(refunded.items.map(\.amount.decimal) == ["60.00", "10.00"])
    let whole = try await world.seb.refund(try world.operation(id, "50.00"))
    #expect(whole.status == .captured)
    #expect(whole.items.map(\.amount.decimal) == ["60.00", "60.00"])
    #expect(await kind { try await world.seb.refund(try world.operation(id, "0.01")) } == .refused)
    let held = try await world.create().reading.providerPaymentID
    await world.set("AUTHORIZED", held)
    #expect(try await world.seb.close(held).status == .cancelled)
  }

  @Test func `an operation that is answered by nothing of use is unknown, and a read tells`()
    async throws
  {
    let world = try World { $0.answersWithPayment = false }
    let id = try await world.create().reading.providerPaymentID
    await world.set("CAPTURED", id)
    #expect(
      await kind { try await world.seb.refund(try world.operation(id, "129.90")) } == .unknown)
    #expect(try await world.seb.read(id).items.map(\.kind) == [.capture, .refund])
  }

  @Test func `without stated sums the words tell the whole`() async throws {
    let world = try World { $0.showsSums = false }
    let id = try await world.create().reading.providerPaymentID
    await world.set("REFUNDED", id)
    #expect(try await world.seb.read(id).items.map(\.amount.decimal) == ["129.90", "129.90"])
  }

  @Test func `a lost create is not found again: a repeat makes another payment`() async throws {
    let world = try World()
    let first = try await world.create().reading.providerPaymentID
    await world.control(
      "settings", #"{"faults":{"answers":[{"call":"create","kind":"lost"}]}}"#)
    #expect(await kind { try await world.create() } == .unknown)
    #expect(try await world.create().reading.providerPaymentID != first)
  }

  @Test func `what the sandbox refuses has its kind`() async throws {
    let world = try World()
    let stranger = ProviderPaymentID("00000000-9d1a-4d0b-8f53-0a5b7d6c2e11")
    #expect(await kind { try await world.seb.read(stranger) } == .notFound)
    let elsewhere = try World({ $0.clients = [] })
    #expect(await kind { try await elsewhere.create() } == .unauthorized)
    let id = try await world.create().reading.providerPaymentID
    #expect(await kind { try await world.seb.refund(try world.operation(id, "1.00")) } == .refused)
  }

  @Test(arguments: [("card", true), ("bank", true), ("click-to-pay", true), ("wallet", false)])
  func `a hint opens the page at its method, and an unknown one the chooser`(
    method: String, isKnown: Bool
  ) async throws {
    let world = try World({ _ in }) {
      $0.methodHintParameter = "method"
      $0.preferredMethod = method
    }
    let url = try #require(try await world.create().checkoutURL)
    #expect(url.hasSuffix("?method=\(method)") == isKnown)
    let page = await world.page("GET", String(url.dropFirst("\(Self.origin)/seb".count)))
    let text = String(decoding: page.body, as: UTF8.self)
    #expect(text.contains(#"id="choose""#) == isKnown)
    #expect(text.contains(#"<html lang="et""#))
  }

  @Test func `a callback names the payment, and only that`() async throws {
    let world = try World()
    let id = try await world.create().reading.providerPaymentID
    await world.set("CAPTURED", id)
    let deliveries = await withTaskGroup(of: Void.self) { group in
      group.addTask { await world.sandbox.run() }
      while world.delivered.sent.isEmpty { await Task.yield() }
      group.cancelAll()
      return world.delivered.sent
    }
    let delivery = try #require(deliveries.first)
    let request = HTTPRequest(
      method: "POST", target: "/webhooks/seb", headers: delivery.headers, body: delivery.body)
    #expect(
      world.seb.inspectWebhook(request)
        == .notice(
          WebhookNotice(
            providerPaymentID: id, paymentReference: nil, matchedSecret: nil, topic: "PAYMENT")))
    #expect(world.seb.webhookProof(delivery.body, of: id) == nil)
  }
}
