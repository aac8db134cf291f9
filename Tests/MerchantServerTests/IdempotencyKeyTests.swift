import CheckoutService
import HTTPExchange
import KitEnvironment
import MerchantServer
import PaymentModels
import PaymentStore
import ProviderInterface
import StrictJSON
import TestSupport
import Testing

@Suite("FB-14 Idempotency key changes on retry, or is reused for something else")
struct IdempotencyKeyTests {
  private static let lamp = #"{"provider":"tabby","items":[{"product_id":"lamp","quantity":1}]}"#

  @Test(arguments: [
    lamp,
    #"{"items":[{"quantity":1,"product_id":"lamp"}],"provider":"tabby"}"#,
    #" { "provider" : "tabby", "items" : [ {"product_id":"\u006camp","quantity":1} ] } "#,
  ])
  func `a: the same terms in other bytes are one payment`(body: String) async throws {
    try await ServerWorld.run { world in
      let first = try await world.checkout(key: "k1", Self.lamp)
      await world.pass(.seconds(5))
      let second = try await world.checkout(key: "k1", body)
      #expect(second.status == 201)
      #expect(second.json["payment_id"] == first.json["payment_id"])
      #expect(second.json["checkout_url"] == first.json["checkout_url"])
      #expect(world.provider.count(.create) == 1)
    }
  }

  @Test func `a: nothing but the terms counts: neither headers nor language nor the time`()
    async throws
  {
    var setup = ServerWorld.Setup()
    let provider = setup.providers[0]
    var first: JSONValue?
    try await ServerWorld.run(setup) { first = try await $0.checkout(key: "k1", Self.lamp).json }
    // The same server, started again with another language, an hour later.
    setup.seed = 2
    setup.tuneCheckouts = { $0.language = "ar" }
    setup.clock.advance(by: .seconds(3_600))
    try await ServerWorld.run(setup) { world in
      let request = HTTPRequest(
        method: "POST", target: "/v1/checkouts",
        headers: [
          "Content-Type": "application/json; charset=utf-8", "Idempotency-Key": "k1",
          "Accept-Language": "ar", "Authorization": "Bearer \(ServerWorld.user)",
        ], body: Array(Self.lamp.utf8))
      let response = try await world.moving { await world.server.respond(to: request) }
      let second = try JSONValue(parsing: response.body)
      #expect(response.status == 201)
      #expect(second["payment_id"] == first?["payment_id"])
      #expect(second["checkout_url"] == first?["checkout_url"])
      #expect(provider.count(.create) == 1)
      #expect(try await world.paymentCount() == 1)
    }
  }

  @Test func `a: a retry of a lost create sends the same key and the same bytes`() async throws {
    try await ServerWorld.run { world in
      world.provider.always(.create, .fail(ProviderError(.unknown, detail: "reset")))
      _ = try await world.checkout()
      world.provider.always(.create, nil)
      let again = try await world.checkout()
      let row = try await world.payment(PaymentID(try #require(again.json["payment_id"]?.text)))
      #expect(row.createKey == "\(row.orderID).1.c")
      #expect(row.createKey.utf8.count <= 64)
      #expect(row.createKey.utf8.allSatisfy { (0x21...0x7E).contains($0) })
      #expect(world.provider.count(.create) > 1)
      #expect(try await world.paymentCount() == 1)
    }
  }

  @Test(arguments: [
    #"{"provider":"tabby","items":[{"product_id":"lamp","quantity":2}]}"#,
    #"{"provider":"futa","items":[{"product_id":"lamp","quantity":1}]}"#,
    #"{"provider":"tabby","items":[{"product_id":"lamp\n1","quantity":1}]}"#,
    #"{"provider":"tabby","order_id":"01995000-0001-7000-8000-000000000001"}"#,
  ])
  func `c: X, then Y under the key of X, then X again`(other: String) async throws {
    try await ServerWorld.run { world in
      let first = try await world.checkout(key: "k1", Self.lamp)
      let second = try await world.checkout(key: "k1", other)
      #expect(second.status == 409)
      #expect(second.json["type"]?.text == "/problems/idempotency_mismatch")
      let third = try await world.checkout(key: "k1", Self.lamp)
      #expect(third.status == 201)
      #expect(third.json["payment_id"] == first.json["payment_id"])
      #expect(try await world.paymentCount() == 1)
      #expect(world.provider.count(.create) == 1)
    }
  }

  @Test(arguments: [
    "", "   ", String(repeating: "k", count: 65), String(repeating: "k", count: 256), "k\n1",
    "k 1", "k\u{7F}", "ключ",
  ])
  func `d: a key that is not 1 to 64 visible ASCII characters is refused with 400`(
    key: String
  ) async throws {
    try await ServerWorld.run { world in
      let answer = try await world.checkout(key: key, Self.lamp)
      #expect(answer.status == 400)
      #expect(try await world.paymentCount() == 0)
      let capture = try await world.send(
        "POST", "/v1/payments/\(Sample.paymentID(1))/captures", key: key)
      #expect(capture.status == 400)
    }
  }

  @Test func `d: 64 characters are a key`() async throws {
    try await ServerWorld.run { world in
      let answer = try await world.checkout(key: String(repeating: "~", count: 64), Self.lamp)
      #expect(answer.status == 201)
    }
  }

  @Test func `two users may use the same key`() async throws {
    try await ServerWorld.run { world in
      let mine = try await world.checkout(key: "k1", Self.lamp)
      let theirs = try await world.checkout(key: "k1", Self.lamp, token: ServerWorld.stranger)
      #expect(theirs.status == 201)
      #expect(mine.json["order_id"] != theirs.json["order_id"])
    }
  }
}
