import HTTPExchange
import MerchantServer
import PaymentModels
import PaymentStore
import StrictJSON
import TestSupport
import Testing

@Suite("A payment's own secret goes to the payer's app and nowhere else")
struct VerificationKeyTests {
  private static let key = "vk~5d0c1f9a"

  private func run(_ body: (ServerWorld, PaymentRow) async throws -> Void) async throws {
    try await ServerWorld.run { world in
      world.provider.issue(Secret(Self.key))
      try await body(world, try await world.placed())
    }
  }

  private func paymentJSON(
    _ world: ServerWorld, _ row: PaymentRow, token: String = ServerWorld.user
  ) async throws -> JSONValue {
    try await world.get("/v1/payments/\(row.id)", token: token)
  }

  @Test func `the payer's app gets it with the checkout, its replay and every read`() async throws {
    try await run { world, row in
      #expect(try await world.checkout().json["verification_key"]?.text == Self.key)
      #expect(try await paymentJSON(world, row)["verification_key"]?.text == Self.key)
      let waited = try await world.get("/v1/payments/\(row.id)?wait=1", token: ServerWorld.user)
      #expect(waited["verification_key"]?.text == Self.key)
    }
  }

  @Test func `no operator, stranger, list or order gets it`() async throws {
    try await run { world, row in
      #expect(try await paymentJSON(world, row, token: ServerWorld.operatorKey)["state"] != nil)
      for (path, token) in [
        ("/v1/payments/\(row.id)", ServerWorld.operatorKey),
        ("/v1/payments", ServerWorld.operatorKey),
        ("/v1/payments/\(row.id)", ServerWorld.stranger),
        ("/v1/orders/\(row.orderID)", ServerWorld.operatorKey),
        ("/v1/orders/\(row.orderID)", ServerWorld.user),
        ("/v1/orders/\(row.orderID)/journal", ServerWorld.operatorKey),
      ] {
        let answer = try await world.send("GET", path, token: token)
        #expect(!String(decoding: answer.body, as: UTF8.self).contains(Self.key))
        #expect(!"\(answer.headers)".contains(Self.key))
      }
    }
  }

  @Test(arguments: [PaymentStatus.authorized, .captured, .rejected, .expired, .cancelled])
  func `once the payment is final nobody gets it, and it is erased`(
    status: PaymentStatus
  ) async throws {
    try await run { world, row in
      let id = try #require(row.providerPaymentID)
      #expect(row.verificationKey == Secret(Self.key))
      world.provider.change(id) { $0.status = status }
      #expect(try await paymentJSON(world, row)["verification_key"] == .null)
      #expect(try await world.payment(row.id).verificationKey == nil)
    }
  }

  @Test func `an answer that comes after the payment was paid keeps no key`() async throws {
    var setup = ServerWorld.Setup()
    setup.providers = [FakeProvider(hasKeys: true)]
    try await ServerWorld.run(setup) { world in
      world.provider.issue(Secret(Self.key))
      world.provider.hold(.create)
      let text = try #require(try await world.checkout().json["payment_id"]?.text)
      let payment = PaymentID(text)
      world.provider.change(world.provider.id(1)) { $0.status = .captured }
      try await world.deliver(world.provider.webhook(world.provider.id(1), for: payment))
      try await world.until("paid", within: .seconds(400)) {
        try await world.payment(payment).status == .captured
      }
      world.provider.release(.create)
      try await world.until("answered") { try await world.payment(payment).checkoutURL != nil }
      #expect(try await world.payment(payment).verificationKey == nil)
    }
  }

  @Test(arguments: [PaymentStatus.pending, .unknown("NEW")])
  func `while the payment may still be paid it stays`(status: PaymentStatus) async throws {
    try await run { world, row in
      let id = try #require(row.providerPaymentID)
      world.provider.change(id) { $0.status = status }
      #expect(try await paymentJSON(world, row)["verification_key"]?.text == Self.key)
    }
  }

  @Test func `an order that may not be paid any more hands out no key`() async throws {
    try await run { world, row in
      _ = try await world.send(
        "POST", "/v1/orders/\(row.orderID)/cancel", key: "c",
        body: Array(#"{"reason":"sold out"}"#.utf8))
      #expect(try await paymentJSON(world, row)["verification_key"] == .null)
    }
  }

  @Test func `nothing that is kept for people holds it`() async throws {
    try await run { world, row in
      let id = try #require(row.providerPaymentID)
      world.provider.change(id) { $0.status = .authorized }
      try await world.deliver(world.provider.webhook(id, for: row.id))
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      let kept = try await world.store.read { transaction in
        """
        \(try transaction.payment(row.id).map { "\($0)" } ?? "")
        \(try transaction.journal(of: row.orderID, limit: 1_000))
        \(try transaction.messages(of: row.orderID))
        \(try transaction.reviews(of: row.orderID))
        """
      }
      #expect(!kept.contains(Self.key))
      #expect(!world.log.text.isEmpty)
      #expect(!world.log.text.contains(Self.key))
    }
  }
}
