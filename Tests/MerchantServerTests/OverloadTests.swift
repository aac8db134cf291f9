import HTTPExchange
import MerchantServer
import TestSupport
import Testing

@Suite("What goes behind when too much comes")
struct OverloadTests {
  @Test(arguments: [
    ("GET", "/v1/payments/01995000-0002-7000-8000-000000000001?wait=30", true),
    ("HEAD", "/v1/payments/01995000-0002-7000-8000-000000000001", true),
    ("GET", "/v1/orders/01995000-0001-7000-8000-000000000001", true),
    ("GET", "/v1/payments?limit=100", true),
    ("GET", "/v1/webhooks", true),
    ("POST", "/webhooks/tabby", false),
    ("POST", "/v1/checkouts", false),
    ("POST", "/v1/payments/01995000-0002-7000-8000-000000000001/signals", false),
    ("POST", "/v1/payments/01995000-0002-7000-8000-000000000001/refunds", false),
    ("POST", "/v1/orders/01995000-0001-7000-8000-000000000001/cancel", false),
    ("GET", "/healthz", false), ("GET", "/readyz", false), ("GET", "/metrics", false),
    ("GET", "/return/success", false),
    ("GET", "/checkout/api/egw/v1/payments/p-1", false),
  ])
  func `reads give way; deliveries, checkouts and operators do not`(
    _ method: String, _ target: String, _ isDeferrable: Bool
  ) async throws {
    try await ServerWorld.run { world in
      let request = HTTPRequest(method: method, target: target)
      #expect(world.server.isDeferrable(request) == isDeferrable)
    }
  }
}
