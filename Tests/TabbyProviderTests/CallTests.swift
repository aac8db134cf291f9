import HTTPExchange
import PaymentModels
import ProviderInterface
import TabbyProvider
import TestSupport
import Testing

@Suite("Each call sends one exact request")
struct CallTests {
  private let api = "https://api.tabby.ai"
  private let payments = "https://api.tabby.ai/api/v2/payments/\(paymentID)"
  private let readHeaders: HTTPHeaders = [
    "Authorization": "Bearer \(testKey)", "Accept": "application/json",
  ]
  private let writeHeaders: HTTPHeaders = [
    "Authorization": "Bearer \(testKey)", "Accept": "application/json",
    "Content-Type": "application/json",
  ]

  private func sent(
    _ answer: String = paymentJSON(), region: TabbyRegion = .emiratesAndKuwait,
    _ call: (TabbyProvider) async throws -> some Sendable
  ) async throws -> [HTTPOutgoing] {
    let transport = answering(answer)
    _ = try await call(try makeProvider(transport, region: region))
    return transport.sent
  }

  @Test func `a create posts the stored bytes as they are`() async throws {
    let bytes = Array("{\"stored\" : 1}".utf8)
    let requests = try await sent(Sessions.created) {
      try await $0.create(bytes, idempotencyKey: "unused")
    }
    #expect(
      requests == [
        HTTPOutgoing(
          method: "POST", url: "\(api)/api/v2/checkout", headers: writeHeaders, body: bytes)
      ])
  }

  @Test func `a read has no body and no content type`() async throws {
    let requests = try await sent { try await $0.read(paymentID) }
    #expect(requests == [HTTPOutgoing(method: "GET", url: payments, headers: readHeaders)])
  }

  @Test func `a Saudi account asks the Saudi host`() async throws {
    let requests = try await sent(region: .saudiArabia) { try await $0.read(paymentID) }
    #expect(requests.map(\.url) == ["https://api.tabby.sa/api/v2/payments/\(paymentID)"])
  }

  @Test func `a capture sends amount and reference, and no reason`() async throws {
    let operation = ProviderOperation(
      providerPaymentID: paymentID, amount: try money("140.00"), reference: OperationID("op-1"),
      reason: "automatic capture")
    let requests = try await sent { try await $0.capture(operation) }
    #expect(
      requests == [
        HTTPOutgoing(
          method: "POST", url: "\(payments)/captures", headers: writeHeaders,
          body: Array(#"{"amount":"140.00","reference_id":"op-1"}"#.utf8))
      ])
  }

  @Test func `a refund sends its reason too`() async throws {
    let operation = ProviderOperation(
      providerPaymentID: paymentID, amount: try money("5.500", "KWD"),
      reference: OperationID("op-2"), reason: "size \"M\"")
    let requests = try await sent { try await $0.refund(operation) }
    #expect(
      requests == [
        HTTPOutgoing(
          method: "POST", url: "\(payments)/refunds", headers: writeHeaders,
          body: Array(
            #"{"amount":"5.500","reference_id":"op-2","reason":"size \"M\""}"#.utf8))
      ])
  }

  @Test func `a close has no body`() async throws {
    let requests = try await sent { try await $0.close(paymentID) }
    #expect(
      requests == [HTTPOutgoing(method: "POST", url: "\(payments)/close", headers: readHeaders)])
  }

  @Test func `an update sends the order reference alone`() async throws {
    let requests = try await sent {
      try await $0.updateOrderReference(of: paymentID, to: ourOrderID)
    }
    #expect(
      requests == [
        HTTPOutgoing(
          method: "PUT", url: payments, headers: writeHeaders,
          body: Array(#"{"order":{"reference_id":"\#(ourOrderID)"}}"#.utf8))
      ])
  }

  @Test func `a list asks by date, status and page`() async throws {
    let query = TabbyListQuery(
      createdFrom: Instant(milliseconds: 1_790_000_000_000),
      createdTo: Instant(milliseconds: 1_790_086_400_000), status: .rejected, limit: 20, offset: 40)
    let requests = try await sent(#"{"payments":null}"#) { try await $0.list(query) }
    let target =
      "/api/v2/payments?created_at__gte=2026-09-21&created_at__lte=2026-09-22&status=rejected"
      + "&limit=20&offset=40"
    #expect(requests == [HTTPOutgoing(method: "GET", url: api + target, headers: readHeaders)])
  }

  @Test func `the books are compared with pages that follow each other`() async throws {
    let since = Instant(milliseconds: 1_790_000_000_000)
    let full = Array(repeating: paymentJSON(), count: 20).joined(separator: ",")
    let first = try await provider(#"{"payments":[\#(full)]}"#).payments(since: since, cursor: nil)
    #expect(first.readings.count == 20)
    #expect(first.next == "20")
    let requests = try await sent(#"{"payments":null}"#) {
      let last = try await $0.payments(since: since, cursor: first.next)
      #expect(last == PaymentPage(readings: [], unreadableCount: 0, next: nil))
    }
    #expect(
      requests.map(\.url) == [
        api + "/api/v2/payments?created_at__gte=2026-09-21&limit=20&offset=20"
      ])
    let none = try await sent("{}") { tabby in
      await #expect(throws: ProviderError.self) {
        try await tabby.payments(since: since, cursor: "next")
      }
    }
    #expect(none == [])
  }

  @Test(arguments: ["-1", "100000", "9223372036854775807"])
  func `a list that never ends is not asked for beyond a limit`(cursor: String) async throws {
    let since = Instant(milliseconds: 1_790_000_000_000)
    let full = Array(repeating: paymentJSON(), count: 20).joined(separator: ",")
    let answer = #"{"payments":[\#(full)]}"#
    let asked = try await sent(answer) { tabby in
      let page = try await tabby.payments(since: since, cursor: "99980")
      #expect(page.next == "100000")
      let error = await failure { try await tabby.payments(since: since, cursor: cursor) }
      #expect(error?.kind == .refused)
    }
    #expect(asked.count == 1)
  }

  @Test func `one odd payment does not hide the rest of a list`() async throws {
    let page = try await provider(
      #"{"payments":[\#(paymentJSON()),{"id":7}],"pagination":{"total_count":2}}"#
    ).list(TabbyListQuery())
    #expect(page.readings.map(\.providerPaymentID) == [paymentID])
    #expect(page.unreadableCount == 1)
    #expect(page.totalCount == 2)
  }

  @Test(arguments: [
    "", "..", "/../", "6f1c1f0e-9d1a-4d0b-8f53-0a5b7d6c2e11/../x",
    "6F1C1F0E-9D1A-4D0B-8F53-0A5B7D6C2E11", "6f1c1f0e-9d1a-4d0b-8f53-0a5b7d6c2e1１",
    "6f1c1f0e9d1a4d0b8f530a5b7d6c2e11", "6f1c1f0e-9d1a-4d0b-8f53-0a5b7d6c2e11?",
  ])
  func `an id that is no UUID never becomes a path`(id: String) async throws {
    let transport = answering(paymentJSON())
    let tabby = try makeProvider(transport)
    let id = ProviderPaymentID(id)
    let operation = ProviderOperation(
      providerPaymentID: id, amount: try money("1.00"), reference: OperationID("op"))
    let errors = [
      await failure { try await tabby.read(id) },
      await failure { try await tabby.capture(operation) },
      await failure { try await tabby.refund(operation) },
      await failure { try await tabby.close(id) },
      await failure { try await tabby.updateOrderReference(of: id, to: ourOrderID) },
    ]
    #expect(errors.allSatisfy { $0?.kind == .refused && $0?.status == nil })
    #expect(transport.sent.isEmpty)
  }

  @Test(arguments: ["0.00 AED", "1.00 SAR", "1 JPY"])
  func `an operation over an impossible amount is not sent`(text: String) async throws {
    let parts = text.split(separator: " ").map(String.init)
    let transport = answering(paymentJSON())
    let tabby = try makeProvider(transport)
    let operation = ProviderOperation(
      providerPaymentID: paymentID, amount: try money(parts[0], parts[1]),
      reference: OperationID("op"))
    let errors = [
      await failure { try await tabby.capture(operation) },
      await failure { try await tabby.refund(operation) },
    ]
    #expect(errors.allSatisfy { $0?.kind == .refused })
    #expect(transport.sent.isEmpty)
  }

  @Test func `an answer about another payment is not believed`() async throws {
    let other = paymentJSON(id: "00000000-9d1a-4d0b-8f53-0a5b7d6c2e11")
    let error = await failure { try await provider(other).read(paymentID) }
    #expect(error?.kind == .unknown)
  }

  @Test func `it says what it can do`() throws {
    let capabilities = try provider("").capabilities
    #expect(!capabilities.createHasIdempotencyKey)
    #expect(capabilities.capture == .separate)
    #expect(capabilities.close == .authorized)
    #expect(capabilities.currencies == ["AED", "KWD"])
    let waits = capabilities.readSchedule
    #expect(Array(waits.prefix(6)) == [2, 5, 15, 30, 60, 120].map(Duration.seconds))
    #expect(waits.last == .seconds(3_600))
    // Every two minutes until CREATED has had its 40 minutes.
    #expect(waits.dropLast().reduce(Duration.zero, +) >= .seconds(40 * 60))
  }
}
