import CheckoutLifecycle
import FutaProvider
import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import ProviderSandbox
import StrictJSON
import TestSupport
import Testing

/// The provider module and the sandbox are written apart, each from Futa's page; here they meet for
/// the first time.
@Suite("The Futa client and the Futa sandbox read the page alike")
struct FutaAgainstSandboxTests {
  private static let origin = "http://127.0.0.1:9080"

  private struct World {
    let clock = ManualClock()
    let futa: FutaProvider
    let sandbox: FutaSandbox
    let transport: ClosureTransport
    let delivered = ClosureTransport { _ in HTTPResponse(status: 200) }

    init(
      client: (inout FutaSettings) -> Void = { _ in },
      server: (inout FutaSandboxSettings) -> Void = { _ in }
    ) throws {
      let environment = KitEnvironment.test(clock)
      var settings = FutaSandboxSettings()
      settings.webhookURL = "http://shop.test/webhooks/futa"
      settings.webhookSecret = "hook-secret"
      server(&settings)
      let sandbox = FutaSandbox(
        settings: settings, environment: environment, transport: delivered, prefix: "/futa")
      let all = ProviderSandboxes(
        root: ClosedDoor(), others: [("futa", sandbox)])
      self.sandbox = sandbox
      transport = ClosureTransport { await all.respond(to: serverSide($0)) }
      var choices = FutaSettings(baseURL: "\(origin)/futa")
      choices.mode = .test
      choices.checkoutOrigin = origin
      choices.webhook = PaymentDeliverySettings.futa(secrets: [Secret("hook-secret")])
      client(&choices)
      futa = FutaProvider(
        try FutaConfiguration(
          account: ProviderAccount("main"), secretKey: FutaSandboxSettings.demoSecretKey,
          settings: choices),
        transport: transport, environment: environment)
    }

    func terms(
      _ decimal: String = "25000.00", returnURL: String = "https://shop.example/thanks"
    ) throws -> CheckoutTerms {
      let total = try Money(decimal: decimal, currency: Sample.currency("CDF"))
      return CheckoutTerms(
        orderID: Sample.orderID(1), paymentID: Sample.paymentID(1),
        lines: [
          OrderLine(
            productID: "solar", title: "Solar kit", category: "home", quantity: 1,
            unitPrice: total)
        ],
        total: total,
        buyer: Buyer(name: "Test Buyer", email: "b@shop.example", phone: "+243810000001"),
        returnURLs: ReturnURLs(success: returnURL, cancel: returnURL, failure: returnURL),
        language: "en", placedAt: Sample.start)
    }

    func create(_ terms: CheckoutTerms) async throws -> CreatedPayment {
      try await futa.create(try futa.prepareCreate(terms), idempotencyKey: "k1")
    }

    /// Moves a payment as the payer's doings would.
    func set(_ status: String, _ id: ProviderPaymentID) async {
      let answer = await control("/sandbox/payments/\(id)/status", #"{"status":"\#(status)"}"#)
      #expect(answer.status == 200)
    }

    @discardableResult
    func control(_ target: String, _ body: String) async -> HTTPResponse {
      await sandbox.respond(
        to: HTTPRequest(method: "POST", target: target, body: Array(body.utf8)))
    }
  }

  private struct ClosedDoor: HTTPHandler {
    func respond(to request: HTTPRequest) async -> HTTPResponse { HTTPResponse(status: 404) }
  }

  private static func serverSide(_ request: HTTPOutgoing) -> HTTPRequest {
    var headers = request.headers
    headers.add("Host", "127.0.0.1:9080")
    return HTTPRequest(
      method: request.method, target: String(request.url.dropFirst(origin.count)),
      headers: headers, body: request.body, peer: "127.0.0.1")
  }

  private func error(_ call: () async throws -> some Sendable) async -> ProviderError? {
    do {
      _ = try await call()
      return nil
    } catch {
      return error as? ProviderError
    }
  }

