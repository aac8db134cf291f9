@testable import Bootstrap
import HTTPExchange
import PaymentModels
import StrictJSON
import Testing

@Suite struct OnePaymentTests {
  @Test func `a payment that the payer makes is captured, paid and fulfilled once`() async throws {
    try await Backend.run { backend in
      let (status, checkout) = try await backend.checkout()
      #expect(status == 201)
      #expect(checkout["state"]?.text == "created")
      let order = try #require(checkout["order_id"]?.text)
      let id = try #require(checkout["provider_payment_id"]?.text)
      #expect(checkout["checkout_url"]?.text?.hasPrefix(Backend.sandboxURL) == true)

      try await backend.force("AUTHORIZED", id)
      _ = try await backend.until("paid and told") {
        try await backend.get("/v1/orders/\(order)")["messages"]?[0]?["delivered"]?.boolean == true
          ? true : nil
      }
      let shown = try await backend.get("/v1/orders/\(order)")
      #expect(shown["state"]?.text == "paid")
      #expect(shown["captured"]?.text == "340.00")
      await backend.pause(.seconds(30))
      #expect(backend.messages == ["order.fulfil"])
      let payments = try await backend.ledger()
      #expect(payments.count == 1)
      #expect(payments.first?["captures"]?.elements?.count == 1)
    }
  }

  @Test func `a payment whose webhooks are all lost is paid by the read that a look causes`()
    async throws
  {
    try await Backend.run { backend in
      try await backend.control(
        "/sandbox/settings", .object(["faults": .object(["drop_webhooks": .bool(true)])]))
      let (_, checkout) = try await backend.checkout()
      let id = try #require(checkout["provider_payment_id"]?.text)
      let payment = try #require(checkout["payment_id"]?.text)
      try await backend.force("AUTHORIZED", id)
      let shown = try await backend.get("/v1/payments/\(payment)")
      #expect(["authorized", "captured"].contains(shown["state"]?.text))
      #expect(shown["fresh"]?.boolean == true)
    }
  }

  @Test func `a payer who is refused before the page sees rejected and no URL`() async throws {
    try await Backend.run { backend in
      let (status, checkout) = try await backend.checkout(payer: .refused)
      #expect(status == 201)
      #expect(checkout["state"]?.text == "rejected")
      #expect(checkout["checkout_url"]?.isNull == true)
      #expect(checkout["order_state"]?.text == "pending")
    }
  }
}
