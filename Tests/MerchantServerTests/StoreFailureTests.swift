import HTTPExchange
import MerchantServer
import PaymentModels
import PaymentStore
import StrictJSON
import TestSupport
import Testing

@Suite("A store that cannot take it now")
struct StoreFailureTests {
  enum Fault: String, Sendable, CaseIterable {
    case busy, full, readOnly, unreadable
  }

  private static let reason = #"{"reason":"as asked"}"#

  private static let calls: [(String, String, String, String)] = [
    ("POST", "/v1/checkouts", ServerWorld.user, CheckoutJSON.lamp),
    ("GET", "/v1/payments/PAYMENT", ServerWorld.user, ""),
    ("GET", "/v1/orders/ORDER", ServerWorld.user, ""),
    ("POST", "/v1/payments/PAYMENT/signals", ServerWorld.user, #"{"signal":"closed"}"#),
    ("POST", "/v1/payments/PAYMENT/captures", ServerWorld.operatorKey, reason),
    ("POST", "/v1/orders/ORDER/cancel", ServerWorld.operatorKey, reason),
    ("POST", "/webhooks/tabby", "", "WEBHOOK"),
    ("GET", "/readyz", "", ""),
  ]

  @Test(arguments: Fault.allCases, calls.indices)
  func `is a 503 that says when to come again, and nothing is half-written`(
    fault: Fault, index: Int
  ) async throws {
    var setup = ServerWorld.Setup()
    setup.policy = SettlementPolicy(capture: .manual)
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed(.authorized)
      let id = try #require(row.providerPaymentID)
      let journal = try await world.store.read { try $0.journal(of: row.orderID, limit: 99) }
      let (method, target, token, text) = Self.calls[index]
      let isRead = method == "GET"
      switch fault {
      case .busy: world.store.failWrites(StoreError(.busy, "locked"))
      case .full: world.store.failWrites(StoreError(.full, "disk full"))
      case .readOnly: world.store.failWrites(StoreError(.readOnly, "read-only"))
      case .unreadable: world.store.failReads(StoreError(.unusable, "gone"))
      }
      if fault == .unreadable { world.store.failWrites(StoreError(.unusable, "gone")) }
      let path = target.replacing("PAYMENT", with: row.id.rawValue)
        .replacing("ORDER", with: row.orderID.rawValue)
      let response: HTTPResponse
      if text == "WEBHOOK" {
        let webhook = world.provider.webhook(id, rest: "new")
        response = try await world.moving { await world.server.respond(to: webhook) }
      } else {
        response = try await world.send(
          method, path, token: token.isEmpty ? nil : token, key: "k-new", body: Array(text.utf8))
      }
      if isRead, fault != .unreadable, path != "/readyz" {
        #expect(response.status == 200)
      } else {
        #expect(response.status == 503)
        #expect(response.headers["Content-Type"] == "application/problem+json")
        #expect(response.headers["Retry-After"] == "1")
      }
      world.store.failWrites(nil)
      world.store.failReads(nil)
      #expect(try await world.paymentCount() == 1)
      #expect(try await world.operations(row.id) == [])
      #expect(
        try await world.store.read { try $0.journal(of: row.orderID, limit: 99) } == journal)
      #expect(try await world.order(row.orderID).cancelRequestedAt == nil)
    }
  }

  /// The n-th write of a checkout and of what follows it fails once, whichever it is.
  @Test(arguments: 0..<12)
  func `a write that fails once anywhere delays and never loses or doubles`(
    after: Int
  ) async throws {
    try await ServerWorld.run { world in
      world.store.failOneWrite(after: after)
      var answer = try await world.checkout()
      if answer.status == 503 { answer = try await world.checkout() }
      #expect([201, 202].contains(answer.status))
      let payment = PaymentID(try #require(answer.json["payment_id"]?.text))
      try await world.until("made", within: .seconds(90)) {
        try await world.payment(payment).createState == .created
      }
      let row = try await world.payment(payment)
      let id = try #require(row.providerPaymentID)
      world.provider.change(id) { $0.status = .authorized }
      if try await world.deliver(world.provider.webhook(id)) == 503 {
        #expect(try await world.deliver(world.provider.webhook(id)) == 200)
      }
      try await world.until("paid", within: .seconds(200)) {
        try await world.order(row.orderID).state == .paid
      }
      await world.pass(.seconds(5))
      #expect(try await world.messages(row.orderID) == [.fulfil])
      let captures = world.provider.payments.flatMap(\.items).filter { $0.kind == .capture }
      #expect(captures.count == 1)
      #expect(try await world.paymentCount() == 1)
      let again = try await world.checkout()
      #expect(again.json["payment_id"]?.text == payment.rawValue)
    }
  }
}

/// Bodies of checkouts.
enum CheckoutJSON {
  static let lamp = #"{"provider":"tabby","items":[{"product_id":"lamp","quantity":1}]}"#
}
