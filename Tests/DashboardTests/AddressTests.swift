import HTTPExchange
import PaymentModels
import TestSupport
import Testing

@testable import Dashboard

@Suite("Addresses that no page leads to")
struct AddressTests {
  private static let long = String(repeating: "9f", count: 990)

  @Test(arguments: [
    "/dashboard/reviews?after=-9223372036854775808", "/dashboard/reviews?after=9223372036854775807",
    "/dashboard/payments/\(Sample.paymentID(1))?after=-9223372036854775808",
    "/dashboard/payments/\(Sample.paymentID(1))?after=9223372036854775807",
    "/dashboard/payments?q=\(long)", "/dashboard/payments?provider=\(long)",
    "/dashboard/payments?state=\(long)&before=\(long)", "/dashboard/inbox?state=\(long)",
    "/dashboard/outbox?before=\(long)", "/dashboard?\(String(repeating: "&a=b", count: 490))",
  ])
  func `an odd query costs a page and no more`(target: String) async throws {
    try await ServerWorld.run { world in
      _ = try await world.seed([(world.provider, .pending)])
      let answer = try await Desk.signedIn(world).send("GET", target)
      #expect(answer.status == 200)
      #expect(answer.body.count < 100_000)
    }
  }

  @Test(arguments: ["GET /dashboard", "GET /dashboard/payments", "POST /dashboard/sign-out"])
  func `no answer is kept or framed, with a session or without`(line: String) async throws {
    try await ServerWorld.run { world in
      let words = line.split(separator: " ").map(String.init)
      for desk in [Desk(world), try await Desk.signedIn(world)] {
        let answer = try await desk.send(words[0], words[1])
        #expect(answer.headers["Cache-Control"] == "no-store")
        #expect(answer.headers["X-Frame-Options"] == "DENY")
        #expect(
          answer.headers["Content-Security-Policy"]?.contains("frame-ancestors 'none'") == true)
      }
    }
  }
}