  @Test func `a payment comes back as it was asked for`() async throws {
    let world = try World()
    let created = try await world.create(try world.terms())
    #expect(created.checkoutURL?.hasPrefix("\(Self.origin)/futa/pay/pay_") == true)
    #expect(created.reading.status == .pending)
    #expect(created.reading.amount?.description == "25000.00 CDF")
    #expect(created.reading.paymentReference == Sample.paymentID(1).rawValue)
    #expect(created.reading.expiresAt == world.clock.clock.now() + .seconds(3_600))
    #expect(try await world.futa.read(created.reading.providerPaymentID) == created.reading)
  }

  // The stored bytes are what every repeat sends; a request built anew has another expires_at.
  @Test func `stored bytes find the same payment, bytes made anew conflict`() async throws {
    let world = try World()
    let bytes = try world.futa.prepareCreate(try world.terms())
    let first = try await world.futa.create(bytes, idempotencyKey: "k1")
    world.clock.advance(by: .seconds(1_199))
    #expect(try await world.futa.create(bytes, idempotencyKey: "k1") == first)
    let anew = try world.futa.prepareCreate(try world.terms())
    #expect(anew != bytes)
    let conflict = await error { try await world.futa.create(anew, idempotencyKey: "k1") }
    #expect(conflict?.kind == .refused)
    #expect(conflict?.code == "idempotency_conflict")
    let second = try await world.futa.create(anew, idempotencyKey: "k2")
    #expect(second.reading.providerPaymentID != first.reading.providerPaymentID)
  }

  @Test(arguments: ["lost", "truncated", "html_502"])
  func `a create whose answer was lost is found by its repeat`(kind: String) async throws {
    let world = try World()
    let answers = #"{"faults":{"answers":[{"call":"create","kind":"\#(kind)"}]}}"#
    await world.control("/sandbox/settings", answers)
    let terms = try world.terms()
    #expect(await error { try await world.create(terms) }?.kind == .unknown)
    let created = try await world.create(terms)
    #expect(created.checkoutURL != nil)
    let bodies = world.transport.sent.map(\.body)
    #expect(bodies.count == 2 && bodies[0] == bodies[1])
  }

  @Test(arguments: [
    ("processing", PaymentStatus.pending), ("paid", .captured), ("failed", .rejected),
    ("expired", .expired), ("cancelled", .cancelled), ("refunded", .captured),
  ])
  func `each state is read as what it is`(word: String, status: PaymentStatus) async throws {
    let world = try World()
    let id = try await world.create(try world.terms()).reading.providerPaymentID
    await world.set(word, id)
    let reading = try await world.futa.read(id)
    #expect(reading.status == status)
    let kinds: [PaymentItem.Kind] =
      word == "refunded" ? [.capture, .refund] : word == "paid" ? [.capture] : []
    #expect(reading.items.map(\.kind) == kinds)
    #expect(reading.items.allSatisfy { $0.amount == reading.amount })
  }

  @Test func `another word for paid counts once it is listed, and is unknown until then`()
    async throws
  {
    for isListed in [false, true] {
      let world = try World {
        if isListed { $0.states = FutaStates(paid: ["settled"]) }
      } server: {
        $0.paidWord = "SETTLED"
      }
      let id = try await world.create(try world.terms()).reading.providerPaymentID
      await world.set("paid", id)
      let status = try await world.futa.read(id).status
      #expect(status == (isListed ? .captured : .unknown("SETTLED")))
    }
  }

