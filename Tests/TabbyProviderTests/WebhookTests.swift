import HTTPExchange
import PaymentModels
import ProviderInterface
import TabbyProvider
import TestSupport
import Testing

@Suite("A webhook delivery is known by its header and used to find a payment")
struct WebhookTests {
  private static let title = "X-Tillkit-Webhook"
  private static let new = "new-webhook-secret-0001"
  private static let old = "old-webhook-secret-0002"

  private func inspect(
    _ body: [UInt8], headers: HTTPHeaders = [title: new], hasHeader: Bool = true
  ) throws -> WebhookInspection {
    let header = try TabbyWebhookHeader(
      title: Self.title, values: [Secret(Self.new), Secret(Self.old)])
    let tabby = try makeProvider(answering(""), header: hasHeader ? header : nil)
    return tabby.inspectWebhook(
      HTTPRequest(method: "POST", target: "/webhooks/tabby", headers: headers, body: body))
  }

  private func inspect(_ body: String) throws -> WebhookInspection {
    try inspect(Array(body.utf8))
  }

  private func isMalformed(_ inspection: WebhookInspection) -> Bool {
    if case .malformed = inspection { true } else { false }
  }

  // The sample of the document: lower-case status, amounts and references of its own.
  private static let body = Array(
    (#"{"id":"\#(paymentID)","created_at":"2026-09-21T15:33:20Z","expires_at":"#
      + #""2027-09-21T15:33:20Z","closed_at":null,"status":"authorized","is_test":true,"#
      + #""is_expired":false,"amount":"100","currency":"AED","order":{"reference_id":"o"},"#
      + #""captures":[],"refunds":[],"meta":{"order_id":"o","customer":null,"payment_id":"#
      + #""\#(ourPaymentID)"},"token":""}"#).utf8)

  @Test(arguments: [(new, 0), (old, 1)])
  func `each configured value is accepted and named by its index`(
    value: String, index: Int
  ) throws {
    let found = try inspect(Self.body, headers: ["x-tillkit-WEBHOOK": value])
    #expect(
      found
        == .notice(
          WebhookNotice(
            providerPaymentID: paymentID, paymentReference: ourPaymentID.rawValue,
            matchedSecret: index, mode: .test)))
  }

  @Test(
    arguments: [
      [:], ["X-Tillkit-Webhook": ""], ["X-Tillkit-Webhook": "forged"],
      ["X-Tillkit-Webhook": "new-webhook-secret-000"],
      ["X-Tillkit-Webhook": "new-webhook-secret-00011"],
      ["X-Tillkit-Webhook": "NEW-webhook-secret-0001"],
      ["X-Tillkit-Webhook": "new-webhook-secret-0001,old-webhook-secret-0002"],
      ["X-Another-Header": "new-webhook-secret-0001"],
      ["Authorization": "Bearer new-webhook-secret-0001"],
      // Twice: right and wrong, in both orders, and even right and right.
      ["X-Tillkit-Webhook": "new-webhook-secret-0001", "x-tillkit-webhook": "forged"],
      ["X-Tillkit-Webhook": "forged", "x-tillkit-webhook": "new-webhook-secret-0001"],
      [
        "X-Tillkit-Webhook": "new-webhook-secret-0001",
        "X-Tillkit-webhook": "new-webhook-secret-0001",
      ],
    ] as [HTTPHeaders])
  func `a delivery without exactly the header is not from Tabby`(headers: HTTPHeaders) throws {
    let found = try inspect(Self.body, headers: headers)
    guard case .unauthentic(let reason) = found else {
      Issue.record("accepted: \(found)")
      return
    }
    #expect(!reason.contains("secret-000"))
  }

  @Test func `nothing of the body is read before the header fits`() throws {
    let found = try inspect(Array("not json".utf8), headers: [:])
    #expect(found == .unauthentic(reason: "the webhook header is missing"))
  }

  @Test func `a test account without a header takes every delivery`() throws {
    let found = try inspect(Self.body, headers: [:], hasHeader: false)
    #expect(
      found
        == .notice(
          WebhookNotice(
            providerPaymentID: paymentID, paymentReference: ourPaymentID.rawValue,
            matchedSecret: nil, mode: .test)))
  }

  @Test(arguments: [
    "", "{", "null", "[]", "7", "{}", #"{"id":null}"#, #"{"id":7}"#, #"{"id":""}"#,
    #"{"id":"pay_A1"}"#, #"{"id":"6F1C1F0E-9D1A-4D0B-8F53-0A5B7D6C2E11"}"#,
    #"{"id":"6f1c1f0e-9d1a-4d0b-8f53-0a5b7d6c2e11/../x"}"#,
    #"{"id":"6f1c1f0e-9d1a-4d0b-8f53-0a5b7d6c2e11","id":"6f1c1f0e-9d1a-4d0b-8f53-0a5b7d6c2e11"}"#,
    #"{"id":"6f1c1f0e-9d1a-4d0b-8f53-0a5b7d6c2e11"} "# + "x",
  ])
  func `a body that names no payment is malformed`(body: String) throws {
    #expect(isMalformed(try inspect(body)))
  }

  @Test func `bytes that are not UTF-8 are malformed`() throws {
    let bytes = Array(#"{"id":"\#(paymentID)","x":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)
    #expect(isMalformed(try inspect(bytes)))
  }

  @Test(arguments: [(0, false), (1, true)])
  func `a body is read up to its limit`(beyond: Int, isRefused: Bool) throws {
    let frame = #"{"id":"\#(paymentID)","x":""}"#
    let padding = String(repeating: "x", count: (64 << 10) - frame.utf8.count + beyond)
    let body = #"{"id":"\#(paymentID)","x":"\#(padding)"}"#
    #expect(isMalformed(try inspect(body)) == isRefused)
  }

  @Test func `deep nesting is malformed`() throws {
    let deep = String(repeating: "[", count: 17) + String(repeating: "]", count: 17)
    #expect(isMalformed(try inspect(#"{"id":"\#(paymentID)","x":\#(deep)}"#)))
  }

  @Test(arguments: [
    "", #","meta":null"#, #","meta":{}"#, #","meta":{"payment_id":7}"#,
    #","meta":{"payment_id":"1 OR 1=1"}"#, #","meta":[]"#,
  ])
  func `a reference that is not ours is left out`(member: String) throws {
    let found = try inspect(#"{"id":"\#(paymentID)"\#(member)}"#)
    #expect(
      found
        == .notice(
          WebhookNotice(providerPaymentID: paymentID, paymentReference: nil, matchedSecret: 0)))
  }
}
