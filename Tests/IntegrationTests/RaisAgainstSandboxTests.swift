import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import ProviderSandbox
import RaisProvider
import StrictJSON
import TestSupport
import Testing

/// The provider module and the sandbox are written apart, each from Raïs' page; here they meet for
/// the first time.
@Suite("The Raïs client and the Raïs sandbox read the document alike")
struct RaisAgainstSandboxTests {
  private static let origin = "http://127.0.0.1:9080"
  private static let secret = Secret("whk_00000000-0000")

  private struct World {
    let rais: RaisProvider
    let sandbox: RaisSandbox
    let delivered: ClosureTransport

    init(
      _ changeSandbox: (inout RaisSandboxSettings) -> Void = { _ in },
      _ changeClient: (inout RaisSettings) -> Void = { _ in }
    ) throws {
      let environment = KitEnvironment.test(ManualClock())
      delivered = ClosureTransport { _ in HTTPResponse(status: 200) }
      var settings = RaisSandboxSettings()
      settings.webhookURL = "http://127.0.0.1/webhooks/rais"
      settings.webhookSecret = secret.reveal()
      changeSandbox(&settings)
      let sandbox = RaisSandbox(
        settings: settings, environment: environment, transport: delivered, publicURL: origin,
        prefix: "/rais")
      self.sandbox = sandbox
      var client = RaisSettings()
      client.baseURL = "\(origin)/rais/v1"
      client.webhook = PaymentDeliverySettings.rais(secrets: [secret])
      changeClient(&client)
      rais = RaisProvider(
        try RaisConfiguration(
          account: ProviderAccount("main"), secretKey: RaisSandboxSettings.demoSecretKey,
          settings: client),
        transport: ClosureTransport { await sandbox.respond(to: serverSide($0)) },
        environment: environment)
    }

