import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import ProviderSandbox
import TabbyProvider
import TestSupport
import Testing

/// The provider module and the sandbox are written apart, each from Tabby's documents; here they
/// meet for the first time, in the strict mode of the published schema.
@Suite("The Tabby client and the Tabby sandbox read the document alike")
struct TabbyAgainstSandboxTests {
  private static let origin = "http://127.0.0.1:9080"

  private struct World {
    let tabby: TabbyProvider
    let sandbox: TabbySandbox

    init(
      region: TabbyRegion = .emiratesAndKuwait, merchantCode: String = "AE",
      _ change: (inout TabbySandboxSettings) -> Void = { _ in }
    ) throws {
      let environment = KitEnvironment.test(ManualClock())
      var settings = TabbySandboxSettings()
      settings.isStrict = true
      change(&settings)
      let sandbox = TabbySandbox(
        settings: settings, environment: environment,
        transport: ClosureTransport { _ in HTTPResponse(status: 200) }, publicURL: origin)
      self.sandbox = sandbox
      tabby = TabbyProvider(
        try TabbyConfiguration(
          account: ProviderAccount("main"), secretKey: TabbySandboxSettings.demoSecretKey,
          merchantCode: merchantCode, region: region, baseURL: origin),
        transport: ClosureTransport { await sandbox.respond(to: serverSide($0)) },
        hashing: environment.hashing)
    }

    func create(_ total: Money, phone: String = "+971500000001") async throws -> CreatedPayment {
      let terms = CheckoutTerms(
        orderID: Sample.orderID(1), paymentID: Sample.paymentID(1),
        lines: [
          OrderLine(
            productID: "mug", title: "Mug", category: "home", quantity: 1, unitPrice: total)
        ],
        total: total,
        buyer: Buyer(name: "Test Buyer", email: "otp.success@tabby.ai", phone: phone),
        returnURLs: ReturnURLs(
          success: "https://shop.example/s", cancel: "https://shop.example/c",
          failure: "https://shop.example/f"),
        language: "en", placedAt: Sample.start)
      return try await tabby.create(try tabby.prepareCreate(terms), idempotencyKey: "k")
    }

