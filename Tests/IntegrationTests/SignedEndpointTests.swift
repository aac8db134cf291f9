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

/// An endpoint that takes signed deliveries of Futa's, with real hash functions, a store and a log.
/// The clock stands at 1790000000.
private struct Endpoint {
  let store = InMemoryPaymentStore()
  let log = LogLines()
  private let sync: StatusSync

  init(secrets: [String] = ["A"]) throws {
    let environment = KitEnvironment(
      clock: ManualClock().clock, random: seededRandom(1), log: log.sink, hashing: .openSSL)
    var settings = FutaSettings(baseURL: "https://api.futa.example")
    settings.mode = .test
    settings.webhook = PaymentDeliverySettings.futa(
      secrets: secrets.map { Secret("whsec_demo_\($0)") })
    let futa = FutaProvider(
      try FutaConfiguration(
        account: ProviderAccount("main"), secretKey: Secret("futa_test_1"), settings: settings),
      transport: ClosureTransport { _ in HTTPResponse(status: 502) }, environment: environment)
    sync = StatusSync(
      store: store, providers: [futa], settings: SyncSettings(), environment: environment)
  }

  func receive(
    _ headers: [String], _ body: [UInt8] = SignedVector.body
  ) async throws -> WebhookReceipt {
    var fields: HTTPHeaders = [:]
    for header in headers { fields.add("Futa-Signature", header) }
    return try await sync.receive(
      HTTPRequest(method: "POST", target: "/webhooks/futa", headers: fields, body: body),
      at: .futa)
  }

  /// Every delivery that was kept.
  func kept() async throws -> [WebhookRow] {
    try await store.read { try $0.webhooks(in: nil, at: .futa, before: nil, limit: 100) }
  }

  var reasons: [String] { log.facts("a webhook was refused", "reason") }

  static func header(_ stamp: String, _ body: [UInt8] = SignedVector.body) -> String {
    let hmac = Hashing.openSSL.hmacSHA256(
      Array("whsec_demo_A".utf8), Array("\(stamp).".utf8) + body)
    return "t=\(stamp),v1=\(hexText(hmac))"
  }
}

@Suite("FB-06 Signature fails because the body was parsed and written again, at an endpoint")
struct RawBodyEndpointTests {
  @Test func `the delivery is kept with the bytes that came`() async throws {
    let endpoint = try Endpoint()
    let receipt = try await endpoint.receive(["t=\(SignedVector.stamp),v1=\(SignedVector.underA)"])
    #expect(receipt == .stored)
    #expect(try await endpoint.kept().map(\.body) == [SignedVector.body])
  }

  @Test(arguments: SignedVector.overOtherBytes)
  func `a signature over other bytes is refused, and nothing is kept`(
    signature: String
  ) async throws {
    let endpoint = try Endpoint()
    let receipt = try await endpoint.receive(["t=\(SignedVector.stamp),v1=\(signature)"])
    #expect(receipt == .unauthentic)
    #expect(try await endpoint.kept() == [])
  }

  @Test(arguments: SignedVector.bodiesThatAreNoText)
  func `a body that is no text is verified first, and then malformed`(body: [UInt8]) async throws {
    let endpoint = try Endpoint()
    let stamp = "\(SignedVector.stamp)"
    #expect(try await endpoint.receive([Endpoint.header(stamp, body)], body) == .malformed)
    #expect(try await endpoint.receive([Endpoint.header(stamp)], body) == .unauthentic)
    #expect(try await endpoint.kept() == [])
  }
}

@Suite("FB-07 Time window checked on one side only, or twice as wide as meant, at an endpoint")
struct WindowEndpointTests {
  @Test(arguments: SignedVector.offsets)
  func `a stamp counts up to 300 s to either side, and a refusal tells the distance`(
    offset: (seconds: Int64, isAccepted: Bool)
  ) async throws {
    let endpoint = try Endpoint()
    let header = Endpoint.header("\(SignedVector.stamp + offset.seconds)")
    #expect(try await endpoint.receive([header]) == (offset.isAccepted ? .stored : .unauthentic))
    #expect(try await endpoint.kept().count == (offset.isAccepted ? 1 : 0))
    #expect(
      endpoint.reasons
        == (offset.isAccepted ? [] : ["the stamp is \(offset.seconds) s away from now"]))
  }

  @Test(arguments: SignedVector.stampsThatAreNone)
  func `a stamp that is no time of whole seconds is refused, and nothing is kept`(
    stamp: String?
  ) async throws {
    let endpoint = try Endpoint()
    let header = stamp.map { Endpoint.header($0) } ?? "v1=\(SignedVector.underA)"
    #expect(try await endpoint.receive([header]) == .unauthentic)
    #expect(endpoint.reasons.count == 1)
    #expect(try await endpoint.kept() == [])
  }

  @Test func `a replay inside the window is counted on the first and is no second event`()
    async throws
  {
    let endpoint = try Endpoint()
    for seconds: Int64 in [0, 1, 299] {
      let header = Endpoint.header("\(SignedVector.stamp - seconds)")
      #expect(try await endpoint.receive([header]) == .stored)
    }
    #expect(try await endpoint.kept().map(\.deliveries) == [3])
  }
}

@Suite("FB-08 Several signatures in one header while secrets rotate, at an endpoint")
struct RotationEndpointTests {
  @Test(arguments: SignedVector.headers, SignedVector.secretLists)
  func `any signature that fits any secret is enough, and the log names which`(
    header: SignedVector.SignedHeader, secrets: [String]
  ) async throws {
    let endpoint = try Endpoint(secrets: secrets)
    let position = header.signer.flatMap { secrets.firstIndex(of: $0) }
    #expect(
      try await endpoint.receive(header.lines) == (position == nil ? .unauthentic : .stored))
    #expect(
      endpoint.log.facts("webhook stored", "matched_secret")
        == (position.map { ["\($0)"] } ?? []))
    #expect(try await endpoint.kept().count == (position == nil ? 0 : 1))
  }
}
