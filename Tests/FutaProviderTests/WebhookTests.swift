import FutaProvider
import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import TestSupport
import Testing

@Suite("A webhook delivery is known by its signature and used to find a payment")
struct WebhookTests {
  private static let new = "new-webhook-secret-0001"
  private static let old = "old-webhook-secret-0002"
  private static let body = Array(
    (#"{"event":"payment.updated", "payment":{"id":"\#(paymentID)","state":"paid","final":true,"#
      + #""amount":2500000,"currency":"CDF","merchant_reference":"\#(ourPaymentID)"}}"#).utf8)
  private static let found = WebhookInspection.notice(
    WebhookNotice(
      providerPaymentID: paymentID, paymentReference: ourPaymentID.rawValue, matchedSecret: 0,
      isProof: true))

  private func inspect(
    _ signature: String?, body: [UInt8] = body, header: String = "Futa-Signature",
    _ change: (inout PaymentDeliverySettings) -> Void = { _ in }
  ) throws -> WebhookInspection {
    var settings = PaymentDeliverySettings.futa(secrets: [Secret(Self.new), Secret(Self.old)])
    change(&settings)
    let futa = try makeProvider(answering("")) { $0.webhook = settings }
    var headers: HTTPHeaders = [:]
    headers[header] = signature
    return futa.inspectWebhook(
      HTTPRequest(method: "POST", target: "/webhooks/futa", headers: headers, body: body))
  }

  private func hmac(_ message: [UInt8], _ secret: String = new) -> String {
    hexText(Hashing.weakForTests.hmacSHA256(Array(secret.utf8), message))
  }

  private func stamped(
    _ body: [UInt8] = body, secret: String = new, after seconds: Int64 = 0
  ) -> String {
    let stamp = exampleClock().clock.now().milliseconds / 1_000 + seconds
    return "t=\(stamp),v1=\(hmac(Array("\(stamp).".utf8) + body, secret))"
  }

  private func isUnauthentic(_ inspection: WebhookInspection) -> Bool {
    if case .unauthentic(let reason) = inspection { !reason.contains("secret-000") } else { false }
  }

  private func isMalformed(_ inspection: WebhookInspection) -> Bool {
    if case .malformed = inspection { true } else { false }
  }

  @Test func `a signed delivery names the payment and the secret`() throws {
    #expect(try inspect(stamped()) == Self.found)
    #expect(
      try inspect(stamped(secret: Self.old))
        == .notice(
          WebhookNotice(
            providerPaymentID: paymentID, paymentReference: ourPaymentID.rawValue, matchedSecret: 1,
            isProof: true)
        ))
  }

  // FB-06: the raw bytes are what was signed.
  @Test func `a body that was written anew does not fit`() throws {
    let again = Array(String(decoding: Self.body, as: UTF8.self).replacing(", ", with: ",").utf8)
    #expect(isUnauthentic(try inspect(stamped(), body: again)))
  }

  // FB-07: the window lies on both sides.
  @Test(arguments: [(300, true), (301, false), (-300, true), (-301, false)] as [(Int64, Bool)])
  func `a stamp has five minutes to both sides`(seconds: Int64, isTaken: Bool) throws {
    #expect(try (inspect(stamped(after: seconds)) == Self.found) == isTaken)
  }

  // FB-08: several signatures while a secret is being changed.
  @Test func `one fitting signature of several is enough`() throws {
    let wrong = String(repeating: "0", count: 64)
    let parts = stamped().split(separator: ",")
    #expect(try inspect("\(parts[0]),v1=\(wrong),\(parts[1])") == Self.found)
    #expect(isUnauthentic(try inspect("\(parts[0]),v1=\(wrong)")))
  }

  @Test(arguments: [nil, "", "v1=00", "t=1", "forged"])
  func `a delivery without a usable signature is not from Futa`(signature: String?) throws {
    #expect(isUnauthentic(try inspect(signature)))
    #expect(isUnauthentic(try inspect(signature, body: Array("not json".utf8))))
  }

  @Test func `the header's name is a setting`() throws {
    #expect(isUnauthentic(try inspect(stamped(), header: "X-Signature")))
    let found = try inspect(stamped(), header: "X-Signature") { $0.header = "X-Signature" }
    #expect(found == Self.found)
  }

  @Test func `the scheme is a setting`() throws {
    #expect(isUnauthentic(try inspect(hmac(Self.body))))
    #expect(try inspect(hmac(Self.body)) { $0.scheme = .body } == Self.found)
    #expect(isUnauthentic(try inspect(stamped()) { $0.scheme = .body }))
    #expect(
      isUnauthentic(try inspect(hmac(Self.body), body: Self.body + [0x20]) { $0.scheme = .body }))
  }

