import MerchantAPI
import PaymentModels
import Testing

private let id = "01976f3a-7c1b-7def-8abc-0123456789ab"

@Suite("Routes")
struct RouteTests {
  static let all: [(Route, String)] = [
    (.createCheckout, "POST /v1/checkouts"),
    (.order(OrderID(id)), "GET /v1/orders/\(id)"),
    (.cancelOrder(OrderID(id)), "POST /v1/orders/\(id)/cancel"),
    (.orderJournal(OrderID(id)), "GET /v1/orders/\(id)/journal"),
    (.payments, "GET /v1/payments"),
    (.operator(.webhooks), "GET /v1/webhooks"),
    (.operator(.webhook(WebhookID(id))), "GET /v1/webhooks/\(id)"),
    (.operator(.requeueWebhook(WebhookID(id))), "POST /v1/webhooks/\(id)/requeue"),
    (.operator(.replayWebhook(WebhookID(id))), "POST /v1/webhooks/\(id)/replay"),
    (.operator(.replaySaved), "POST /v1/webhooks/replay"),
    (.operator(.moneyTotals), "GET /v1/totals"),
    (.operator(.reconcile), "POST /v1/reconcile"),
    (.paymentJournal(PaymentID(id)), "GET /v1/payments/\(id)/journal"),
    (.operator(.reviews), "GET /v1/reviews"),
    (.operator(.review(7)), "GET /v1/reviews/7"),
    (.operator(.resolveReview(7)), "POST /v1/reviews/7/resolve"),
    (.operator(.messages), "GET /v1/messages"),
    (.operator(.message(MessageID(id))), "GET /v1/messages/\(id)"),
    (.operator(.redeliver(MessageID(id))), "POST /v1/messages/\(id)/redeliver"),
    (.operator(.providers), "GET /v1/providers"),
    (.operator(.pauseProvider(.tabby)), "POST /v1/providers/tabby/pause"),
    (.operator(.resumeProvider(.tabby)), "POST /v1/providers/tabby/resume"),
    (.operator(.eraseBuyer), "POST /v1/buyers/erase"),
    (.payment(id), "GET /v1/payments/\(id)"),
    (.signals(id), "POST /v1/payments/\(id)/signals"),
    (.captures(PaymentID(id)), "POST /v1/payments/\(id)/captures"),
    (.refunds(PaymentID(id)), "POST /v1/payments/\(id)/refunds"),
    (.close(PaymentID(id)), "POST /v1/payments/\(id)/close"),
    (.webhook(.tabby), "POST /webhooks/tabby"),
    (.lookup(ProviderPaymentID("Pay_1-x")), "GET /checkout/api/egw/v1/payments/Pay_1-x"),
    (.returnTrampoline("success"), "GET /return/success"),
    (.appleAssociation, "GET /.well-known/apple-app-site-association"),
    (.androidAssociation, "GET /.well-known/assetlinks.json"),
    (.health, "GET /healthz"),
    (.ready, "GET /readyz"),
    (.metrics, "GET /metrics"),
    (.openAPI, "GET /openapi.json"),
    (.problemPage("being_paid"), "GET /problems/being_paid"),
  ]

  @Test(arguments: all)
  func `every route reads what it prints, and no other method`(route: Route, line: String) {
    #expect("\(route.method) \(route.path)" == line)
    #expect(Route.match(method: route.method, path: route.path) == .route(route))
    for method in ["GET", "POST", "PUT", "DELETE", "HEAD", "get", ""] where method != route.method {
      #expect(
        Route.match(method: method, path: route.path) == .methodNotAllowed([route.method]))
    }
  }

  @Test(
    arguments: [
      "/", "", "//", "/v1", "/v1/", "/v2/checkouts", "/V1/checkouts", "/v1/checkouts/",
      "/v1//checkouts", "//v1/checkouts", "/v1/./checkouts", "/v1/../v1/checkouts", "/v1/orders",
      "/v1/orders/\(id)/", "/v1/orders/\(id)/capture", "/v1/orders/\(id)/cancel/now",
      "/v1/payments/\(id)/void", "/v1/reviews/", "/v1/reviews/0", "/v1/reviews/-1",
      "/v1/reviews/+1", "/v1/reviews/01", "/v1/reviews/1e1", "/v1/reviews/9223372036854775808",
      "/v1/reviews/1/", "/v1/reviews/1/reopen", "/healthz/", "/health", "/readyz/x", "/webhooks",
      "/return",
      "/v1/checkouts%2F", "/v1%2Fcheckouts", "/v1/check\u{301}outs",
      // Names that are no lower-case words.
      "/webhooks/", "/webhooks/Tabby", "/webhooks/..", "/webhooks/tabby%2f..", "/webhooks/t-b",
      "/webhooks/\(String(repeating: "a", count: 33))", "/return/", "/return/..",
      "/.well-known", "/.well-known/", "/.well-known/assetlinks",
      "/.well-known/apple-app-site-association.json", "/.well-known/assetlinks.json/",
      "/return/success%0d%0aX:1", "/return/a?b", "/return/é",
      "/checkout/api/egw/v1/payments", "/checkout/api/egw/v1/payments/",
      "/checkout/api/egw/v1/payments/..", "/checkout/api/egw/v1/payments/a%2fb",
      "/checkout/api/egw/v1/payments/é", "/checkout/api/egw/v2/payments/a",
      "/checkout/api/egw/v1/payments/\(String(repeating: "a", count: 65))",
    ])
  func `every other path is none`(path: String) {
    for method in ["GET", "POST"] { #expect(Route.match(method: method, path: path) == .none) }
  }

  @Test(
    arguments: [
      "..", ".", "", "1", "%2e%2e", "..%2f..", id.uppercased(), id + "x", String(id.dropLast()),
      "\(id)%00", "01976f3a-7c1b-7def-8abc-0123456789a\u{301}", "pay_A1", "*", "{payment_id}",
    ])
  func `an id of another form is refused before anything uses it`(bad: String) {
    for path in ["/v1/orders/\(bad)", "/v1/payments/\(bad)", "/v1/orders/\(bad)/journal"] {
      #expect(Route.match(method: "GET", path: path) == .badIdentifier)
    }
    for action in ["signals", "captures", "refunds", "close"] {
      #expect(
        Route.match(method: "POST", path: "/v1/payments/\(bad)/\(action)") == .badIdentifier)
    }
    #expect(Route.match(method: "POST", path: "/v1/orders/\(bad)/cancel") == .badIdentifier)
  }

  @Test func `a traversal has more parts than any route`() {
    #expect(Route.match(method: "GET", path: "/v1/orders/../../etc/passwd") == .none)
    #expect(Route.match(method: "GET", path: "/v1/payments/../orders/\(id)") == .none)
  }

  @Test func `a word has 1 to 32 letters`() {
    let longest = String(repeating: "z", count: 32)
    let route = Route.webhook(ProviderName(longest))
    #expect(Route.match(method: "POST", path: "/webhooks/\(longest)") == .route(route))
  }
}
