import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import RaisProvider
import TestSupport
import Testing

@Suite("A webhook delivery is known by its signature and used to find a payment")
struct WebhookTests {
  private static let new = "new-webhook-secret-0001"
  private static let old = "old-webhook-secret-0002"
  private static let body = Array(
    (#"{"id":"evt_1", "type":"payment.paid","data":{"id":"\#(paymentID)","status":"paid","#
      + #""amount":500000,"reference":"\#(ourPaymentID)","order_number":"RS12AB34CD"}}"#).utf8)

  private static func found(_ secret: Int = 0) -> WebhookInspection {
    .notice(
      WebhookNotice(
        providerPaymentID: paymentID, paymentReference: ourPaymentID.rawValue,
        matchedSecret: secret,
        isProof: true))
  }

  private func inspect(
    _ signature: String?, header: String = "Rais-Signature",
    _ change: (inout PaymentDeliverySettings) -> Void = { _ in }
  ) throws -> WebhookInspection {
    try inspect(Self.body, signature, header: header, change)
  }

  private func inspect(
    _ body: [UInt8], _ signature: String?, header: String = "Rais-Signature",
    _ change: (inout PaymentDeliverySettings) -> Void = { _ in }
  ) throws -> WebhookInspection {
    var settings = PaymentDeliverySettings.rais(secrets: [Secret(Self.new), Secret(Self.old)])
    change(&settings)
    let rais = try makeProvider(answering("")) { $0.webhook = settings }
    var headers: HTTPHeaders = [:]
    headers[header] = signature
    return rais.inspectWebhook(
      HTTPRequest(method: "POST", target: "/webhooks/rais", headers: headers, body: body))
  }

  private func hmac(_ message: [UInt8], _ secret: String = new) -> String {
    hexText(Hashing.weakForTests.hmacSHA256(Array(secret.utf8), message))
  }

  private func stamped(
    _ body: [UInt8] = body, secret: String = new, after seconds: Int64 = 0
  ) -> String {
    let stamp = now.milliseconds / 1_000 + seconds
    return "t=\(stamp),v1=\(hmac(Array("\(stamp).".utf8) + body, secret))"
  }

  private func isUnauthentic(_ inspection: WebhookInspection) -> Bool {
    if case .unauthentic(let reason) = inspection { !reason.contains("secret-000") } else { false }
  }

  private func isMalformed(_ inspection: WebhookInspection) -> Bool {
    if case .malformed = inspection { true } else { false }
  }

  @Test func `a signed delivery names the payment and the secret`() throws {
    #expect(try inspect(stamped()) == Self.found())
    #expect(try inspect(stamped(secret: Self.old)) == Self.found(1))
    #expect(isUnauthentic(try inspect(stamped(secret: "another"))))
  }

  // FB-06: the raw bytes are what was signed.
  @Test func `a body that was written anew does not fit`() throws {
    let again = Array(String(decoding: Self.body, as: UTF8.self).replacing(", ", with: ",").utf8)
    #expect(isUnauthentic(try inspect(again, stamped())))
  }

  // FB-07: the window lies on both sides.
  @Test(arguments: [(300, true), (301, false), (-300, true), (-301, false)] as [(Int64, Bool)])
  func `a stamp has five minutes to both sides`(seconds: Int64, isTaken: Bool) throws {
    #expect(try (inspect(stamped(after: seconds)) == Self.found()) == isTaken)
  }

  // FB-08: several signatures while a secret is being changed.
  @Test func `one fitting signature of several is enough`() throws {
    let wrong = String(repeating: "0", count: 64)
    let parts = stamped().split(separator: ",")
    #expect(try inspect("\(parts[0]),v1=\(wrong),\(parts[1])") == Self.found())
    #expect(isUnauthentic(try inspect("\(parts[0]),v1=\(wrong)")))
  }

  @Test(arguments: [nil, "", "v1=00", "t=1", "forged"])
  func `a delivery without a usable signature is not from Raïs`(signature: String?) throws {
    #expect(isUnauthentic(try inspect(signature)))
    #expect(isUnauthentic(try inspect(Array("not json".utf8), signature)))
  }

  @Test func `the header's name is a setting`() throws {
    #expect(isUnauthentic(try inspect(stamped(), header: "X-Signature")))
    let found = try inspect(stamped(), header: "X-Signature") { $0.header = "X-Signature" }
    #expect(found == Self.found())
  }

  @Test func `the scheme is a setting`() throws {
    #expect(isUnauthentic(try inspect(hmac(Self.body))))
    #expect(try inspect(hmac(Self.body)) { $0.scheme = .body } == Self.found())
    #expect(try inspect(hmac(Self.body, Self.old)) { $0.scheme = .body } == Self.found(1))
    #expect(isUnauthentic(try inspect(stamped()) { $0.scheme = .body }))
    #expect(isUnauthentic(try inspect(Self.body + [0x20], hmac(Self.body)) { $0.scheme = .body }))
  }

  @Test func `where the payment stands is a setting`() throws {
    let flat = Array(#"{"id":"\#(paymentID)","reference":"\#(ourPaymentID)"}"#.utf8)
    #expect(isMalformed(try inspect(flat, stamped(flat))))
    #expect(try inspect(flat, stamped(flat)) { $0.paymentPath = "" } == Self.found())
    let deep = Array(
      #"{"a":{"payment":{"id":"\#(paymentID)","reference":"\#(ourPaymentID)"}}}"#.utf8)
    #expect(try inspect(deep, stamped(deep)) { $0.paymentPath = "a.payment" } == Self.found())
  }

  @Test(arguments: [
    (testKey, false, true), (testKey, true, true), (liveKey, false, false), (liveKey, true, true),
  ])
  func `with live keys a delivery is proof once somebody has seen the scheme`(
    key: String, isConfirmed: Bool, isProof: Bool
  ) throws {
    let rais = try makeProvider(answering(""), key: key) { settings in
      liveSettings(&settings)
      settings.webhook = PaymentDeliverySettings.rais(secrets: [Secret(Self.new)])
      settings.webhook?.isSchemeConfirmed = isConfirmed
    }
    let found = rais.inspectWebhook(
      HTTPRequest(
        method: "POST", target: "/webhooks/rais", headers: ["Rais-Signature": stamped()],
        body: Self.body))
    guard case .notice(let notice) = found else {
      Issue.record("\(found)")
      return
    }
    #expect(notice.isProof == isProof)
    #expect(rais.capabilities.paidProofs.contains(.signedWebhook) == isProof)
  }

  private func proof(
    _ body: String, of payment: ProviderPaymentID = paymentID
  ) throws -> WebhookProof? {
    let rais = try makeProvider(answering("")) {
      $0.webhook = PaymentDeliverySettings.rais(secrets: [Secret(Self.new)])
    }
    return rais.webhookProof(Array(body.utf8), of: payment)
  }

  @Test func `the payment in the body is read as an answer is`() async throws {
    let json = paymentJSON(status: #""paid""#, extra: #""reference":"\#(ourPaymentID)""#)
    let read = try await provider(json).read(paymentID)
    let found = try #require(try proof(#"{"type":"x","data":\#(json)}"#))
    #expect(found == WebhookProof(reading: read, occurredAt: nil, supplementsRead: false))
    #expect(found.reading.status == .captured)
    #expect(found.reading.paymentReference == ourPaymentID.rawValue)
  }

  @Test(arguments: [
    "", "{}", #"{"data":{"id":"\#(paymentID)","amount":500000}}"#,
    #"{"data":{"id":"\#(paymentID)","status":"paid","amount":"500000"}}"#,
    #"{"data":{"id":"other","status":"paid","amount":500000}}"#,
  ])
  func `a body that is no answer about the payment proves nothing`(body: String) throws {
    #expect(try proof(body) == nil)
  }

  @Test func `an account without a secret takes no delivery`() throws {
    let rais = try makeProvider(answering(""))
    let request = HTTPRequest(
      method: "POST", target: "/webhooks/rais", headers: ["Rais-Signature": stamped()],
      body: Self.body)
    #expect(isUnauthentic(rais.inspectWebhook(request)))
  }

  @Test(arguments: [
    "", "{", "null", "[]", "{}", #"{"data":null}"#, #"{"data":{"id":7}}"#,
    #"{"data":{"id":""}}"#, #"{"data":{"id":"../x"}}"#, #"{"data":{"id":"a","id":"b"}}"#,
    #"{"id":"5b1c2f4e-9d3a-4c61-8a7e-0f2d6b9e1a33"}"#,
  ])
  func `a signed body that names no payment is malformed`(body: String) throws {
    #expect(isMalformed(try inspect(Array(body.utf8), stamped(Array(body.utf8)))))
  }

  @Test(arguments: ["null", "7", #""order-1042""#, #""1 OR 1=1""#])
  func `a reference that is not ours is left out`(reference: String) throws {
    let body = Array(#"{"data":{"id":"\#(paymentID)","reference":\#(reference)}}"#.utf8)
    #expect(
      try inspect(body, stamped(body))
        == .notice(
          WebhookNotice(
            providerPaymentID: paymentID, paymentReference: nil, matchedSecret: 0,
            isProof: true)))
  }
}
