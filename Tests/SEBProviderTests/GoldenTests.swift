import HTTPExchange
import PaymentModels
import ProviderInterface
import SEBProvider
import TestSupport
import Testing

/// Bodies of every call, typed from the pages of the E-commerce Gateway (EGW) and of SEB. What
/// neither shows is assumed and says so.
private enum Golden {
  static let all = [
    createRequest, created, createdWithLinks, captured, partlyRefunded, operationRequest,
    cancelRequest, token, callback,
  ]

  static let createRequest = GoldenBody(
    "create, request", source: "EGW, Payments",
    #"""
    { "channel": "BROWSER",
      "orderNumber": "01936f5e-8a00-7000-8000-0000000000b1",
      "merchantReference": "01936f5e-8a00-7000-8000-0000000000a1",
      "participantId": "participant-1",
      "shopAgreementId": "shop-1",
      "shopRedirectUrl": "myapp://checkout/return",
      "instructedAmount": { "amount": "5768.20", "currency": "EUR" },
      "preferredLocale": "en",
      "customer": { "name": "Test Buyer", "email": "buyer@shop.example",
        "phone": { "cc": "372", "subscriber": "55500001" } } }
    """#)

  static let created = GoldenBody(
    "create, answer",
    source: "EGW, Payments, to instructedAmount; SEB, Hosted checkout: the last two",
    #"""
    { "createdAt": "2026-10-19T12:00:00.000Z", "environment": "SANDBOX",
      "orderNumber": "01936f5e-8a00-7000-8000-0000000000b1", "participantId": "participant-1",
      "paymentId": "d7f0c2a4-3b1e-4f6a-9c58-2e1b7a6d9f03", "paymentStatus": "INITIALIZED",
      "instructedAmount": { "amount": "5768.2", "currency": "EUR" },
      "verificationKey": "vk_9b2e71c4",
      "checkoutRedirect": "https://checkout.ecomm.tietoevry.com/p/9?x=%66" }
    """#)

  static let createdWithLinks = GoldenBody(
    "create, answer with links", source: "EGW: the older example's number, a session's links",
    #"""
    { "createdAt": "2026-10-19T12:00:00.000Z", "environment": "SANDBOX",
      "orderNumber": "01936f5e-8a00-7000-8000-0000000000b1", "participantId": "participant-1",
      "paymentId": "d7f0c2a4-3b1e-4f6a-9c58-2e1b7a6d9f03", "paymentStatus": "INITIALIZED",
      "instructedAmount": { "amount": 5877.78, "currency": "EUR" },
      "verificationKey": "vk_9b2e71c4",
      "_links": { "checkoutRedirect":
        { "href": "https://checkout.ecomm.tietoevry.com/p/9?x=%66" } } }
    """#)

  static let captured = GoldenBody(
    "read, answer", source: "EGW, Payments; assumed: the word",
    #"""
    { "createdAt": "2026-10-19T12:00:00.000Z", "environment": "SANDBOX",
      "orderNumber": "01936f5e-8a00-7000-8000-0000000000b1", "participantId": "participant-1",
      "paymentId": "d7f0c2a4-3b1e-4f6a-9c58-2e1b7a6d9f03", "paymentStatus": "CAPTURED",
      "instructedAmount": { "amount": "5768.2", "currency": "EUR" },
      "merchantReference": "01936f5e-8a00-7000-8000-0000000000a1" }
    """#)

  static let partlyRefunded = GoldenBody(
    "capture, cancel and refund, answer", source: "assumed",
    #"""
    { "paymentId": "d7f0c2a4-3b1e-4f6a-9c58-2e1b7a6d9f03", "paymentStatus": "CAPTURED",
      "instructedAmount": { "amount": "5768.2", "currency": "EUR" },
      "capturedAmount": { "amount": "5768.20", "currency": "EUR" },
      "refundedAmount": { "amount": "19.9", "currency": "EUR" } }
    """#)

  static let operationRequest = GoldenBody(
    "capture and refund, request", source: "EGW, Refunds",
    #"""
    { "paymentId": "d7f0c2a4-3b1e-4f6a-9c58-2e1b7a6d9f03",
      "instructedAmount": { "amount": "19.90", "currency": "EUR" } }
    """#)

  static let cancelRequest = GoldenBody(
    "cancel, request", source: "assumed",
    #"{ "paymentId": "d7f0c2a4-3b1e-4f6a-9c58-2e1b7a6d9f03" }"#)

  static let token = GoldenBody(
    "token, answer", source: "RFC 6749, section 5.1",
    #"""
    { "access_token": "2YotnFZFEjr1zCsicMWpAA", "token_type": "example", "expires_in": 3600,
      "refresh_token": "tGzv3JOkF0XG5Qx2TlKWIA", "example_parameter": "example_value" }
    """#)

  static let callback = GoldenBody(
    "callback", source: "EGW, Callback notifications",
    #"""
    { "type": "PAYMENT", "paymentId": "d7f0c2a4-3b1e-4f6a-9c58-2e1b7a6d9f03",
      "paymentStatus": "SENT_FOR_PROCESSING" }
    """#)
}

@Suite("Golden bodies of SEB")
struct GoldenTests {
  private func operation() throws -> ProviderOperation {
    ProviderOperation(
      providerPaymentID: paymentID, amount: try money("19.90"), reference: OperationID("op"))
  }

  private func sent(_ call: (SEBProvider) async throws -> some Sendable) async throws -> [UInt8] {
    let transport = answering(Golden.partlyRefunded.text)
    _ = try await call(try makeProvider(transport))
    return try #require(transport.calls.first).body
  }

  @Test(arguments: Golden.all)
  func `each is decoded and encoded again without loss`(body: GoldenBody) throws {
    #expect(try body.violations() == [])
  }

  @Test func `create, capture, refund and cancel send what the pages show`() async throws {
    let terms = makeTerms(total: try money("5768.20"))
    #expect(try Golden.createRequest.isSaid(by: provider("").prepareCreate(terms)))
    let operation = try operation()
    let capture = try await sent { try await $0.capture(operation) }
    #expect(try Golden.operationRequest.isSaid(by: capture))
    let refund = try await sent { try await $0.refund(operation) }
    #expect(try Golden.operationRequest.isSaid(by: refund))
    #expect(try Golden.cancelRequest.isSaid(by: try await sent { try await $0.close(paymentID) }))
  }

  @Test(arguments: [(Golden.created, "5768.20"), (Golden.createdWithLinks, "5877.78")])
  func `the answer to a create is read, with members that nobody knows too`(
    body: GoldenBody, amount: String
  ) async throws {
    for text in [body.text, try body.withUnknownMembers()] {
      let created = try await provider(text).create([0x7B], idempotencyKey: "k")
      #expect(created.checkoutURL == "https://checkout.ecomm.tietoevry.com/p/9?x=%66")
      #expect(created.verificationKey?.reveal() == "vk_9b2e71c4")
      #expect(created.reading.status == .created)
      #expect(created.reading.amount == (try money(amount)))
      #expect(created.reading.paymentReference == ourPaymentID.rawValue)
    }
  }

  @Test func `a payment is read, with members that nobody knows too`() async throws {
    for text in [Golden.captured.text, try Golden.captured.withUnknownMembers()] {
      let reading = try await provider(text).read(paymentID)
      #expect(reading.status == .captured)
      #expect(reading.items.map(\.amount.decimal) == ["5768.20"])
      #expect(reading.orderReference == ourOrderID.rawValue)
    }
    let refunded = try await provider(Golden.partlyRefunded.text).read(paymentID)
    #expect(refunded.items.map(\.kind) == [.capture, .refund])
    #expect(refunded.items.map(\.amount.decimal) == ["5768.20", "19.90"])
  }

  @Test func `a token of another type than Bearer is not used`() async throws {
    let transport = ClosureTransport { request in
      HTTPResponse(status: 200, body: Golden.token.bytes)
    }
    let seb = try makeProvider(transport)
    #expect(await failure { try await seb.read(paymentID) }?.kind == .notSent)
    #expect(transport.sent.count == 1)
  }

  @Test func `a callback leads to the payment and proves nothing`() throws {
    let found = try provider("").inspectWebhook(
      HTTPRequest(method: "POST", target: "/webhooks/seb", body: Golden.callback.bytes))
    guard case .notice(let notice) = found else {
      Issue.record("\(found)")
      return
    }
    #expect(notice.providerPaymentID == paymentID)
    #expect(!notice.isProof)
  }
}