  @Test func `where the payment stands is a setting`() throws {
    let flat = Array(#"{"id":"\#(paymentID)","merchant_reference":"\#(ourPaymentID)"}"#.utf8)
    #expect(isMalformed(try inspect(stamped(flat), body: flat)))
    #expect(try inspect(stamped(flat), body: flat) { $0.paymentPath = "" } == Self.found)
    let deep = Array(
      #"{"data":{"object":{"id":"\#(paymentID)","merchant_reference":"\#(ourPaymentID)"}}}"#.utf8)
    #expect(try inspect(stamped(deep), body: deep) { $0.paymentPath = "data.object" } == Self.found)
  }

  @Test(arguments: [
    (PaymentMode.test, false, true), (.test, true, true), (.live, false, false),
    (.live, true, true),
  ])
  func `with live keys a delivery is proof once somebody has seen the scheme`(
    mode: PaymentMode, isConfirmed: Bool, isProof: Bool
  ) throws {
    var webhook = PaymentDeliverySettings.futa(secrets: [Secret(Self.new)])
    webhook.isSchemeConfirmed = isConfirmed
    let futa = try makeProvider(answering("")) { settings in
      settings.mode = mode
      settings.webhook = webhook
      settings.checkoutOrigin = "https://checkout.futa.example"
      settings.currency = "CDF"
      settings.exponent = 2
      settings.states = .assumed
    }
    let found = futa.inspectWebhook(
      HTTPRequest(
        method: "POST", target: "/webhooks/futa", headers: ["Futa-Signature": stamped()],
        body: Self.body))
    guard case .notice(let notice) = found else {
      Issue.record("\(found)")
      return
    }
    #expect(notice.isProof == isProof)
    #expect(futa.capabilities.paidProofs.contains(.signedWebhook) == isProof)
  }

  private func proof(
    _ body: String, of payment: ProviderPaymentID = paymentID
  ) throws -> WebhookProof? {
    let futa = try makeProvider(answering("")) {
      $0.webhook = PaymentDeliverySettings.futa(secrets: [Secret(Self.new)])
    }
    return futa.webhookProof(Array(body.utf8), of: payment)
  }

  @Test func `the payment in the body is read as an answer is`() async throws {
    let json = paymentJSON(
      state: #""paid""#, final: "true", extra: #""merchant_reference":"\#(ourPaymentID)""#)
    let read = try await provider(json).read(paymentID)
    let found = try #require(try proof(#"{"event":"x","payment":\#(json)}"#))
    #expect(found == WebhookProof(reading: read, occurredAt: nil, supplementsRead: false))
    #expect(found.reading.status == .captured)
    #expect(found.reading.amount == (try money("25000.00")))
  }

  @Test(arguments: [
    "", "{}", #"{"payment":{"id":"pay_7Q2m-01"}}"#,
    #"{"payment":{"id":"pay_7Q2m-01","state":"paid","final":true,"amount":2500000}}"#,
    #"{"payment":{"id":"pay_7Q2m-01","state":"paid","amount":"2500000","currency":"CDF"}}"#,
    #"{"payment":{"id":"pay_other","state":"paid","amount":2500000,"currency":"CDF"}}"#,
  ])
  func `a body that is no answer about the payment proves nothing`(body: String) throws {
    #expect(try proof(body) == nil)
  }

  @Test func `an account without a secret takes no delivery`() throws {
    let futa = try makeProvider(answering(""))
    let request = HTTPRequest(
      method: "POST", target: "/webhooks/futa", headers: ["Futa-Signature": stamped()],
      body: Self.body)
    #expect(isUnauthentic(futa.inspectWebhook(request)))
  }

  @Test(arguments: [
    "", "{", "null", "[]", "{}", #"{"payment":null}"#, #"{"payment":{"id":7}}"#,
    #"{"payment":{"id":""}}"#, #"{"payment":{"id":"../x"}}"#,
    #"{"payment":{"id":"a","id":"b"}}"#,
  ])
  func `a signed body that names no payment is malformed`(body: String) throws {
    #expect(isMalformed(try inspect(stamped(Array(body.utf8)), body: Array(body.utf8))))
  }

  @Test(arguments: ["null", "7", #""ord-1""#, #""1 OR 1=1""#])
  func `a reference that is not ours is left out`(reference: String) throws {
    let body = Array(
      #"{"payment":{"id":"\#(paymentID)","merchant_reference":\#(reference)}}"#.utf8)
    #expect(
      try inspect(stamped(body), body: body)
        == .notice(
          WebhookNotice(
            providerPaymentID: paymentID, paymentReference: nil, matchedSecret: 0,
            isProof: true)))
  }
}