    func create(_ decimal: String, _ code: String = "GNF", key: String = "o.1.c") async throws
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
        buyer: Buyer(name: "Test Buyer", email: "b@shop.example", phone: "+224620000001"),
        returnURLs: ReturnURLs(
          success: "tillshop://checkout/success?attempt=1",
          cancel: "tillshop://checkout/cancel?attempt=1", failure: "tillshop://checkout/failure"),
        language: "en", placedAt: Sample.start)
      return try await rais.create(try rais.prepareCreate(terms), idempotencyKey: key)
    }

    func control(_ path: String, _ body: String) async {
      let answer = await sandbox.respond(
        to: HTTPRequest(
          method: "POST", target: "/sandbox/\(path)", headers: ["Host": "127.0.0.1:9080"],
          body: Array(body.utf8)))
      #expect(answer.status == 200)
    }

    /// Moves a payment as the payer's doings would.
    func set(_ status: String, _ id: ProviderPaymentID) async {
      await control("payments/\(id)/status", #"{"status":"\#(status)"}"#)
    }
  }

  private static func serverSide(_ request: HTTPOutgoing) -> HTTPRequest {
    var headers = request.headers
    headers.add("Host", "127.0.0.1:9080")
    return HTTPRequest(
      method: request.method, target: String(request.url.dropFirst("\(origin)/rais".count)),
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

  @Test(arguments: [("500000", "GNF", 0), ("5000", "GNF", 2), ("19.99", "EUR", 2)])
  func `a checkout comes back as it was asked for`(
    decimal: String, code: String, exponent: Int
  ) async throws {
    let world = try World({ $0.exponent = Int64(exponent) }) {
      $0.currency = code
      $0.exponent = exponent
    }
    let created = try await world.create(decimal, code)
    let id = created.reading.providerPaymentID
    #expect(created.checkoutURL == "\(Self.origin)/rais/checkout/\(id)")
    #expect(created.reading.status == .pending)
    #expect(created.reading.amount?.description == "\(decimal) \(code)")
    #expect(created.reading.paymentReference == Sample.paymentID(1).rawValue)
    #expect(created.reading.expiresAt != nil)
    #expect(try await world.rais.read(id) == created.reading)
  }

  @Test func `a repeat finds the payment, another key makes another`() async throws {
    let world = try World()
    await world.control(
      "settings", #"{"faults":{"answers":[{"call":"create","kind":"lost"}]}}"#)
    #expect(await kind { try await world.create("500000") } == .unknown)
    let found = try await world.create("500000")
    #expect(try await world.create("500000") == found)
    let second = try await world.create("500000", key: "o.2.c")
    #expect(second.reading.providerPaymentID != found.reading.providerPaymentID)
    #expect(await kind { try await world.create("1") } == .refused)
  }

  @Test(arguments: [
    ("paid", PaymentStatus.captured), ("failed", .rejected), ("expired", .expired),
    ("cancelled", .cancelled),
  ])
  func `each end is read as one`(word: String, status: PaymentStatus) async throws {
    let world = try World()
    let id = try await world.create("500000").reading.providerPaymentID
    await world.set(word, id)
    let reading = try await world.rais.read(id)
    #expect(reading.status == status)
    #expect(reading.items.map(\.amount.decimal) == (word == "paid" ? ["500000"] : []))
  }

  @Test func `words of the account's own are understood once they are named`() async throws {
    let world = try World { $0.expiredWord = "lapsed" }
    let id = try await world.create("500000").reading.providerPaymentID
    await world.set("expired", id)
    #expect(try await world.rais.read(id).status == .unknown("lapsed"))
    let named = try World({ $0.expiredWord = "lapsed" }) {
      $0.states = RaisStates(expired: ["lapsed"])
    }
    let other = try await named.create("500000").reading.providerPaymentID
    await named.set("expired", other)
    #expect(try await named.rais.read(other).status == .expired)
  }

  @Test func `a currency in the answer is compared`() async throws {
    let world = try World { $0.showsCurrency = true }
    #expect(try await world.create("500000").reading.amount?.currency.code == "GNF")
    let other = try World {
      $0.showsCurrency = true
      $0.currency = "XOF"
    }
    #expect(try await other.create("500000").reading.amount?.currency.code == "XOF")
  }

  @Test func `what the sandbox refuses has its kind`() async throws {
    let world = try World()
    let stranger = ProviderPaymentID("00000000-9d1a-4d0b-8f53-0a5b7d6c2e11")
    #expect(await kind { try await world.rais.read(stranger) } == .notFound)
    let elsewhere = try World({ $0.keys = [] })
    #expect(await kind { try await elsewhere.create("500000") } == .unauthorized)
  }

  @Test(arguments: [SandboxWebhookScheme.timestamped, .body], ["Rais-Signature", "X-Signature"])
  func `a webhook is known by its signature, for each scheme and header`(
    scheme: SandboxWebhookScheme, header: String
  ) async throws {
    let world = try World({
      $0.webhookScheme = scheme
      $0.webhookHeader = header
    }) {
      $0.webhook?.scheme = scheme == .body ? .body : .timestamped
      $0.webhook?.header = header
    }
    let id = try await world.create("500000").reading.providerPaymentID
    await world.set("paid", id)
    let deliveries = await withTaskGroup(of: Void.self) { group in
      group.addTask { await world.sandbox.run() }
      while world.delivered.sent.isEmpty { await Task.yield() }
      group.cancelAll()
      return world.delivered.sent
    }
    let delivery = try #require(deliveries.first)
    let request = HTTPRequest(
      method: "POST", target: "/webhooks/rais", headers: delivery.headers, body: delivery.body)
    #expect(
      world.rais.inspectWebhook(request)
        == .notice(
          WebhookNotice(
            providerPaymentID: id, paymentReference: Sample.paymentID(1).rawValue,
            matchedSecret: 0, isProof: true)))
    let proof = try #require(world.rais.webhookProof(delivery.body, of: id))
    #expect(proof.reading.status == .captured)
    #expect(proof.reading.paymentReference == Sample.paymentID(1).rawValue)
    var forged = request
    forged.body.append(0x20)
    guard case .unauthentic = world.rais.inspectWebhook(forged) else {
      Issue.record("a forged body was accepted")
      return
    }
  }
}
