import HTTPExchange
import PaymentModels
import ProviderInterface
import SEBProvider
import TestSupport
import Testing

private func operation(_ decimal: String = "19.90") throws -> ProviderOperation {
  ProviderOperation(
    providerPaymentID: paymentID, amount: try money(decimal), reference: OperationID("op"),
    reason: "damaged")
}

@Suite("Each call sends one exact request")
struct CallTests {
  private func sent(
    _ call: (SEBProvider) async throws -> some Sendable,
    _ change: (inout SEBSettings) -> Void = { _ in }
  ) async throws -> HTTPOutgoing {
    let transport = answering(paymentJSON())
    _ = try await call(try makeProvider(transport, change))
    #expect(transport.calls.count == 1)
    return try #require(transport.calls.first)
  }

  private func body(_ request: HTTPOutgoing) -> String {
    String(decoding: request.body, as: UTF8.self)
  }

  @Test func `a create posts the stored bytes, each time under an id of its own`() async throws {
    let bytes = Array("{\"stored\" : 1}".utf8)
    let transport = answering(paymentJSON())
    let seb = try makeProvider(transport)
    for _ in 0..<3 { _ = try await seb.create(bytes, idempotencyKey: "o1.1.c") }
    let ids = transport.calls.compactMap { $0.headers["X-Request-Id"] }
    #expect(ids.count == 3 && Set(ids).count == 3)
    #expect(ids.allSatisfy(isCanonicalUUID))
    #expect(
      transport.calls[0]
        == HTTPOutgoing(
          method: "POST", url: "\(apiBase)/egw/v1/payments/cit",
          headers: [
            "Authorization": "Bearer \(accessToken)", "X-Request-Id": ids[0],
            "Accept": "application/json", "Content-Type": "application/json",
          ], body: bytes))
    #expect(transport.calls.allSatisfy { $0.body == bytes })
  }

  @Test func `a read has no body and no content type`() async throws {
    let request = try await sent({ try await $0.read(paymentID) })
    #expect(request.method == "GET")
    #expect(request.url == "\(apiBase)/egw/v1/payments/\(paymentID)")
    #expect(request.body.isEmpty)
    #expect(request.headers["Content-Type"] == nil)
  }

  @Test func `where payments are is a setting`() async throws {
    let request = try await sent({ try await $0.read(paymentID) }) {
      $0.baseURL = "http://127.0.0.1:4010/seb"
      $0.paymentsPath = "/egw/v2/payments"
    }
    #expect(request.url == "http://127.0.0.1:4010/seb/egw/v2/payments/\(paymentID)")
  }

  // EGW, *Refunds*: `{paymentId, instructedAmount{amount,currency}}`.
  @Test func `capture and refund send the payment and the amount as decimal text`() async throws {
    let expected =
      #"{"paymentId":"\#(paymentID)","instructedAmount":{"amount":"19.90","currency":"EUR"}}"#
    let refund = try await sent({ try await $0.refund(try operation()) })
    #expect(refund.url == "\(apiBase)/egw/v1/refunds")
    #expect(refund.method == "POST")
    #expect(body(refund) == expected)
    let capture = try await sent({ try await $0.capture(try operation()) })
    #expect(capture.url == "\(apiBase)/egw/v1/payments/\(paymentID)/capture")
    #expect(body(capture) == expected)
    let close = try await sent({ try await $0.close(paymentID) })
    #expect(close.url == "\(apiBase)/egw/v1/payments/\(paymentID)/cancel")
    #expect(body(close) == #"{"paymentId":"\#(paymentID)"}"#)
  }

  @Test func `the paths of operations are settings`() async throws {
    func change(_ settings: inout SEBSettings) {
      settings.operations = SEBOperations()
      settings.operations?.capturePath = "/x/captures"
      settings.operations?.cancelPath = "/x/{paymentId}/void"
      settings.operations?.refundPath = "/x/{paymentId}/refunds"
    }
    #expect(
      try await sent({ try await $0.capture(try operation()) }, change).url
        == "\(apiBase)/x/captures")
    #expect(
      try await sent({ try await $0.close(paymentID) }, change).url
        == "\(apiBase)/x/\(paymentID)/void")
    #expect(
      try await sent({ try await $0.refund(try operation()) }, change).url
        == "\(apiBase)/x/\(paymentID)/refunds")
  }

  @Test func `a live account sends no operation until its path is set`() async throws {
    let transport = answering(paymentJSON())
    let seb = try makeProvider(transport, mode: .live, liveSettings)
    let errors = [
      await failure { try await seb.capture(try operation()) },
      await failure { try await seb.refund(try operation()) },
      await failure { try await seb.close(paymentID) },
    ]
    #expect(errors.allSatisfy { $0?.kind == .refused && $0?.code == "not_configured" })
    #expect(transport.sent.isEmpty)
    #expect(seb.capabilities.refund == .none)
    #expect(seb.capabilities.close == .none)
    let set = try makeProvider(transport, mode: .live) {
      liveSettings(&$0)
      $0.operations = .assumed
    }
    _ = try await set.close(paymentID)
    #expect(
      transport.calls.map(\.url) == ["https://api.example/egw/v1/payments/\(paymentID)/cancel"])
  }

  @Test func `an account whose money is taken at once captures nothing`() async throws {
    let transport = answering(paymentJSON())
    let seb = try makeProvider(transport) { $0.capture = .automatic }
    let error = await failure { try await seb.capture(try operation()) }
    #expect(error?.kind == .refused)
    #expect(error?.code == "not_offered")
    #expect(transport.sent.isEmpty)
  }

  @Test(arguments: [
    "", "..", "/../", "a/b", "a?b", "a#b", "a b", "a%2fb", "pay_é",
    String(repeating: "a", count: 65),
  ])
  func `an id that could lead elsewhere never becomes a path`(id: String) async throws {
    let transport = answering(paymentJSON())
    let seb = try makeProvider(transport)
    let odd = ProviderPaymentID(id)
    let amount = try money("1")
    let request = ProviderOperation(
      providerPaymentID: odd, amount: amount, reference: OperationID("op"))
    #expect(await failure { try await seb.read(odd) }?.kind == .refused)
    #expect(await failure { try await seb.close(odd) }?.kind == .refused)
    #expect(await failure { try await seb.refund(request) }?.kind == .refused)
    #expect(transport.sent.isEmpty)
  }

  @Test func `an operation's answer that is not the payment is unknown, never done`() async throws {
    for body in ["{}", #"{"refundId":"r-1","status":"ACCEPTED"}"#, "[]"] {
      #expect(
        await failure { try await provider(body).refund(try operation()) }?.kind == .unknown)
    }
    let other = paymentJSON(id: "another-payment")
    #expect(await failure { try await provider(other).refund(try operation()) }?.kind == .unknown)
  }

  @Test(arguments: ["0", "1000000000000"])
  func `an amount that cannot be is refused before anything is sent`(decimal: String) async throws {
    let transport = answering(paymentJSON())
    let seb = try makeProvider(transport)
    #expect(await failure { try await seb.refund(try operation(decimal)) }?.kind == .refused)
    #expect(transport.sent.isEmpty)
  }

  @Test func `it says what it can do`() throws {
    let seb = try provider("")
    #expect(seb.name == .seb)
    #expect(seb.mode == .test)
    #expect(try provider("") { $0.capture = nil }.capabilities.capture == .automatic)
    let capabilities = seb.capabilities
    #expect(!capabilities.createHasIdempotencyKey)
    #expect(capabilities.webhook == .unsigned)
    #expect(capabilities.capture == .separate)
    #expect(capabilities.close == .authorized)
    #expect(capabilities.refund == .full)
    #expect(!capabilities.operationsCarryReference)
    #expect(capabilities.currencies == ["EUR"])
    let changed = try provider("") {
      $0.operations = .assumed
      $0.operations?.allowsPartialRefunds = true
    }.capabilities
    #expect(changed.refund == .partial)
    #expect(
      Array(capabilities.readSchedule.prefix(6)) == [2, 5, 15, 30, 60, 120].map(Duration.seconds))
    #expect(capabilities.readSchedule.last == .seconds(3_600))
  }
}
