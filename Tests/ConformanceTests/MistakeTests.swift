import Conformance
import HTTPExchange
import StrictJSON
import SystemRuntime
import Testing

@Suite("Each check notices the mistake that it is there for")
struct MistakeTests {
  private static let returning: [Mistake] = [
    .says("return-is-no-proof", "seb", order: "paid", state: "captured", after: "/return/success"),
    .says(
      "cancel-return-is-no-end", "rais", order: "pending", state: "expired", after: "/return/cancel"
    ),
    .says(
      "cancelled-then-paid", "tabby", order: "pending", state: "expired", after: "/return/cancel"),
    .says("closed-then-paid", "futa", order: "pending", state: "expired", after: "/signals"),
    .goods("app-killed", "rais", times: 0),
    .goods("goods-once", "seb", times: 2),
    .goods("webhook-twice", "futa", times: 3),
    .goods("webhook-at-once", "tebex", times: 5),
    .says("cancel-needs-proof", "rais", order: "cancelled", state: "created", after: "/cancel"),
    .says("cancel-then-paid", "rais", order: "cancelled", state: "created", after: "/cancel"),
  ]

  private static let hooks: [Mistake] = [
    .answers("webhook-taken", "seb", "/webhooks/", 500),
    .says("webhook-forged", "futa", order: "paid", state: "captured", after: "/webhooks/"),
    .says("webhook-unsigned", "rais", order: "paid", state: "captured", after: "/webhooks/"),
    .says("webhook-altered", "seb", order: "paid", state: "captured", after: "/webhooks/"),
    .answers("forgery-refused", "rais", "/webhooks/", 200),
    .answers("webhook-garbage", "tabby", "/webhooks/", 500),
    .answers("webhook-oversize", "futa", "/webhooks/", 200),
    .answers("webhook-unknown", "seb", "/webhooks/", 500),
    .answers("webhook-validation", "tebex", "/webhooks/", 200),
    .forgetsEarlyWebhooks("webhook-early", "seb"),
    .says(
      "webhook-reordered", "futa", order: "pending", state: "processing", after: "/webhooks/",
      times: 2),
    .says("webhook-never", "tabby", order: "pending", state: "created"),
    .says(
      "webhook-after-refund", "seb", order: "paid", state: "captured", after: "/webhooks/",
      times: 3),
    .says(
      "webhook-hours-late", "futa", order: "pending", state: "expired", after: "/webhooks/"),
  ]

  private static let reading: [Mistake] =
    ["provider-html", "provider-5xx", "provider-429", "provider-cut"].map {
      .says($0, "futa", order: "pending", state: "rejected", ifIt: #""fresh":false"#)
    } + [
      .says("processing-waits", "seb", order: "paid", state: "captured", ifIt: "pending"),
      .says("failed-try", "rais", order: "pending", state: "rejected"),
      .says("refusal-shown", "rais", order: "pending", state: "created"),
      .says("held-is-not-taken", "tabby", order: "paid", state: "captured", ifIt: "authorized"),
      .says("wrong-amount", "seb", order: "paid", state: "captured", ifIt: "needs_review"),
      .says("wrong-currency", "futa", order: "paid", state: "captured", ifIt: "needs_review"),
      .says("refund-shown", "futa", order: "paid", state: "captured"),
      .says(
        "books-agree", "rais", order: "paid", state: "captured", also: ["page-as-issued"]),
      .answers("seb-lookup", "seb", "/checkout/api", 404),
      Mistake(
        check: "partial-refund", provider: "tabby",
        server: { next, _ in
          Between(next: next) { request, next in
            await next.respond(to: request).with(["refunded": "0.00"])
          }
        }),
    ]

  private static let creating: [Mistake] = [
    .creates("payment-id-given", "tabby") { _ in ["provider_payment_id": .null] },
    .creates("verification-key", "seb") { _ in ["verification_key": .null] },
    .creates("page-as-issued", "rais") {
      ["checkout_url": .string(($0["checkout_url"]?.text ?? "") + "?theme=dark")]
    },
    .reads("price-from-server", "rais") { request, _ in anotherCart(request) },
    .reads("currency-from-server", "rais") { request, _ in anotherCart(request) },
    .reads("create-needs-login", "rais") { request, planted in
      request.with("Authorization", "Bearer \(planted.token)")
    },
    Mistake(
      check: "retry-after-refusal", provider: "rais",
      server: { next, _ in
        Between(next: next) { request, next in
          String(decoding: request.body, as: UTF8.self).contains("order_id")
            ? HTTPResponse(status: 409) : await next.respond(to: request)
        }
      }),
    Mistake(
      check: "no-secret-told", provider: "futa",
      server: { next, planted in
        Between(next: next) { request, next in
          var response = await next.respond(to: request)
          response.headers.add("X-Debug", planted.key)
          return response
        }
      }, also: ["page-as-issued"]),
    forgetsKeys("key-again"), forgetsKeys("key-other-terms"), forgetsKeys("double-tap"),
    .makesTwoPayments("create-answer-lost", "rais"),
  ]

  /// Does as a dishonest app says, by way of another product.
  private static func anotherCart(_ request: HTTPRequest) -> HTTPRequest {
    let text = String(decoding: request.body, as: UTF8.self)
    guard text.contains("amount") || text.contains("currency") else { return request }
    var request = request
    request.body = Array(
      #"{"provider":"rais","items":[{"product_id":"radio","quantity":2}]}"#.utf8)
    return request
  }

  /// Every create is a new one.
  private static func forgetsKeys(_ check: String) -> Mistake {
    let number = Locked(0)
    return .reads(check, "futa") { request, _ in
      let next = number.withLock { number in
        number += 1
        return number
      }
      return request.with("Idempotency-Key", "key-\(next)")
    }
  }

  private static let all = creating + returning + hooks + reading

  @Test(arguments: all.indices)
  func `it is noticed`(index: Int) async throws {
    let mistake = Self.all[index]
    let provider = try #require(ConformanceProvider(rawValue: mistake.provider))
    let card = try await ConformanceWorld.play(
      .init(only: [mistake.check] + mistake.also, providers: [provider]), mistake: mistake)
    #expect(card.failedChecks.contains(mistake.check), "\(mistake.check): \(card.lines)")
  }

  @Test func `every check has a mistake`() {
    #expect(Set(Self.all.map(\.check)) == Set(ConformanceCheck.all.map(\.id)))
  }
}
