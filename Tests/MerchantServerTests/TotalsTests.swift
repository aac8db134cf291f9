import HTTPExchange
import PaymentModels
import PaymentStore
import StrictJSON
import TestSupport
import Testing

@Suite("Money that moved in a span of time")
struct TotalsTests {
  @Test func `sums are decimal, by account and currency`() async throws {
    try await ServerWorld.run { world in
      try await world.store.seed()
      try await world.store.write { transaction in
        for (id, kind) in [("c-1", PaymentItem.Kind.capture), ("r-1", .refund)] {
          try transaction.putItem(
            Sample.item(id, kind: kind), of: Sample.paymentID(1), learnedAt: Sample.start)
        }
      }
      let span = "from=\(Sample.start)&to=\(Sample.start + .seconds(1))"
      let totals = try await world.get("/v1/totals?\(span)")["totals"]?.elements
      #expect(totals?.count == 1)
      #expect(totals?.first?["captured"]?.text == "50.00")
      #expect(totals?.first?["refunded"]?.text == "50.00")
      #expect(totals?.first?["in_review"]?.text == "0.00")
    }
  }

  @Test(arguments: [
    ("", 400), ("from=2026-11-30T00:00:00Z", 400),
    ("from=2026-11-30T00:00:00Z&to=2026-11-30T00:00:00Z", 400),
    ("from=2026-01-01T00:00:00Z&to=2026-02-02T00:00:00Z", 400),
    ("from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z", 200),
  ])
  func `a span is a month at the most`(_ query: String, _ status: Int) async throws {
    try await ServerWorld.run { world in
      let answer = try await world.send("GET", "/v1/totals?\(query)")
      #expect(answer.status == status)
    }
  }

  @Test func `it takes an operator key`() async throws {
    try await ServerWorld.run { world in
      let answer = try await world.send("GET", "/v1/totals?from=x", token: ServerWorld.user)
      #expect(answer.status == 403)
    }
  }
}