    /// Moves a payment as the payer's doings would.
    func set(_ status: String, _ id: ProviderPaymentID) async {
      let answer = await sandbox.respond(
        to: HTTPRequest(
          method: "POST", target: "/sandbox/payments/\(id)/status",
          headers: ["Host": "127.0.0.1:9080"], body: Array(#"{"status":"\#(status)"}"#.utf8)))
      #expect(answer.status == 200)
    }
  }

  private static func serverSide(_ request: HTTPOutgoing) -> HTTPRequest {
    var headers = request.headers
    headers.add("Host", "127.0.0.1:9080")
    return HTTPRequest(
      method: request.method, target: String(request.url.dropFirst(origin.count)),
      headers: headers, body: request.body, peer: "127.0.0.1")
  }

  private func money(_ decimal: String, _ code: String = "AED") throws -> Money {
    try Money(decimal: decimal, currency: Sample.currency(code))
  }

  private func operation(
    _ id: ProviderPaymentID, _ amount: Money, _ number: Int
  ) -> ProviderOperation {
    ProviderOperation(
      providerPaymentID: id, amount: amount, reference: Sample.operationID(number),
      reason: "damaged")
  }

  private func kind(_ call: () async throws -> PaymentReading) async -> ProviderError.Kind? {
    do {
      _ = try await call()
      return nil
    } catch {
      return (error as? ProviderError)?.kind
    }
  }

  @Test(arguments: [
    ("140.00", "AED", "AE", TabbyRegion.emiratesAndKuwait),
    ("5.500", "KWD", "KW", .emiratesAndKuwait), ("730.33", "SAR", "SA", .saudiArabia),
  ])
  func `a checkout comes back as it was asked for`(
    decimal: String, code: String, merchant: String, region: TabbyRegion
  ) async throws {
    let world = try World(region: region, merchantCode: merchant)
    let total = try money(decimal, code)
    let created = try await world.create(total)
    #expect(created.checkoutURL?.isEmpty == false)
    #expect(created.reading.status == .created)
    #expect(created.reading.amount == total)
    #expect(created.reading.orderReference == Sample.orderID(1).rawValue)
    #expect(created.reading.paymentReference == Sample.paymentID(1).rawValue)
    #expect(created.reading.mode == .test)
    #expect(created.reading.expiresAt != nil)
    #expect(try await world.tabby.read(created.reading.providerPaymentID) == created.reading)
  }

  @Test func `capture in two parts, refund, and each repeat does nothing twice`() async throws {
    let world = try World()
    let id = try await world.create(try money("140.00")).reading.providerPaymentID
    await world.set("AUTHORIZED", id)
    #expect(try await world.tabby.read(id).status == .authorized)

    let part = operation(id, try money("40.00"), 1)
    #expect(try await world.tabby.capture(part).status == .authorized)
    let again = try await world.tabby.capture(part)
    #expect(again.items.map(\.amount) == [try money("40.00")])
    let rest = try await world.tabby.capture(operation(id, try money("100.00"), 2))
    #expect(rest.status == .captured)
    #expect(
      rest.items.map(\.reference) == [1, 2].map { Sample.operationID($0).rawValue })

    let refund = operation(id, try money("12.50"), 3)
    _ = try await world.tabby.refund(refund)
    let refunded = try await world.tabby.refund(refund)
    #expect(refunded.status == .captured)
    #expect(refunded.items.filter { $0.kind == .refund }.map(\.amount) == [try money("12.50")])
    #expect(refunded.amount == (try money("140.00")))
    #expect(await kind { try await world.tabby.close(id) } == .refused)
  }

  @Test func `a close without capture is cancelled`() async throws {
    let world = try World()
    let id = try await world.create(try money("140.00")).reading.providerPaymentID
    await world.set("AUTHORIZED", id)
    #expect(try await world.tabby.close(id).status == .cancelled)
    #expect(await kind { try await world.tabby.close(id) } == .refused)
    #expect(try await world.tabby.read(id).status == .cancelled)
  }

  @Test(arguments: [("REJECTED", PaymentStatus.rejected), ("EXPIRED", .expired)])
  func `an unpaid end is read as one`(word: String, status: PaymentStatus) async throws {
    let world = try World()
    let id = try await world.create(try money("140.00")).reading.providerPaymentID
    await world.set(word, id)
    #expect(try await world.tabby.read(id).status == status)
  }

  @Test(arguments: RejectionReasonPlace.allCases, PrescoreRejectedStatus.allCases)
  func `a rejection is understood wherever its reason stands`(
    place: RejectionReasonPlace, status: PrescoreRejectedStatus
  ) async throws {
    let world = try World {
      $0.rejectionReasonPlace = place
      $0.prescoreRejectedStatus = status
    }
    let created = try await world.create(try money("140.00"), phone: "+971500000002")
    #expect(created.checkoutURL == nil)
    #expect(created.rejectionReason == "not_available")
    #expect(created.reading.status == .rejected)
  }

  @Test(arguments: [true, false])
  func `an amount is the same with and without zeros at its end`(stripsZeros: Bool) async throws {
    let world = try World(merchantCode: "KW") { $0.stripsZeros = stripsZeros }
    let total = try money("5.500", "KWD")
    let created = try await world.create(total)
    #expect(created.reading.amount == total)
    #expect(try await world.tabby.read(created.reading.providerPaymentID).amount == total)
  }

  @Test(arguments: ReusedReference.allCases, ExcessDecimals.allCases)
  func `a repeat under its reference is done once, whatever another amount would do`(
    reused: ReusedReference, excess: ExcessDecimals
  ) async throws {
    let world = try World {
      $0.reusedReference = reused
      $0.excessDecimals = excess
    }
    let id = try await world.create(try money("140.00")).reading.providerPaymentID
    await world.set("AUTHORIZED", id)
    for _ in 0..<2 {
      let reading = try await world.tabby.capture(operation(id, try money("140.00"), 1))
      #expect(reading.items.map(\.amount) == [try money("140.00")])
    }
  }

  @Test(arguments: WebhookListShape.allCases)
  func `a webhook is found in its list, whatever shape that has`(
    shape: WebhookListShape
  ) async throws {
    let world = try World { $0.webhookListShape = shape }
    #expect(try await world.tabby.webhooks().isEmpty)
    let added = try await world.tabby.addWebhook(url: "https://shop.example/webhooks/tabby")
    #expect(try await world.tabby.webhooks() == [added])
  }

  @Test func `money that comes after the end is shown`() async throws {
    let world = try World { $0.allowsLateAuthorization = true }
    let id = try await world.create(try money("140.00")).reading.providerPaymentID
    await world.set("EXPIRED", id)
    #expect(try await world.tabby.read(id).status == .expired)
    await world.set("AUTHORIZED", id)
    #expect(try await world.tabby.read(id).status == .authorized)
  }

  @Test func `what the sandbox refuses has its kind`() async throws {
    let world = try World()
    let id = try await world.create(try money("140.00")).reading.providerPaymentID
    let one = operation(id, try money("1.00"), 1)
    #expect(await kind { try await world.tabby.capture(one) } == .refused)
    #expect(await kind { try await world.tabby.refund(one) } == .refused)
    let stranger = ProviderPaymentID("00000000-9d1a-4d0b-8f53-0a5b7d6c2e11")
    #expect(await kind { try await world.tabby.read(stranger) } == .notFound)
    await world.set("AUTHORIZED", id)
    let tooMuch = operation(id, try money("140.01"), 2)
    #expect(await kind { try await world.tabby.capture(tooMuch) } == .refused)
  }

  @Test func `an update changes the reference alone, and the list shows it`() async throws {
    let world = try World()
    let id = try await world.create(try money("140.00")).reading.providerPaymentID
    await world.set("AUTHORIZED", id)
    let before = try await world.tabby.read(id)
    var expected = before
    expected.orderReference = Sample.orderID(2).rawValue
    #expect(
      try await world.tabby.updateOrderReference(of: id, to: Sample.orderID(2)) == expected)
    let page = try await world.tabby.list(TabbyListQuery())
    #expect(page.readings.map(\.providerPaymentID) == [id])
    #expect(page.unreadableCount == 0)
    #expect(page.totalCount == 1)
  }
}
