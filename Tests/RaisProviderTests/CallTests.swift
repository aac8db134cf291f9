import HTTPExchange
import PaymentModels
import ProviderInterface
import RaisProvider
import TestSupport
import Testing

@Suite("Each call sends one exact request")
struct CallTests {
  private func sent(
    _ call: (RaisProvider) async throws -> some Sendable,
    _ change: (inout RaisSettings) -> Void = { _ in }
  ) async throws -> [HTTPOutgoing] {
    let transport = answering(paymentJSON())
    _ = try await call(try makeProvider(transport, change))
    return transport.sent
  }

  @Test func `a create posts the stored bytes under the stored key, each time the same`()
    async throws
  {
    let bytes = Array("{\"stored\" : 1}".utf8)
    let transport = answering(paymentJSON())
    let rais = try makeProvider(transport)
    for _ in 0..<2 { _ = try await rais.create(bytes, idempotencyKey: "o1.1.c") }
    let request = HTTPOutgoing(
      method: "POST", url: "https://api.rais.app/v1/payments",
      headers: [
        "Idempotency-Key": "o1.1.c", "Authorization": "Bearer \(testKey)",
        "Accept": "application/json", "Content-Type": "application/json",
      ], body: bytes)
    #expect(transport.sent == [request, request])
  }

  @Test func `a read has no body, no key and no content type`() async throws {
    let requests = try await sent({ try await $0.read(paymentID) })
    #expect(
      requests == [
        HTTPOutgoing(
          method: "GET", url: "https://api.rais.app/v1/payments/\(paymentID)",
          headers: ["Authorization": "Bearer \(testKey)", "Accept": "application/json"])
      ])
  }

  @Test func `a test key may go to a sandbox with a path of its own`() async throws {
    let requests = try await sent({ try await $0.read(paymentID) }) {
      $0.baseURL = "http://127.0.0.1:4010/rais/v1"
    }
    #expect(requests.map(\.url) == ["http://127.0.0.1:4010/rais/v1/payments/\(paymentID)"])
  }

  @Test(arguments: [
    "", "..", "/../", "a/b", "a?b", "a#b", "a b", "a%2fb", "pay_é",
    String(repeating: "a", count: 101),
  ])
  func `an id that could lead elsewhere never becomes a path`(id: String) async throws {
    let transport = answering(paymentJSON())
    let rais = try makeProvider(transport)
    let error = await failure { try await rais.read(ProviderPaymentID(id)) }
    #expect(error?.kind == .refused)
    #expect(transport.sent.isEmpty)
  }

  @Test func `capture, refund and close are refused without a call`() async throws {
    let transport = answering(paymentJSON())
    let rais = try makeProvider(transport)
    let operation = ProviderOperation(
      providerPaymentID: paymentID, amount: try money("1"), reference: OperationID("op"))
    let errors = [
      await failure { try await rais.capture(operation) },
      await failure { try await rais.refund(operation) },
      await failure { try await rais.close(paymentID) },
    ]
    #expect(errors.allSatisfy { $0?.kind == .refused && $0?.code == "not_documented" })
    #expect(transport.sent.isEmpty)
  }

  @Test func `it says what it can do`() throws {
    let rais = try provider("")
    #expect(rais.name == .rais)
    #expect(rais.mode == .test)
    let capabilities = rais.capabilities
    #expect(capabilities.createHasIdempotencyKey)
    #expect(capabilities.capture == .automatic)
    #expect(capabilities.close == .none)
    #expect(capabilities.currencies == ["GNF"])
    #expect(
      Array(capabilities.readSchedule.prefix(6)) == [2, 5, 15, 30, 60, 120].map(Duration.seconds))
    #expect(capabilities.readSchedule.dropLast().reduce(Duration.zero, +) >= .seconds(3_600))
    #expect(capabilities.readSchedule.last == .seconds(3_600))
  }
}
