import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import ProviderSandbox
import StrictJSON
import TebexProvider
import TestSupport
import Testing

/// The provider module and the sandbox are written apart, each from Tebex' documents; here they
/// meet for the first time.
@Suite("The Tebex client and the Tebex sandbox read the documents alike")
struct TebexAgainstSandboxTests {
  private static let origin = "http://127.0.0.1:9080"
  private static let secret = Secret("whk_00000000-0000")

  private struct World {
    let tebex: TebexProvider
    let sandbox: TebexSandbox
    let delivered: ClosureTransport

    init(
      _ changeSandbox: (inout TebexSandboxSettings) -> Void = { _ in },
      _ changeClient: (inout TebexSettings) -> Void = { _ in }
    ) throws {
      let environment = KitEnvironment.test(ManualClock())
      delivered = ClosureTransport { request in
        // The answer to the handshake; to anything else it says nothing.
        let id = (try? JSONValue(parsing: request.body))?["id"] ?? .null
        return HTTPResponse(status: 200, body: JSONValue.object(["id": id]).serialized())
      }
      var settings = TebexSandboxSettings()
      settings.webhookURL = "http://127.0.0.1/webhooks/tebex"
      settings.webhookSecret = secret.reveal()
      changeSandbox(&settings)
      let sandbox = TebexSandbox(
        settings: settings, environment: environment, transport: delivered, publicURL: origin,
        prefix: "/tebex")
      self.sandbox = sandbox
      var client = TebexSettings()
      client.mode = .test
      client.headlessURL = "\(origin)/tebex/headless/api"
      client.pageOrigin = "\(origin)/tebex/pay"
      client.privateKey = TebexSandboxSettings.demoSecretKey
      client.checkout = TebexCheckoutSettings(
        username: Secret(TebexSandboxSettings.demoProject),
        password: TebexSandboxSettings.demoSecretKey)
      client.checkout?.url = "\(origin)/tebex/checkout/api"
      client.webhookSecrets = [secret]
      changeClient(&client)
      tebex = TebexProvider(
        try TebexConfiguration(
          account: ProviderAccount("main"), publicToken: TebexSandboxSettings.demoPublicToken,
          settings: client),
        transport: ClosureTransport { await sandbox.respond(to: serverSide($0)) },
        environment: environment)
    }

    func create(
      _ lines: [(id: String, quantity: Int64, price: String)] = [("6276316", 1, "5.35")],
      total: String = "5.35", buyer: Buyer = Self.buyer
    ) async throws -> CreatedPayment {
      let usd = Sample.currency("USD")
      let terms = CheckoutTerms(
        orderID: Sample.orderID(1), paymentID: Sample.paymentID(1),
        lines: try lines.map {
          OrderLine(
            productID: $0.id, title: "Gold", category: "gold", quantity: $0.quantity,
            unitPrice: try Money(decimal: $0.price, currency: usd))
        },
        total: try Money(decimal: total, currency: usd), buyer: buyer,
        returnURLs: ReturnURLs(
          success: "tillshop://checkout/success?attempt=1",
          cancel: "tillshop://checkout/cancel?attempt=1", failure: "tillshop://checkout/failure"),
        language: "en", placedAt: Sample.start)
      return try await tebex.create(try tebex.prepareCreate(terms), idempotencyKey: "o.1.c")
    }

    static let buyer = Buyer(
      name: "Test Buyer", email: "b@shop.example", phone: "+15550000001", username: "Steve",
      ipAddress: "203.0.113.9")

    @discardableResult
    func control(_ path: String, _ body: String?) async -> JSONValue {
      let answer = await sandbox.respond(
        to: HTTPRequest(
          method: body == nil ? "GET" : "POST", target: "/sandbox/\(path)",
          headers: ["Host": "127.0.0.1:9080"], body: Array((body ?? "").utf8)))
      #expect(answer.status == 200)
      return (try? JSONValue(parsing: answer.body)) ?? .null
    }

    /// The payer pays on the page.
    func pay(_ id: ProviderPaymentID, by method: String = "test") async {
      _ = await sandbox.respond(
        to: HTTPRequest(
          method: "POST", target: "/pay/\(id)/method", body: Array("method=\(method)".utf8)))
    }

