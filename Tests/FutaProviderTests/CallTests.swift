import FutaProvider
import HTTPExchange
import PaymentModels
import ProviderInterface
import TestSupport
import Testing

@Suite("Each call sends one exact request")
struct CallTests {
  private func sent(
    _ call: (FutaProvider) async throws -> some Sendable,
    _ change: (inout FutaSettings) -> Void = { _ in }
  ) async throws -> [HTTPOutgoing] {
    let transport = answering(paymentJSON())
    _ = try await call(try makeProvider(transport, change))
    return transport.sent
  }

  @Test func `a create posts the stored bytes under the stored key`() async throws {
    let bytes = Array("{\"stored\" : 1}".utf8)
    let requests = try await sent({ try await $0.create(bytes, idempotencyKey: "o1.1.c") })
    #expect(
      requests == [
        HTTPOutgoing(
          method: "POST", url: "\(api)/v1/payments",
          headers: [
            "Idempotency-Key": "o1.1.c", "Authorization": "Bearer \(secretKey)",
            "Accept": "application/json", "Content-Type": "application/json",
          ], body: bytes)
      ])
  }

  @Test func `a read has no body, no key and no content type`() async throws {
    let requests = try await sent({ try await $0.read(paymentID) })
    #expect(
      requests == [
        HTTPOutgoing(
          method: "GET", url: "\(api)/v1/payments/\(paymentID)",
          headers: ["Authorization": "Bearer \(secretKey)", "Accept": "application/json"])
      ])
  }

  @Test func `the key's header and the word before it are settings`() async throws {
    let bare = try await sent({ try await $0.read(paymentID) }) {
      $0.authorizationHeader = "X-Api-Key"
      $0.authorizationScheme = ""
    }
    #expect(bare.first?.headers["X-Api-Key"] == secretKey)
    #expect(bare.first?.headers["Authorization"] == nil)
    let other = try await sent({ try await $0.read(paymentID) }) {
      $0.authorizationScheme = "Key"
    }
    #expect(other.first?.headers["Authorization"] == "Key \(secretKey)")
  }

  @Test func `host and path are settings`() async throws {
    let requests = try await sent({ try await $0.read(paymentID) }) {
      $0.baseURL = "http://127.0.0.1:18139/futa"
      $0.paymentsPath = "/v1/orders/payments"
    }
    #expect(
      requests.map(\.url) == ["http://127.0.0.1:18139/futa/v1/orders/payments/\(paymentID)"])
  }

  @Test(arguments: [
    "", "..", "/../", "a/b", "a?b", "a#b", "a b", "a%2fb", "pay_é",
    String(repeating: "a", count: 101),
  ])
  func `an id that could lead elsewhere never becomes a path`(id: String) async throws {
    let transport = answering(paymentJSON())
    let futa = try makeProvider(transport)
    let error = await failure { try await futa.read(ProviderPaymentID(id)) }
    #expect(error?.kind == .refused)
    #expect(transport.sent.isEmpty)
  }

  @Test func `capture, refund and close are refused without a call`() async throws {
    let transport = answering(paymentJSON())
    let futa = try makeProvider(transport)
    let operation = ProviderOperation(
      providerPaymentID: paymentID, amount: try money("1.00"), reference: OperationID("op"))
    let errors = [
      await failure { try await futa.capture(operation) },
      await failure { try await futa.refund(operation) },
      await failure { try await futa.close(paymentID) },
    ]
    #expect(errors.allSatisfy { $0?.kind == .refused && $0?.code == "not_documented" })
    #expect(transport.sent.isEmpty)
  }

  @Test func `it says what it can do`() throws {
    let capabilities = try provider("").capabilities
    #expect(capabilities.createHasIdempotencyKey)
    #expect(capabilities.capture == .automatic)
    #expect(capabilities.close == .none)
    #expect(capabilities.currencies == ["CDF"])
    #expect(
      Array(capabilities.readSchedule.prefix(6)) == [2, 5, 15, 30, 60, 120].map(Duration.seconds))
    // A payment that lives an hour is asked about every two minutes to its end.
    #expect(capabilities.readSchedule.dropLast().reduce(Duration.zero, +) >= .seconds(3_600))
    #expect(capabilities.readSchedule.last == .seconds(3_600))
  }
}