  @Test(arguments: [(2, "2500000"), (0, "25000"), (3, "25000000")])
  func `the exponent decides what the sandbox sees`(exponent: Int, wire: String) async throws {
    let world = try World { $0.exponent = exponent }
    let created = try await world.create(try world.terms())
    let sent = try JSONValue(parsing: try #require(world.transport.sent.first).body)
    #expect(sent["amount"] == .number(wire))
    #expect(created.reading.amount?.description == "25000.00 CDF")
  }

  @Test(arguments: [(false, false), (true, false), (true, true)])
  func `an app's own return address passes where both take it`(
    client: Bool, server: Bool
  ) async throws {
    let world = try World {
      $0.allowsAppReturnURL = client
    } server: {
      $0.allowsAppReturnURL = server
    }
    let terms = try world.terms(returnURL: "tillshop://checkout/success?attempt=1")
    let refusal = await error { try await world.create(terms) }
    #expect((refusal == nil) == (client && server))
    #expect(world.transport.sent.isEmpty == !client)
  }

  @Test func `a wrong key, a stranger and an expiry too far away have their kinds`() async throws {
    let world = try World()
    let stranger = ProviderPaymentID("pay_nobody")
    #expect(await error { try await world.futa.read(stranger) }?.kind == .notFound)
    let keyless = try World { $0.authorizationScheme = "Key" }
    #expect(await error { try await keyless.futa.read(stranger) }?.kind == .unauthorized)
    let bytes = try world.futa.prepareCreate(try world.terms())
    world.clock.advance(by: .seconds(3_600))
    let late = await error { try await world.futa.create(bytes, idempotencyKey: "k9") }
    #expect(late?.code == "invalid_request")
  }

  @Test(arguments: WebhookSignature.Scheme.allCases, SandboxWebhookScheme.allCases)
  func `a webhook is known where both sign alike`(
    client: WebhookSignature.Scheme, server: SandboxWebhookScheme
  ) async throws {
    let world = try World {
      $0.webhook?.scheme = client
    } server: {
      $0.webhookScheme = server
    }
    let id = try await world.create(try world.terms()).reading.providerPaymentID
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await world.sandbox.run() }
      await world.set("paid", id)
      while world.delivered.sent.isEmpty { await Task.yield() }
      group.cancelAll()
    }
    let delivery = try #require(world.delivered.sent.first)
    let inspection = world.futa.inspectWebhook(
      HTTPRequest(
        method: "POST", target: "/webhooks/futa", headers: delivery.headers, body: delivery.body))
    let found = WebhookInspection.notice(
      WebhookNotice(
        providerPaymentID: id, paymentReference: Sample.paymentID(1).rawValue, matchedSecret: 0,
        isProof: true))
    #expect((inspection == found) == (client.rawValue == server.rawValue))
    let proof = try #require(world.futa.webhookProof(delivery.body, of: id))
    #expect(proof.reading.status == .captured)
    #expect(proof.reading.paymentReference == Sample.paymentID(1).rawValue)
  }

  @Test func `the app's rules let the page load and the bank and the shop end it`() async throws {
    let world = try World()
    let terms = try world.terms()
    let url = try #require(try await world.create(terms).checkoutURL)
    let policy = NavigationPolicy(
      scope: .checkoutOrigin(try #require(CheckoutOrigin(Self.origin, on: .iOS))),
      returns: ReturnURLMatcher(terms.returnURLs, mode: .originAndPath), platform: .iOS)
    #expect(policy.decide(NavigationRequest(url: url)) == .load)
    func redirect(_ method: String, _ step: String, _ body: String = "") async -> String {
      let answer = await world.transport.answer(
        HTTPOutgoing(method: method, url: "\(url)/\(step)", body: Array(body.utf8)))
      return answer?.headers["Location"] ?? ""
    }
    let shop = await redirect("GET", "cancel")
    #expect(
      policy.decide(NavigationRequest(url: shop))
        == .openOutside(OutsideOpening(url: shop, carrier: .system), ends: .returned))
    let bank = await redirect("POST", "bank", "method=bank")
    #expect(
      policy.decide(NavigationRequest(url: bank))
        == .openOutside(OutsideOpening(url: bank, carrier: .system), ends: .left))
    let receipt = url.replacing("/pay/", with: "/receipts/")
    #expect(
      policy.decide(NavigationRequest(url: receipt))
        == .openReceipt(OutsideOpening(url: receipt, carrier: .inAppSafari)))
  }
}

extension ClosureTransport {
  fileprivate func answer(_ request: HTTPOutgoing) async -> HTTPResponse? {
    try? await send(request)
  }
}