    func move(_ id: ProviderPaymentID, _ status: String) async {
      await control("payments/\(id)/status", #"{"status":"\#(status)"}"#)
    }

    /// Whoever knows the ident changes the basket.
    func tamper(_ id: ProviderPaymentID, _ path: String, _ body: String) async {
      let answer = await sandbox.respond(
        to: HTTPRequest(
          method: "POST", target: "/headless/api/baskets/\(id)/packages\(path)",
          body: Array(body.utf8)))
      #expect(answer.status == 200)
    }

    /// Runs the sandbox until it has delivered so many webhooks, which it gives as requests.
    func deliveries(_ count: Int) async -> [HTTPRequest] {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await sandbox.run() }
        while delivered.sent.count < count { await Task.yield() }
        group.cancelAll()
      }
      return delivered.sent.map {
        HTTPRequest(
          method: "POST", target: "/webhooks/tebex", headers: $0.headers, body: $0.body)
      }
    }
  }

  private static func serverSide(_ request: HTTPOutgoing) -> HTTPRequest {
    var headers = request.headers
    headers.add("Host", "127.0.0.1:9080")
    return HTTPRequest(
      method: request.method, target: String(request.url.dropFirst("\(origin)/tebex".count)),
      headers: headers, body: request.body, peer: "127.0.0.1")
  }

  private func failure(_ call: () async throws -> some Sendable) async -> ProviderError? {
    do {
      _ = try await call()
      return nil
    } catch {
      return error as? ProviderError
    }
  }

  private func operation(
    _ id: ProviderPaymentID, _ transaction: String?
  ) throws -> ProviderOperation {
    ProviderOperation(
      providerPaymentID: id, amount: try Money(decimal: "5.35", currency: Sample.currency("USD")),
      reference: OperationID("op"), transactionID: transaction)
  }

  @Test(arguments: [true, false], [0, 825] as [Int64])
  func `a checkout comes back as it was asked for, whatever shape and tax`(
    wraps: Bool, tax: Int64
  ) async throws {
    let world = try World {
      $0.wrapsAddAnswer = wraps
      $0.hasCheckoutLink = wraps
      $0.taxBasisPoints = tax
    }
    let created = try await world.create(
      [("6276317", 2, "19.99"), ("6276316", 1, "5.35")], total: "45.33")
    let id = created.reading.providerPaymentID
    #expect(created.checkoutURL == "\(Self.origin)/tebex/pay/\(id)")
    #expect(created.reading.status == .created)
    #expect(created.reading.amount?.description == "45.33 USD")
    let open = try await world.tebex.read(id)
    #expect(open.status == .created)
    await world.pay(id)
    let paid = try await world.tebex.read(id)
    #expect(paid.status == .captured)
    #expect(paid.amount?.description == "45.33 USD")
    #expect(!paid.isForOtherGoods)
    #expect(paid.paymentReference == Sample.paymentID(1).rawValue)
    #expect(paid.transactionID != nil)
  }

  @Test func `a username, an address and a package that is sold singly are taken`() async throws {
    let world = try World({ $0.requiresUsername = true }) {
      $0.sendsUsername = true
      $0.sendsQuantityOfOne = false
    }
    let created = try await world.create([("6276318", 1, "49.00")], total: "49.00")
    #expect(created.reading.amount?.description == "49.00 USD")
    let strict = try World()
    let refused = await failure {
      try await strict.create([("6276318", 1, "49.00")], total: "49.00")
    }
    #expect(refused?.kind == .refused)
  }

  @Test func `another price, an unknown package and an unknown store are refused`() async throws {
    let world = try World()
    #expect(
      await failure { try await world.create([("6276316", 1, "5.34")], total: "5.34") }?.code
        == "other_price")
    #expect(
      await failure { try await world.create([("1", 1, "5.35")]) }?.kind == .refused)
    let elsewhere = try World({ $0.publicTokens = [] })
    #expect(await failure { try await elsewhere.create() }?.kind == .refused)
    let keyless = try World({ $0.keys = [] })
    #expect(await failure { try await keyless.create() }?.kind == .unauthorized)
    #expect(
      await failure { try await world.tebex.read(ProviderPaymentID("1a-none")) }?.kind
        == .notFound)
  }

  @Test func `a lost answer to an add costs nothing, one to the basket makes another`()
    async throws
  {
    let world = try World()
    for call in ["add", "create", "read"] {
      await world.control(
        "settings", #"{"faults":{"answers":[{"call":"\#(call)","kind":"lost"}]}}"#)
      let error = await failure { try await world.create() }
      #expect((error == nil) == (call == "add"))
      #expect(call == "add" || error?.kind == .unknown)
    }
    let made = try #require(await world.control("ledger", nil)["payments"]?.elements)
    #expect(made.count == 3)
    #expect(made.compactMap { $0.find("page.packages")?.elements?.count } == [1, 0, 1])
    #expect(made.compactMap { $0.find("calls.add")?.int64 } == [1, 0, 1])
  }

  @Test func `a basket that was changed before it was paid says so`() async throws {
    let world = try World()
    let id = try await world.create().reading.providerPaymentID
    await world.tamper(id, "", #"{"package_id":6276317}"#)
    await world.tamper(id, "/remove", #"{"package_id":6276316}"#)
    await world.pay(id)
    let reading = try await world.tebex.read(id)
    #expect(reading.isForOtherGoods)
    #expect(reading.amount?.description == "19.99 USD")
  }

  @Test(arguments: [true, false], [true, false])
  func `basket, transaction and webhook tell of one movement of money`(
    isUnitPrice: Bool, isTaxed: Bool
  ) async throws {
    let world = try World {
      $0.showsUnitPrice = isUnitPrice
      $0.taxesPrice = isTaxed
      $0.taxBasisPoints = 2_000
    }
    let id = try await world.create([("6276316", 3, "5.35")], total: "16.05")
      .reading.providerPaymentID
    await world.pay(id)
    let basket = try await world.tebex.read(id)
    let transaction = try #require(
      try await world.tebex.readTransaction(basket.transactionID ?? "", of: id))
    let deliveries = await world.deliveries(2)
    let proof = try #require(world.tebex.webhookProof(deliveries[1].body, of: id))
    #expect(basket.items.map(\.amount.decimal) == ["16.05"])
    #expect(transaction.items == basket.items)
    #expect(proof.reading.items == basket.items)
    #expect(proof.reading.mode == .test)
    for reading in [basket, transaction, proof.reading] { #expect(!reading.isForOtherGoods) }
  }

  @Test func `a refund gives all back, and a second one finds it done`() async throws {
    let world = try World()
    let id = try await world.create().reading.providerPaymentID
    await world.pay(id)
    let transaction = try await world.tebex.read(id).transactionID
    let refunded = try await world.tebex.refund(operation(id, transaction))
    #expect(refunded.items.map(\.kind) == [.capture, .refund])
    #expect(try await world.tebex.refund(operation(id, transaction)) == refunded)
    let ledger = await world.control("ledger", nil)
    #expect(ledger.find("calls.refund")?.int64 == 1)
    #expect(ledger.find("payments.0.refunded") == "5.35")
  }

  @Test(arguments: [true, false])
  func `an opened dispute has the money or not, as its status says`(takes: Bool) async throws {
    let world = try World { $0.opensAsChargeback = takes }
    let id = try await world.create().reading.providerPaymentID
    await world.pay(id, by: "card")
    await world.move(id, "dispute_opened")
    let proofs = await world.deliveries(3)
      .compactMap { world.tebex.webhookProof($0.body, of: id)?.reading }
    let opened = try #require(proofs.first { $0.dispute == .opened })
    #expect(opened.items.map(\.kind) == (takes ? [.capture, .chargeback] : [.capture]))
  }

  @Test func `the handshake is answered and each event is known by its signature`() async throws {
    let world = try World()
    let id = try await world.create().reading.providerPaymentID
    await world.pay(id, by: "declined")
    await world.pay(id, by: "card")
    await world.move(id, "dispute_opened")
    await world.move(id, "dispute_lost")
    let deliveries = await world.deliveries(5)
    guard case .handshake = world.tebex.inspectWebhook(deliveries[0]) else {
      Issue.record("the first delivery is no handshake")
      return
    }
    let notices = deliveries.dropFirst().compactMap { request -> WebhookNotice? in
      if case .notice(let notice) = world.tebex.inspectWebhook(request) { notice } else { nil }
    }
    #expect(notices.count == 4)
    #expect(notices.allSatisfy { $0.paymentReference == Sample.paymentID(1).rawValue })
    #expect(
      Set(notices.filter(\.isProof).compactMap(\.topic))
        == ["payment.completed", "payment.dispute.opened", "payment.dispute.lost"])
    let lost = try #require(notices.firstIndex { $0.topic == "payment.dispute.lost" })
    let proof = try #require(world.tebex.webhookProof(deliveries[lost + 1].body, of: id))
    #expect(proof.reading.dispute == .lost)
    #expect(proof.reading.mode == .live)
    #expect(proof.reading.items.map(\.kind) == [.capture, .chargeback])
    var forged = deliveries[1]
    forged.body.append(0x20)
    guard case .unauthentic = world.tebex.inspectWebhook(forged) else {
      Issue.record("a forged body was accepted")
      return
    }
  }
}
