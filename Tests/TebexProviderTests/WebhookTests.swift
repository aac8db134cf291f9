import HTTPExchange
import PaymentModels
import ProviderInterface
import TebexProvider
import TestSupport
import Testing

private func inspect(
  _ request: HTTPRequest, _ change: (inout TebexSettings) -> Void = { _ in }
) throws -> WebhookInspection {
  try makeProvider(answering(""), change).inspectWebhook(request)
}

private func isUnauthentic(_ inspection: WebhookInspection) -> Bool {
  if case .unauthentic(let reason) = inspection { !reason.contains("secret_") } else { false }
}

private func isMalformed(_ inspection: WebhookInspection) -> Bool {
  if case .malformed = inspection { true } else { false }
}

private func notice(_ inspection: WebhookInspection) -> WebhookNotice? {
  if case .notice(let notice) = inspection { notice } else { nil }
}

/// Bodies and signatures that were computed beside the kit, with the secret `test_webhook_secret`.
@Suite("X-Signature is HMAC-SHA256 over the hexadecimal SHA-256 of the raw body")
struct SignatureVectorTests {
  private static let validation = Array(
    (#"{"id":"2c116b11-1110-91e0-b266-b792c8da5f11","type":"validation.webhook","#
      + #""date":"2021-08-24T12:21:47+00:00","subject":{}}"#).utf8)
  private static let completed = Array(
    (#"{"id":"2f1c0a7e-6a0b-4d0e-9a55-0d6a5f3c9b11","type":"payment.completed","#
      + #""date":"2026-11-30T10:00:00+00:00","subject":{"transaction_id":"#
      + #""tbx-000000000000a1-b2c3d4","status":{"id":1,"description":"Complete"},"#
      + #""price":{"amount":5.35,"currency":"USD"},"custom":{"order":"1042"}}}"#).utf8)

  @Test func `the handshake is answered with its id`() throws {
    #expect(Self.validation.count == 121)
    #expect(
      try inspect(
        request(
          Self.validation, "2e9adfb8fe3556601789a37078f88e55455ee601957ee677b480148e25381e22"))
        == .handshake(answer: Array(#"{"id":"2c116b11-1110-91e0-b266-b792c8da5f11"}"#.utf8)))
  }

  @Test func `a payment's signature fits`() throws {
    #expect(Self.completed.count == 274)
    let found = try inspect(
      request(Self.completed, "66d83e65b610ba211f6e7dc15af0eecf8b44bf747e1fc4d184069ef651652b4b"))
    #expect(notice(found)?.topic == "payment.completed")
    #expect(notice(found)?.eventID == "2f1c0a7e-6a0b-4d0e-9a55-0d6a5f3c9b11")
    // It carries another shop's reference, so it is none of our payments.
    #expect(notice(found)?.isIgnored == true)
  }

  @Test(arguments: [
    // HMAC over the raw body.
    "d1f07078583030e990c0332bc25445dff63b62ebe67f39b6e9e93b62c4d80c60",
    // HMAC over the 32 bytes of the digest.
    "8cabc21daf7bb2ae8039e304656d9f113188698fe60be555b42a44c9cdc6d8a7",
    // The right one in upper case, cut, and longer.
    "66D83E65B610BA211F6E7DC15AF0EECF8B44BF747E1FC4D184069EF651652B4B",
    "66d83e65b610ba211f6e7dc15af0eecf8b44bf747e1fc4d184069ef651652b4",
    "66d83e65b610ba211f6e7dc15af0eecf8b44bf747e1fc4d184069ef651652b4b0", "",
  ])
  func `every other signature is refused`(signature: String) throws {
    #expect(isUnauthentic(try inspect(request(Self.completed, signature))))
  }
}

@Suite("FB-06 Signature fails because the body was parsed and written again, at Tebex")
struct RawBytesTests {
  private static let body = Array(
    (#"{"id":"e1","type":"payment.completed","date":"2026-11-30T10:00:00+00:00","subject":"#
      + #"{"price":{"amount":1.0},"url":"https:\/\/shop.example\/p\/1","title":"Caf\u00e9"}}"#
      + "\n").utf8)

  private func isTaken(_ body: [UInt8]) throws -> Bool {
    var changed = signed(Self.body)
    changed.body = body
    return notice(try inspect(changed)) != nil
  }

  @Test func `the bytes that were signed are what counts`() throws {
    #expect(try isTaken(Self.body))
    let text = String(decoding: Self.body, as: UTF8.self)
    for (old, new) in [("\n", ""), (#"\/"#, "/"), (#"\u00e9"#, "é"), ("1.0}", "1}")] {
      #expect(!(try isTaken(Array(text.replacing(old, with: new).utf8))))
    }
  }

  @Test func `a body that is no text is verified first and then malformed`() throws {
    for body: [UInt8] in [[0xFF, 0xFE], [0xEF, 0xBB, 0xBF, 0x7B, 0x7D], Array("{".utf8), []] {
      #expect(isMalformed(try inspect(signed(body))))
      #expect(isUnauthentic(try inspect(signed(body, secret: "another"))))
    }
  }
}

@Suite("FB-08 Several signatures in one header while secrets rotate, at Tebex")
struct RotationTests {
  @Test func `either secret fits, and the log learns which`() throws {
    let secrets = [Secret("new_secret_0001"), Secret("old_secret_0002")]
    for (index, secret) in ["new_secret_0001", "old_secret_0002"].enumerated() {
      let found = try inspect(delivery("payment.completed", secret: secret)) {
        $0.webhookSecrets = secrets
      }
      #expect(notice(found)?.matchedSecret == index)
    }
    let other = try inspect(delivery("payment.completed", secret: "third")) {
      $0.webhookSecrets = secrets
    }
    #expect(isUnauthentic(other))
  }

  @Test func `no header, or two, are refused`() throws {
    var without = delivery("payment.completed")
    without.headers = [:]
    #expect(isUnauthentic(try inspect(without)))
    var twice = delivery("payment.completed")
    twice.headers.add("x-signature", "0")
    #expect(isUnauthentic(try inspect(twice)))
  }

  @Test func `a store without a secret takes no delivery, not even the handshake`() throws {
    for type in ["payment.completed", "validation.webhook"] {
      #expect(isUnauthentic(try inspect(delivery(type, secret: "")) { $0.webhookSecrets = [] }))
    }
  }
}

@Suite("An event is proof, a reason to read, or nothing of ours")
struct TopicTests {
  @Test(arguments: [
    "payment.completed", "payment.refunded", "payment.dispute.opened", "payment.dispute.won",
    "payment.dispute.lost", "payment.dispute.closed",
  ])
  func `what is said of money is proof`(type: String) throws {
    #expect(
      try inspect(delivery(type))
        == .notice(
          WebhookNotice(
            providerPaymentID: nil, paymentReference: ourPaymentID.rawValue, matchedSecret: 0,
            eventID: "2f1c0a7e-6a0b-4d0e", topic: type, isProof: true)))
  }

  @Test func `a declined try causes a read and proves nothing`() throws {
    let request = delivery(
      "payment.declined", paymentJSON(status: #"{"id":18,"description":"Declined"}"#))
    #expect(
      try inspect(request)
        == .notice(
          WebhookNotice(
            providerPaymentID: nil, paymentReference: ourPaymentID.rawValue, matchedSecret: 0,
            eventID: "2f1c0a7e-6a0b-4d0e", topic: "payment.declined")))
    #expect(try makeProvider().webhookProof(request.body, of: ident) == nil)
  }

  @Test(arguments: [
    "recurring-payment.started", "recurring-payment.renewed", "recurring-payment.ended",
    "recurring-payment.status-changed", "recurring-payment.cancellation.requested",
    "recurring-payment.cancellation.aborted", "basket.abandoned", "basket.authenticated",
    "payment.dispute.reopened", "payment.", "something.new",
  ])
  func `recurring payments, baskets and what nobody knows are stored and left alone`(
    type: String
  ) throws {
    let request = delivery(type)
    #expect(
      try inspect(request)
        == .notice(
          WebhookNotice(
            providerPaymentID: nil, paymentReference: nil, matchedSecret: 0,
            eventID: "2f1c0a7e-6a0b-4d0e", topic: type, isIgnored: true)))
    #expect(try makeProvider().webhookProof(request.body, of: ident) == nil)
  }

  @Test(arguments: [
    "null", "[]", "{}", #"{"order":"1042"}"#,
    customJSON().replacing(ourPaymentID.rawValue, with: "1 OR 1=1"),
  ])
  func `a sale of the store that is not ours is left alone`(custom: String) throws {
    let found = notice(try inspect(delivery("payment.completed", paymentJSON(custom: custom))))
    #expect(found?.isIgnored == true)
    #expect(found?.isProof == false)
    #expect(found?.paymentReference == nil)
  }

  @Test func `an empty subject may be an array`() throws {
    #expect(notice(try inspect(delivery("payment.completed", "[]")))?.isIgnored == true)
  }

  @Test(arguments: [
    "", "{", "null", "[]", "{}", #"{"id":"a"}"#, #"{"type":"payment.completed"}"#,
    #"{"id":7,"type":"payment.completed"}"#, #"{"id":"","type":"payment.completed"}"#,
    #"{"id":"a","id":"b","type":"payment.completed"}"#,
  ])
  func `a signed body without id and type is malformed`(body: String) throws {
    #expect(isMalformed(try inspect(signed(Array(body.utf8)))))
  }

  @Test func `a body is bounded`() throws {
    let limit = 256 << 10
    for (bytes, isTaken) in [(limit - 1, true), (limit, true), (limit + 1, false)] {
      let head = #"{"id":"a","type":"basket.abandoned","subject":""#
      let padding = String(repeating: "x", count: bytes - head.utf8.count - 2)
      let found = try inspect(signed(Array("\(head)\(padding)\"}".utf8)))
      #expect((notice(found) != nil) == isTaken)
    }
  }
}

@Suite("What a signed event proves")
struct WebhookProofTests {
  private func proof(
    _ type: String, _ payment: String = paymentJSON(), date: String = "2026-11-30T10:00:00+00:00"
  ) throws -> WebhookProof? {
    try makeProvider().webhookProof(delivery(type, payment, date: date).body, of: ident)
  }

  @Test(arguments: ["payment.refunded", "payment.dispute.lost"])
  func `an event of money going back in a payment that is complete is for a person`(
    type: String
  ) throws {
    let proof = try #require(try proof(type))
    #expect(proof.reading.contradiction != nil)
    #expect(proof.reading.items.map(\.kind) == [.capture])
    #expect(try self.proof("payment.completed")?.reading.contradiction == nil)
  }

  @Test func `a completed payment: captured, its transaction, its method, its time`() throws {
    let proof = try #require(try proof("payment.completed", paymentJSON(method: "PayPal")))
    #expect(proof.reading.status == .captured)
    #expect(proof.reading.amount == (try money("1.27")))
    #expect(proof.reading.paymentReference == ourPaymentID.rawValue)
    #expect(proof.reading.orderReference == ourOrderID.rawValue)
    #expect(proof.reading.transactionID == transactionID)
    #expect(proof.reading.mode == .live)
    #expect(proof.reading.dispute == nil)
    #expect(proof.occurredAt == Instant(iso8601: "2026-11-30T10:00:00Z"))
    #expect(proof.supplementsRead)
  }

  @Test(
    arguments: [
      ("opened", 3, DisputeStanding.opened, ["1.27"]), ("opened", 1, .opened, []),
      ("lost", 3, .lost, ["1.27"]), ("closed", 3, .closed, ["1.27"]),
      ("won", 1, .won, ["0.00"]), ("closed", 1, .closed, ["0.00"]),
    ] as [(String, Int, DisputeStanding, [String])])
  func `a dispute: where it stands, and by the status where the money is`(
    word: String, status: Int, standing: DisputeStanding, taken: [String]
  ) throws {
    let payment = paymentJSON(status: #"{"id":\#(status),"description":"x"}"#)
    let reading = try #require(try proof("payment.dispute.\(word)", payment)).reading
    #expect(reading.status == .captured)
    #expect(reading.dispute == standing)
    #expect(reading.items.filter { $0.kind == .chargeback }.map(\.amount.decimal) == taken)
    #expect(reading.items.filter { $0.kind == .capture }.map(\.amount.decimal) == ["1.27"])
  }

  @Test func `a date that cannot be read is none`() throws {
    #expect(try proof("payment.completed", date: "yesterday")?.occurredAt == nil)
  }

  @Test(arguments: [
    paymentJSON(id: ""), paymentJSON(id: "a/b"), paymentJSON(status: "null"),
    paymentJSON(price: #"{"amount":"1e3","currency":"USD"}"#),
    paymentJSON(price: #"{"amount":1.27,"currency":"XXQ"}"#), "[]", "{}",
  ])
  func `a payment that cannot be read proves nothing`(payment: String) throws {
    #expect(try proof("payment.refunded", payment) == nil)
  }

  @Test func `a reason for a decline may be a text or an object`() throws {
    let drifted = paymentJSON()
      .replacing(#""decline_reason":null"#, with: #""decline_reason":{"code":"x","message":"y"}"#)
      .replacing(
        #""username":null},"products""#, with: #""username":{"id":1,"username":"x"}},"products""#)
    #expect(try proof("payment.completed", drifted)?.reading == proof("payment.completed")?.reading)
  }
}
