import FutaProvider
import HTTPExchange
import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface
import StatusSync
import SystemCrypto
import TestSupport
import Testing

@Suite("A live delivery of Futa's, while its API is out")
struct FutaBodyProofTests {
  private static let secret = "live-webhook-secret-01"
  private static let id = ProviderPaymentID("pay_A1")

  private func provider(_ environment: KitEnvironment, isConfirmed: Bool) throws -> FutaProvider {
    var settings = FutaSettings(baseURL: "https://api.futa.example")
    settings.checkoutOrigin = "https://checkout.futa.example"
    settings.currency = "AED"
    settings.exponent = 2
    settings.states = FutaStates(paid: ["settled"])
    settings.webhook = PaymentDeliverySettings.futa(secrets: [Secret(Self.secret)])
    settings.webhook?.isSchemeConfirmed = isConfirmed
    return FutaProvider(
      try FutaConfiguration(
        account: ProviderAccount("main"), secretKey: Secret("futa_live_1"), settings: settings),
      transport: ClosureTransport { _ in HTTPResponse(status: 502) }, environment: environment)
  }

  private func delivery(_ clock: ManualClock, amount: Int) -> HTTPRequest {
    let body = Array(
      (#"{"payment":{"id":"pay_A1","state":"settled","final":true,"amount":\#(amount),"#
        + #""currency":"AED","merchant_reference":"\#(Sample.paymentID(1))"}}"#).utf8)
    let stamp = clock.now.milliseconds / 1_000
    let hmac = Hashing.openSSL.hmacSHA256(
      Array(Self.secret.utf8), Array("\(stamp).".utf8) + body)
    return HTTPRequest(
      method: "POST", target: "/webhooks/futa",
      headers: ["Futa-Signature": "t=\(stamp),v1=\(hexText(hmac))"], body: body)
  }

  private func seed(_ store: any PaymentStore, _ clock: ManualClock) async throws {
    try await store.write { transaction in
      try transaction.insertOrder(Sample.order())
      var payment = Sample.payment()
      payment.provider = .futa
      payment.account = ProviderAccount("main")
      payment.mode = .live
      payment.createState = .created
      payment.providerPaymentID = Self.id
      payment.schedule.nextReadAt = clock.now + .seconds(86_400)
      try transaction.insertPayment(payment)
    }
  }

  /// Where the order stands once the delivery was worked on for the first time.
  private func outcome(isConfirmed: Bool, amount: Int) async throws -> OrderState {
    let clock = ManualClock()
    var environment = KitEnvironment.test(clock)
    environment.hashing = .openSSL
    let store = InMemoryPaymentStore()
    try await seed(store, clock)
    let sync = StatusSync(
      store: store, providers: [try provider(environment, isConfirmed: isConfirmed)],
      settings: SyncSettings(), environment: environment)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await sync.run(resumeCreate: { _ in }) }
      defer { group.cancelAll() }
      #expect(try await sync.receive(delivery(clock, amount: amount), at: .futa) == .stored)
      let later = clock.now + .seconds(86_400)
      for _ in 0..<2_000 {
        clock.advance(by: .milliseconds(100))
        for _ in 0..<40 { await Task.yield() }
        let isDone = try await store.read { transaction in
          try transaction.webhooksDue(at: later, limit: 1).allSatisfy { $0.tries > 0 }
        }
        if isDone { break }
      }
      return try #require(try await store.read { try $0.order(Sample.orderID(1)) }).state
    }
  }

  @Test func `pays the order once somebody has seen the scheme, and not before`() async throws {
    #expect(try await outcome(isConfirmed: true, amount: 15_000) == .paid)
    #expect(try await outcome(isConfirmed: false, amount: 15_000) == .pending)
  }

  @Test func `pays nothing with another amount`() async throws {
    #expect(try await outcome(isConfirmed: true, amount: 1_500) == .pending)
  }
}
