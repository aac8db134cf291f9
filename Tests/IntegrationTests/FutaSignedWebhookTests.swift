import FutaProvider
import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import SystemCrypto
import TestSupport
import Testing

/// A delivery whose signatures were made elsewhere, at an account of Futa with real hash functions.
/// The clock stands at 1790000000.
private struct SignedDelivery {
  static let body = SignedVector.body
  static let underA = SignedVector.underA
  static let underB = SignedVector.underB

  static func inspect(
    _ signatures: [String], body: [UInt8] = body, secrets: [String] = ["whsec_demo_A"]
  ) throws -> WebhookInspection {
    var environment = KitEnvironment.test(ManualClock())
    environment.hashing = .openSSL
    var settings = FutaSettings(baseURL: "https://api.futa.example")
    settings.mode = .test
    settings.webhook = PaymentDeliverySettings.futa(secrets: secrets.map { Secret($0) })
    let configuration = try FutaConfiguration(
      account: ProviderAccount("main"), secretKey: Secret("futa_test_1"), settings: settings)
    let futa = FutaProvider(
      configuration, transport: ClosureTransport { _ in HTTPResponse(status: 500) },
      environment: environment)
    var headers: HTTPHeaders = [:]
    for signature in signatures { headers.add("Futa-Signature", signature) }
    return futa.inspectWebhook(
      HTTPRequest(method: "POST", target: "/webhooks/futa", headers: headers, body: body))
  }

  static func accepted(_ index: Int = 0) -> WebhookInspection {
    .notice(
      WebhookNotice(
        providerPaymentID: ProviderPaymentID("pay_A1"), paymentReference: nil, matchedSecret: index,
        isProof: true)
    )
  }

  static func isRefused(_ inspection: WebhookInspection) -> Bool {
    if case .unauthentic = inspection { true } else { false }
  }
}

@Suite("FB-06 Signature fails because the body was parsed and written again, at Futa")
struct FutaRawBodyTests {
  @Test func `the bytes as they came are what was signed`() throws {
    #expect(SignedDelivery.body.count == 181)
    let found = try SignedDelivery.inspect(["t=1790000000,v1=\(SignedDelivery.underA)"])
    #expect(found == SignedDelivery.accepted())
  }

  @Test(arguments: SignedVector.overOtherBytes)
  func `signatures over other bytes do not fit`(signature: String) throws {
    let found = try SignedDelivery.inspect(["t=1790000000,v1=\(signature)"])
    #expect(SignedDelivery.isRefused(found))
  }

  @Test func `other bytes do not fit the signature`() throws {
    let text = String(decoding: SignedDelivery.body, as: UTF8.self)
    for body in [text.dropLast().utf8, text.replacing("1.0", with: "1")[...].utf8] {
      let found = try SignedDelivery.inspect(
        ["t=1790000000,v1=\(SignedDelivery.underA)"], body: Array(body))
      #expect(SignedDelivery.isRefused(found))
    }
  }
}

@Suite("FB-08 Several signatures in one header while secrets rotate, at Futa")
struct FutaRotationTests {
  private static let zeros = String(repeating: "0", count: 64)
  private static let good = "v1=\(SignedDelivery.underA)"

  @Test(arguments: [
    ["t=1790000000,v1=\(zeros),\(good)"], ["t=1790000000,\(good),v0=other"],
    ["t=1790000000, \(good)"], ["t=1790000000,v1=\(zeros)", good],
  ])
  func `any that fits is enough`(headers: [String]) throws {
    #expect(try SignedDelivery.inspect(headers) == SignedDelivery.accepted())
  }

  @Test func `the log can tell which secret it was`() throws {
    let header = ["t=1790000000,v1=\(SignedDelivery.underB)"]
    let both = ["whsec_demo_A", "whsec_demo_B"]
    #expect(try SignedDelivery.inspect(header, secrets: both) == SignedDelivery.accepted(1))
    #expect(
      try SignedDelivery.inspect(header, secrets: ["whsec_demo_B"]) == SignedDelivery.accepted())
    #expect(SignedDelivery.isRefused(try SignedDelivery.inspect(header)))
  }

  @Test func `no usable item, or too many, is refused`() throws {
    let many = Array(repeating: Self.good, count: 1_000).joined(separator: ",")
    for header in ["t=1790000000,v1=", "t=1790000000", "t=1790000000,\(many)"] {
      #expect(SignedDelivery.isRefused(try SignedDelivery.inspect([header])))
    }
  }
}

@Suite("FB-07 Time window checked on one side only, or twice as wide as meant, at Futa")
struct FutaWindowTests {
  private func header(_ stamp: String) -> [String] {
    let message = Array("\(stamp).".utf8) + SignedDelivery.body
    let hmac = Hashing.openSSL.hmacSHA256(Array("whsec_demo_A".utf8), message)
    return ["t=\(stamp),v1=\(hexText(hmac))"]
  }

  @Test(arguments: [0, 1, 299, 300, 301, 3_600])
  func `the window has both sides`(distance: Int64) throws {
    for stamp in [1_790_000_000 - distance, 1_790_000_000 + distance] {
      let found = try SignedDelivery.inspect(header("\(stamp)"))
      #expect(
        distance <= 300
          ? found == SignedDelivery.accepted() : SignedDelivery.isRefused(found))
    }
  }

  @Test(arguments: ["1790000000000", "", "abc", "1790000000.5", "-1"])
  func `a stamp that is no time is refused`(stamp: String) throws {
    #expect(SignedDelivery.isRefused(try SignedDelivery.inspect(header(stamp))))
  }
}
