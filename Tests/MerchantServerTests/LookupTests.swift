import HTTPExchange
import MerchantServer
import PaymentModels
import PaymentStore
import ProviderInterface
import StrictJSON
import TestSupport
import Testing

@Suite("A provider's own app SDK asks for a payment by the provider's id")
struct LookupTests {
  private static let path = "/checkout/api/egw/v1/payments"

  private func run(
    _ change: @escaping @Sendable (inout PaymentLookup) -> Void = { _ in },
    _ body: (ServerWorld, PaymentRow, String) async throws -> Void
  ) async throws {
    var setup = ServerWorld.Setup()
    setup.tuneServer = { settings in
      var lookup = PaymentLookup(provider: .tabby) { "\($0):\($1)" }
      change(&lookup)
      settings.lookup = lookup
    }
    try await ServerWorld.run(setup) { world in
      world.provider.issue(Secret("vk~5d0c1f9a"))
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      try await body(world, row, "\(Self.path)/\(id)")
    }
  }

  @Test func `it learns id, order number and state, read anew, and nothing else`() async throws {
    try await run { world, row, path in
      let id = try #require(row.providerPaymentID)
      world.provider.change(id) { $0.status = .authorized }
      let answer = try await world.send("GET", path, token: nil)
      #expect(answer.status == 200)
      #expect(answer.headers["Cache-Control"] == "no-store")
      #expect(
        String(decoding: answer.body, as: UTF8.self)
          == #"{"paymentId":"\#(id)","orderNumber":"\#(row.id)","#
          + #""paymentStatus":"\#(row.account):authorized"}"#
      )
    }
  }

  @Test func `a provider that cannot be read leaves the state that was proven`() async throws {
    try await run { world, row, path in
      world.provider.always(.read, .fail(ProviderError(.unknown, status: 502, detail: "out")))
      let answer = try await world.get(path)
      #expect(answer["paymentStatus"]?.text == "\(row.account):created")
    }
  }

  @Test func `an id that is no payment's of this provider is not found`() async throws {
    try await run { world, row, _ in
      for id in ["unknown-id", row.id.rawValue, row.orderID.rawValue] {
        let answer = try await world.send("GET", "\(Self.path)/\(id)", token: nil)
        #expect(answer.status == 404)
      }
      #expect(world.provider.count(.read) == 0)
    }
    try await run({ $0.provider = .futa }) { world, _, path in
      let answer = try await world.send("GET", path, token: nil)
      #expect(answer.status == 404)
    }
  }

  @Test func `a server that shows no provider's payments has no such path`() async throws {
    try await ServerWorld.run { world in
      let id = try #require(try await world.placed().providerPaymentID)
      #expect(try await world.send("GET", "\(Self.path)/\(id)", token: nil).status == 404)
    }
  }

  @Test func `beyond the limit of a minute it is told to wait, known id or not`() async throws {
    try await run({ $0.requestsPerMinuteMax = 3 }) { world, _, path in
      let ask = { (path: String) in
        await world.server.respond(to: HTTPRequest(method: "GET", target: path))
      }
      for _ in 0..<3 {
        let answer = await ask("\(Self.path)/unknown-id")
        #expect(answer.status == 404)
      }
      await world.pause(.seconds(20))
      for path in [path, "\(Self.path)/unknown-id"] {
        let answer = await ask(path)
        #expect(answer.status == 429)
        #expect(answer.headers["Retry-After"] == "40")
      }
      await world.pause(.seconds(40))
      let answer = try await world.send("GET", path, token: nil)
      #expect(answer.status == 200)
    }
  }

  @Test func `the limit is 600 unless told`() {
    #expect(PaymentLookup(provider: .seb) { "\($1)\($0)" }.requestsPerMinuteMax == 600)
  }
}
