import PaymentModels
import PaymentStore
import TestSupport
import Testing

@testable import Dashboard

@Suite("The timeline of a payment")
struct TimelineTests {
  private static let (device, server, provider) = ("16.667%", "50%", "83.333%")

  /// The row of a line that is the last of its journal.
  private func row(_ entry: JournalEntry) async throws -> String {
    var lines: [String] = []
    try await ServerWorld.run { world in
      _ = try await world.seed([(world.provider, .pending)])
      try await world.store.write { try $0.appendJournal(entry) }
      let page = try await Desk.signedIn(world).get("/dashboard/payments/\(Sample.paymentID(1))")
      lines = page.split(separator: "<tr class=").map(String.init).filter { $0.contains("lanes") }
    }
    return try #require(lines.last)
  }

  private func entry(
    _ channel: Channel, _ trust: TrustClass, _ event: String, change: String? = nil
  ) -> JournalEntry {
    JournalEntry(
      at: Sample.start, orderID: Sample.orderID(1), paymentID: Sample.paymentID(1),
      channel: channel, trust: trust, event: event, change: change)
  }

  @Test func `a proof comes from the provider, also where the app asked for the read`()
    async throws
  {
    let line = try await row(entry(.device, .proof, "read", change: "created → authorized"))
    #expect(line.contains("<svg x=\"\(Self.provider)\""))
    #expect(!line.contains("<svg x=\"\(Self.device)\""))
    #expect(line.contains("state l-authorized"))
    #expect(line.contains("A read that the app asked for proved: created → authorized."))
  }

  @Test func `a hint comes from the device, and moves no state`() async throws {
    let line = try await row(entry(.device, .hint, "closed"))
    #expect(line.contains("<svg x=\"\(Self.device)\""))
    #expect(!line.contains("<svg x=\"\(Self.provider)\""))
    #expect(line.contains("state l-created") && !line.contains("state l-authorized"))
  }

  @Test func `what the server decides stands in its own lane`() async throws {
    let line = try await row(entry(.system, .proof, "order", change: "pending → authorized"))
    #expect(line.contains("<svg x=\"\(Self.server)\"") && !line.contains("class=\"arrow"))
    #expect(!line.contains("state l-authorized"))
  }

  @Test func `the list says that the app's read learned it`() async throws {
    try await ServerWorld.run { world in
      _ = try await world.seed([(world.provider, .authorized)])
      let line = entry(.device, .proof, "read", change: "created → authorized")
      try await world.store.write { try $0.appendJournal(line) }
      let page = try await Desk.signedIn(world).get("/dashboard/payments")
      #expect(page.contains("<td data-name=\"Learned by\">read for the app, "))
    }
  }
}
