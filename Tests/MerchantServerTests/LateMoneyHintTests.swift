import HTTPExchange
import PaymentModels
import PaymentStore
import TestSupport
import Testing

@Suite("A payer who comes back to a payment that ended unpaid")
struct LateMoneyHintTests {
  @Test(arguments: [PaymentStatus.expired, .rejected, .cancelled])
  func `has it read, so that money which came late is known`(end: PaymentStatus) async throws {
    try await ServerWorld.run { world in
      let row = try await ended(end, in: world)
      let id = try #require(row.providerPaymentID)
      world.provider.change(id) { $0.status = .authorized }
      try await signal("returned_success", row.id, world)
      try await world.until("held") {
        try await world.payment(row.id).status.holdsMoney
      }
    }
  }

  @Test func `has it read once, however often the device says so`() async throws {
    try await ServerWorld.run { world in
      let row = try await ended(.expired, in: world)
      let reads = world.provider.count(.read)
      for _ in 0..<20 { try await signal("foreground", row.id, world) }
      try await world.until("read") { world.provider.count(.read) > reads }
      #expect(world.provider.count(.read) <= reads + 2)
      #expect(try await world.payment(row.id).status == .expired)
    }
  }

  private func ended(_ end: PaymentStatus, in world: ServerWorld) async throws -> PaymentRow {
    let row = try await world.placed()
    let id = try #require(row.providerPaymentID)
    world.provider.change(id) { $0.status = end }
    #expect(try await world.deliver(world.provider.webhook(id, rest: "end")) == 200)
    try await world.until("ended") { try await world.payment(row.id).status == end }
    await world.pass(.seconds(600))
    return row
  }

  private func signal(_ word: String, _ id: PaymentID, _ world: ServerWorld) async throws {
    let response = try await world.send(
      "POST", "/v1/payments/\(id)/signals", token: ServerWorld.user,
      body: Array(#"{"signal":"\#(word)"}"#.utf8))
    #expect(response.status == 202)
  }
}
