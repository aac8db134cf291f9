import CheckoutLifecycle
import CheckoutSession
import HTTPExchange
import MerchantAPI
import MerchantClient
import PaymentModels
import StrictJSON
import TestSupport
import Testing

private let paymentID = PaymentID("0199cccc-0000-7000-8000-000000000001")
private let key = CheckoutKey("0199aaaa-0000-7000-8000-000000000001")
private let mug = CheckoutRequest(
  provider: .tabby, purchase: .items([CheckoutRequest.Item(productID: "mug", quantity: 2)]))

private func view() throws -> PaymentView {
  PaymentView(
    paymentID: paymentID, orderID: OrderID("0199bbbb-0000-7000-8000-000000000001"), attempt: 1,
    provider: .tabby, providerPaymentID: ProviderPaymentID("pay_A1"), state: .known(.created),
    orderState: .pending,
    amount: Money(minorUnits: 9_900, currency: try #require(Currency(code: "AED", exponent: 2))),
    captured: 0, refunded: 0, checkoutURL: "https://checkout.example/A1",
    returnURLs: ReturnURLs(
      success: "myapp://pay/success", cancel: "myapp://pay/cancel",
      failure: "myapp://pay/failure"),
    rejectionReason: nil, expiresAt: nil, isFresh: true, version: 7,
    verificationKey: Secret("vk-1"))
}

private func client(
  token: Secret? = Secret("app-token"), _ transport: ClosureTransport
) -> MerchantClient {
  MerchantClient(baseURL: "https://shop.example", transport: transport, token: { token })
}

private func transport(
  _ status: Int, _ body: [UInt8] = [], _ headers: HTTPHeaders = [:]
) -> ClosureTransport {
  ClosureTransport { _ in HTTPResponse(status: status, headers: headers, body: body) }
}

@Suite("MerchantClient")
struct MerchantClientTests {
  @Test(arguments: [201, 202, 200])
  func `a create is sent with token, key and body`(status: Int) async throws {
    let transport = transport(status, try view().json.serialized())
    let answer = try await client(transport).createCheckout(mug, key: key)
    #expect(answer.payment.paymentID == paymentID)
    #expect(answer.payment.checkoutURL == "https://checkout.example/A1")
    #expect(answer.payment.verificationKey == Secret("vk-1"))
    #expect(answer.status == .created)
    #expect(answer.version == 7)
    let sent = try #require(transport.sent.first)
    #expect(sent.method == "POST")
    #expect(sent.url == "https://shop.example/v1/checkouts")
    #expect(sent.headers["Authorization"] == "Bearer app-token")
    #expect(sent.headers["Idempotency-Key"] == key.rawValue)
    #expect(sent.headers["Content-Type"] == "application/json")
    let body = try CheckoutBody(json: try JSONValue(parsing: sent.body))
    #expect(body.provider == .tabby)
    #expect(body.purchase == .items([CheckoutBody.Item(productID: "mug", quantity: 2)]))
  }

  @Test func `a repeat sends the same bytes`() async throws {
    let transport = transport(201, try view().json.serialized())
    for _ in 0..<2 { _ = try await client(transport).createCheckout(mug, key: key) }
    #expect(transport.sent[0] == transport.sent[1])
  }

  @Test func `another try at an order names the order`() async throws {
    let transport = transport(201, try view().json.serialized())
    let order = OrderID("0199bbbb-0000-7000-8000-000000000001")
    let request = CheckoutRequest(provider: .tabby, purchase: .order(order))
    _ = try await client(transport).createCheckout(request, key: key)
    let body = try CheckoutBody(json: try JSONValue(parsing: transport.sent[0].body))
    #expect(body.purchase == .order(order))
  }

  @Test(
    arguments: [
      (Duration.zero, nil, "", nil), (.seconds(25), 7, "?wait=25", "\"7\""),
      (.milliseconds(1_900), 0, "?wait=1", "\"0\""), (.milliseconds(900), nil, "", nil),
    ] as [(Duration, Int64?, String, String?)])
  func `a read asks to be held, and its deadline is longer`(
    wait: Duration, known: Int64?, query: String, tag: String?
  ) async throws {
    let transport = transport(200, try view().json.serialized())
    let answer = try await client(transport).readPayment(
      paymentID, wait: wait, knownVersion: known)
    #expect(answer?.version == 7)
    let sent = transport.sent[0]
    #expect(sent.method == "GET")
    #expect(sent.url == "https://shop.example/v1/payments/\(paymentID)" + query)
    #expect(sent.headers["If-None-Match"] == tag)
    #expect(sent.deadline > wait)
  }

  @Test func `unchanged is no new answer, and without a version it is unreadable`() async throws {
    let client = client(transport(304))
    #expect(
      try await client.readPayment(paymentID, wait: .seconds(25), knownVersion: 7) == nil)
    let error = await #expect(throws: BackendError.self) {
      try await client.readPayment(paymentID, wait: .zero, knownVersion: nil)
    }
    #expect(error?.kind == .retryLater(after: nil))
  }

  @Test(
    arguments: [
      (CheckoutSignal.opened, "opened"), (.returned(.success), "returned_success"),
      (.returned(.cancel), "returned_cancel"), (.returned(.failure), "returned_failure"),
      (.closed, "closed"), (.wentOutside, "went_outside"),
      (.pageFinal, "page_final"), (.foregrounded, "foreground"),
      (.relaunched, "relaunched"),
    ])
  func `signals go to the payment's journal`(signal: CheckoutSignal, word: String) async throws {
    let transport = transport(202)
    try await client(transport).sendSignal(signal, for: paymentID)
    let sent = transport.sent[0]
    #expect(sent.method == "POST")
    #expect(sent.url == "https://shop.example/v1/payments/\(paymentID)/signals")
    #expect(try JSONValue(parsing: sent.body)["signal"]?.text == word)
  }

  @Test(
    arguments: [
      (401, nil, .signInNeeded), (408, nil, .retryLater(after: nil)),
      (403, nil, .retryLater(after: nil)), (404, nil, .retryLater(after: nil)),
      (407, "9", .retryLater(after: .seconds(9))), (451, nil, .retryLater(after: nil)),
      (425, nil, .retryLater(after: nil)), (429, "7", .retryLater(after: .seconds(7))),
      (503, "1", .retryLater(after: .seconds(1))), (500, nil, .retryLater(after: nil)),
      (502, "soon", .retryLater(after: nil)), (503, "-1", .retryLater(after: nil)),
      (503, "999999999", .retryLater(after: .seconds(86_400))),
      (503, "99999999999999999999", .retryLater(after: nil)),
      (302, nil, .retryLater(after: nil)),
    ] as [(Int, String?, BackendError.Kind)])
  func `errors say what to do next`(
    status: Int, retryAfter: String?, kind: BackendError.Kind
  ) async throws {
    let headers: HTTPHeaders = retryAfter.map { ["Retry-After": $0] } ?? [:]
    let client = client(transport(status, Array("<html>Bad".utf8), headers))
    let create = await #expect(throws: BackendError.self) {
      try await client.createCheckout(mug, key: key)
    }
    let read = await #expect(throws: BackendError.self) {
      try await client.readPayment(paymentID, wait: .zero, knownVersion: nil)
    }
    let signal = await #expect(throws: BackendError.self) {
      try await client.sendSignal(.closed, for: paymentID)
    }
    #expect([create?.kind, read?.kind, signal?.kind] == [kind, kind, kind])
    #expect(create?.reason == "status \(status)")
  }

  @Test func `an order that is being paid elsewhere is told apart from a refusal`() async throws {
    let problem = Problem(.beingPaid, "The order is being paid.")
    let request = CheckoutRequest(
      provider: .tabby,
      purchase: .edited(
        OrderID("0199bbbb-0000-7000-8000-000000000001"),
        [CheckoutRequest.Item(productID: "mug", quantity: 2)]))
    let transport = transport(409, problem.response.body)
    let error = await #expect(throws: BackendError.self) {
      try await client(transport).createCheckout(request, key: key)
    }
    #expect(error == BackendError(.beingPaid, reason: "being_paid"))
    let body = try CheckoutBody(json: JSONValue(parsing: transport.sent[0].body))
    #expect(
      body.purchase
        == .edited(
          OrderID("0199bbbb-0000-7000-8000-000000000001"),
          [CheckoutBody.Item(productID: "mug", quantity: 2)]))
  }

  @Test func `a token that has run out is a reason to sign in, whatever was asked`() async throws {
    let client = client(transport(401, Problem(.tokenExpired, "Sign in again.").response.body))
    let error = BackendError(.signInNeeded, reason: "token_expired")
    let create = await #expect(throws: BackendError.self) {
      try await client.createCheckout(mug, key: key)
    }
    let read = await #expect(throws: BackendError.self) {
      try await client.readPayment(paymentID, wait: .zero, knownVersion: nil)
    }
    #expect(create == error)
    #expect(read == error)
  }

  @Test(
    arguments: [
      Problem.Code.malformedRequest, .forbidden, .methodNotAllowed, .idempotencyMismatch,
      .conflict, .tooLarge, .unsupportedMediaType, .invalidBody, .providerRefused, .providerPaused,
    ])
  func `the server's own word alone refuses, and names the refusal`(
    code: Problem.Code
  ) async throws {
    let problem = Problem(code, "In words.")
    let error = await #expect(throws: BackendError.self) {
      try await client(transport(code.status, problem.response.body)).createCheckout(mug, key: key)
    }
    #expect(error == BackendError(.giveUp, reason: code.rawValue))
  }

  @Test func `only the server's own word says that it knows no such payment`() async throws {
    let problem = Problem(.notFound, "There is no such payment.").response.body
    for (body, kind) in [
      (problem, BackendError.Kind.notFound), (Array("<html>".utf8), .retryLater(after: nil)),
    ] {
      let error = await #expect(throws: BackendError.self) {
        try await client(transport(404, body)).readPayment(paymentID, wait: .zero, knownVersion: 1)
      }
      #expect(error?.kind == kind)
    }
  }

  @Test(arguments: [HTTPTransportError.Kind.notSent, .unknown])
  func `no answer at all means: send the same again`(kind: HTTPTransportError.Kind) async throws {
    let transport = ClosureTransport { _ throws(HTTPTransportError) in
      throw HTTPTransportError(kind, reason: "connection reset")
    }
    let error = await #expect(throws: BackendError.self) {
      try await client(transport).createCheckout(mug, key: key)
    }
    #expect(error == BackendError(.retryLater(after: nil), reason: "connection reset"))
  }

  @Test(arguments: ["", "{", "<html>", "{}", "null"])
  func `a cut or strange body is no answer`(body: String) async throws {
    let client = client(transport(201, Array(body.utf8)))
    let error = await #expect(throws: BackendError.self) {
      try await client.createCheckout(mug, key: key)
    }
    #expect(error == BackendError(.retryLater(after: nil), reason: "unreadable answer"))
  }

  @Test(arguments: ["javascript:alert(1)", "myapp://x", "/checkout", "file:///etc/passwd"])
  func `what is no web page never reaches a browser`(url: String) async throws {
    var strange = try view()
    strange.checkoutURL = url
    let client = client(transport(201, strange.json.serialized()))
    await #expect(throws: BackendError.self) { try await client.createCheckout(mug, key: key) }
  }

  @Test func `an answer about another payment is no answer`() async throws {
    let client = client(transport(200, try view().json.serialized()))
    let other = PaymentID("0199cccc-0000-7000-8000-0000000000ee")
    await #expect(throws: BackendError.self) {
      try await client.readPayment(other, wait: .zero, knownVersion: nil)
    }
  }

  @Test func `without a token nothing is sent`() async throws {
    let transport = transport(200)
    let error = await #expect(throws: BackendError.self) {
      try await client(token: nil, transport).createCheckout(mug, key: key)
    }
    #expect(error?.kind == .signInNeeded)
    #expect(transport.sent.isEmpty)
  }
}
