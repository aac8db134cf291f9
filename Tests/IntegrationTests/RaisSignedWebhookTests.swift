import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import RaisProvider
import SystemCrypto
import TestSupport
import Testing

/// Deliveries whose signatures were made elsewhere, at an account of Raïs with real hash functions.
/// The clock stands at 1790000000.
@Suite("FB-06, FB-07, FB-08 Signed webhooks at Raïs")
struct RaisSignedWebhookTests {
  private static let body = SignedVector.body
  private static let underA = SignedVector.underA
  private static let underB = SignedVector.underB
  private static let zeros = String(repeating: "0", count: 64)

  private func inspect(
    _ signatures: [String], body: [UInt8] = body, secrets: [String] = ["whsec_demo_A"]
  ) throws -> WebhookInspection {
    var environment = KitEnvironment.test(ManualClock())
    environment.hashing = .openSSL
    var settings = RaisSettings()
    settings.webhook = PaymentDeliverySettings.rais(secrets: secrets.map { Secret($0) })
    settings.webhook?.paymentPath = "payment"
    let configuration = try RaisConfiguration(
      account: ProviderAccount("main"), secretKey: Secret("rais_sk_test_1"), settings: settings)
    let rais = RaisProvider(
      configuration, transport: ClosureTransport { _ in HTTPResponse(status: 500) },
      environment: environment)
    var headers: HTTPHeaders = [:]
    for signature in signatures { headers.add("rais-signature", signature) }
    return rais.inspectWebhook(
      HTTPRequest(method: "POST", target: "/webhooks/rais", headers: headers, body: body))
  }

  private func accepted(_ index: Int = 0) -> WebhookInspection {
    .notice(
      WebhookNotice(
        providerPaymentID: ProviderPaymentID("pay_A1"), paymentReference: nil, matchedSecret: index,
        isProof: true)
    )
  }

  private func isRefused(_ inspection: WebhookInspection) -> Bool {
    if case .unauthentic = inspection { true } else { false }
  }

  @Test func `the bytes as they came are what was signed`() throws {
    #expect(try inspect(["t=1790000000,v1=\(Self.underA)"]) == accepted())
    let text = String(decoding: Self.body, as: UTF8.self)
    for other in [text.dropLast().utf8, text.replacing("1.0", with: "1")[...].utf8] {
      #expect(
        isRefused(try inspect(["t=1790000000,v1=\(Self.underA)"], body: Array(other))))
    }
  }

  @Test(arguments: [
    ["t=1790000000,v1=\(zeros),v1=\(underA)"], ["t=1790000000,v1=\(underA),v0=other"],
    ["t=1790000000, v1=\(underA)"], ["t=1790000000,v1=\(zeros)", "v1=\(underA)"],
  ])
  func `any signature that fits is enough`(headers: [String]) throws {
    #expect(try inspect(headers) == accepted())
  }

  @Test func `the log can tell which secret it was`() throws {
    let header = ["t=1790000000,v1=\(Self.underB)"]
    #expect(try inspect(header, secrets: ["whsec_demo_A", "whsec_demo_B"]) == accepted(1))
    #expect(isRefused(try inspect(header)))
  }

  @Test(arguments: [0, 1, 299, 300, 301, 3_600])
  func `the window has both sides`(distance: Int64) throws {
    for stamp in [1_790_000_000 - distance, 1_790_000_000 + distance] {
      let hmac = Hashing.openSSL.hmacSHA256(
        Array("whsec_demo_A".utf8), Array("\(stamp).".utf8) + Self.body)
      let found = try inspect(["t=\(stamp),v1=\(hexText(hmac))"])
      #expect(distance <= 300 ? found == accepted() : isRefused(found))
    }
  }
}
