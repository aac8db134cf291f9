import HTTPExchange
import PaymentModels
import ProviderInterface
import SEBProvider
import TestSupport
import Testing

@Suite("A callback is a hint of which payment to read")
struct WebhookTests {
  private func inspect(_ body: String, headers: HTTPHeaders = [:]) throws -> WebhookInspection {
    try provider("").inspectWebhook(
      HTTPRequest(
        method: "POST", target: "/webhooks/seb", headers: headers, body: Array(body.utf8)))
  }

  // EGW, *Callback notifications*.
  private static let body =
    #"{"type":"PAYMENT","paymentId":"\#(paymentID)","paymentStatus":"SENT_FOR_PROCESSING"}"#
  private static let found = WebhookInspection.notice(
    WebhookNotice(
      providerPaymentID: paymentID, paymentReference: nil, matchedSecret: nil, topic: "PAYMENT"))

  @Test func `it names the payment, proves nothing and matched no secret`() throws {
    #expect(try inspect(Self.body) == Self.found)
    let request = HTTPRequest(
      method: "POST", target: "/webhooks/seb", headers: [:], body: Array(Self.body.utf8))
    let seb = try provider("")
    #expect(seb.webhookProof(request.body, of: paymentID) == nil)
  }

  @Test(arguments: ["CAPTURED", "FAILED", "", "NEW_WORD"])
  func `its status is not looked at`(status: String) throws {
    let body = Self.body.replacing("SENT_FOR_PROCESSING", with: status)
    #expect(try inspect(body) == Self.found)
  }

  @Test func `a reference or an amount in it is not looked at`() throws {
    let body =
      #"{"type":"PAYMENT","paymentId":"\#(paymentID)","orderNumber":"\#(ourPaymentID)","#
      + #""instructedAmount":{"amount":"1","currency":"EUR"},"paymentStatus":7}"#
    #expect(try inspect(body) == Self.found)
  }

  @Test func `a type that nobody knows causes a read all the same`() throws {
    let body = Self.body.replacing("\"PAYMENT\"", with: "\"REFUND\"")
    guard case .notice(let notice) = try inspect(body) else {
      Issue.record("no notice")
      return
    }
    #expect(notice.topic == "REFUND")
    #expect(!notice.isIgnored)
    #expect(!notice.isProof)
    let bare = #"{"paymentId":"\#(paymentID)"}"#
    guard case .notice = try inspect(bare) else {
      Issue.record("no notice")
      return
    }
  }

  @Test(arguments: [
    "", "{", "null", "[]", "{}", #"{"paymentId":null}"#, #"{"paymentId":7}"#, #"{"paymentId":""}"#,
    #"{"paymentId":"../x"}"#, #"{"paymentId":"a","paymentId":"b"}"#,
    #"{"payment":{"paymentId":"a"}}"#,
    #"{"paymentId":"\#(String(repeating: "a", count: 65))"}"#,
  ])
  func `a body that names no payment is malformed`(body: String) throws {
    guard case .malformed = try inspect(body) else {
      Issue.record("not malformed")
      return
    }
  }

  @Test(arguments: [(16_384, true), (16_385, false)])
  func `a body has at most 16 KiB`(size: Int, passes: Bool) throws {
    let body = Self.body + String(repeating: " ", count: size - Self.body.utf8.count)
    #expect(try (inspect(body) == Self.found) == passes)
  }
}

@Suite("FB-22 IP allow-list behind a proxy, and forged forwarding headers, at SEB")
struct SenderAddressTests {
  @Test(arguments: [
    "203.0.113.7", "203.0.113.7, 10.0.0.1", "::ffff:203.0.113.7", "127.0.0.1", "", "not an ip",
  ])
  func `who is said to have sent it changes nothing`(address: String) throws {
    let body = Array(#"{"type":"PAYMENT","paymentId":"\#(paymentID)"}"#.utf8)
    let seb = try provider("")
    let plain = seb.inspectWebhook(
      HTTPRequest(method: "POST", target: "/webhooks/seb", headers: [:], body: body))
    for name in ["X-Forwarded-For", "X-Real-IP", "Forwarded", "CF-Connecting-IP"] {
      let forwarded = seb.inspectWebhook(
        HTTPRequest(method: "POST", target: "/webhooks/seb", headers: [name: address], body: body))
      #expect(forwarded == plain)
    }
  }
}
