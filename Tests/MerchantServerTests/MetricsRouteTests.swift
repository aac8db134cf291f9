import HTTPExchange
import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface
import StrictJSON
import TestSupport
import Testing

@Suite("GET /metrics")
struct MetricsRouteTests {
  private func metrics(_ world: ServerWorld) async throws -> String {
    let answer = try await world.send("GET", "/metrics", token: ServerWorld.metricsKey)
    #expect(answer.status == 200)
    #expect(answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
    #expect(answer.headers["Cache-Control"] == "no-store")
    return String(decoding: answer.body, as: UTF8.self)
  }

  @Test func `every series of the store is there before anything has happened`() async throws {
    try await ServerWorld.run { world in
      let text = try await metrics(world)
      for provider in ["tabby", "other"] {
        for state in ["created", "pending", "captured", "unknown"] {
          let series = "till_payments{provider=\"\(provider)\",state=\"\(state)\"} 0\n"
          #expect(text.contains(series))
        }
        #expect(text.contains("till_payments_stuck_seconds{provider=\"\(provider)\"} 0\n"))
      }
      for kind in ReviewKind.allCases {
        #expect(text.contains("till_reviews_open{kind=\"\(kind.rawValue)\"} 0\n"))
      }
      #expect(text.contains("till_inbox_webhooks{state=\"received\"} 0\n"))
      #expect(text.contains("till_outbox_messages{state=\"dead\"} 0\n"))
      #expect(text.contains("process_resident_memory_bytes "))
    }
  }

  @Test func `a payment's way is counted, and how late each step was learned`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed(.authorized)
      #expect(
        try await world.deliver(HTTPRequest(method: "POST", target: "/webhooks/tabby")) == 401)
      #expect(
        try await world.deliver(HTTPRequest(method: "POST", target: "/webhooks/nobody")) == 404)
      try await world.until("it is captured by itself") {
        try await world.payment(row.id).status == .captured
      }
      let text = try await metrics(world)
      #expect(text.contains("till_payments{provider=\"tabby\",state=\"captured\"} 1\n"))
      #expect(text.contains("till_payments{provider=\"tabby\",state=\"authorized\"} 0\n"))
      #expect(text.contains("till_webhooks_total{provider=\"tabby\",verdict=\"stored\"} 1\n"))
      #expect(
        text.contains("till_webhooks_total{provider=\"tabby\",verdict=\"unauthentic\"} 1\n"))
      #expect(
        text.contains("till_webhooks_total{provider=\"other\",verdict=\"unknown_provider\"} 1\n"))
      #expect(text.contains("till_change_lag_seconds_count{channel=\"webhook\"} 1\n"))
      // The receiver of messages is not there.
      #expect(text.contains("till_outbox_messages{state=\"waiting\"} 1\n"))
    }
  }

  @Test func `a payment that cannot be read ages, and a person's queue does`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      world.provider.always(.read, .fail(ProviderError(.unknown, status: 502, detail: "out")))
      let now = world.clock.now
      try await world.store.write { transaction in
        _ = try transaction.openReview(
          ReviewRow(
            orderID: row.orderID, paymentID: row.id, kind: .lateMoney, detail: "as told",
            openedAt: now))
      }
      await world.pass(.seconds(120))
      let text = try await metrics(world)
      let stuck = try #require(value("till_payments_stuck_seconds{provider=\"tabby\"}", text))
      #expect((120...130).contains(stuck))
      let review = try #require(value("till_reviews_oldest_seconds{kind=\"late_money\"}", text))
      #expect((120...121).contains(review))
      #expect(text.contains("till_reviews_open{kind=\"late_money\"} 1\n"))
    }
  }

  @Test func `text of strangers makes no series and stands in none`() async throws {
    try await ServerWorld.run { world in
      let before = try await metrics(world).split(separator: "\n").count
      for number in 0..<300 {
        let word = String(UnicodeScalar(UInt8(97 + number % 26))) + "planted"
        _ = try await world.deliver(
          HTTPRequest(method: "POST", target: "/webhooks/\(word)"))
      }
      let text = try await metrics(world)
      #expect(!text.contains("planted"))
      // One line for the webhooks of providers that are not here, and its two of description.
      #expect(text.split(separator: "\n").count == before + 3)
    }
  }

  @Test func `every alert of the operations page asks for series that are there`() async throws {
    let page = try ProjectText().file("Docs/Operations.md")
    let alerts = try #require(
      page.split(separator: "\n## ").first { $0.hasPrefix("Alerts\n") }
    ).matches(of: #/till_[a-z_]+(\{[a-z]+="[a-z]+"\})?/#).map { String($0.output.0) }
    #expect(alerts.count >= 9)
    try await ServerWorld.run { world in
      let lines = try await metrics(world).split(separator: "\n")
      for series in alerts {
        #expect(lines.contains { $0.hasPrefix(series) }, "\(series)")
      }
    }
  }

  private func value(_ series: String, _ text: String) -> Double? {
    text.split(separator: "\n").first { $0.hasPrefix(series + " ") }
      .flatMap { Double($0.dropFirst(series.count + 1)) }
  }
}
