import CheckoutService
import PaymentModels
import PaymentStore
import StrictJSON
import TestSupport
import Testing

@Suite("An account that does not answer")
struct SlowAccountTests {
  private func twoAccounts() -> ServerWorld.Setup {
    var setup = ServerWorld.Setup()
    setup.providers = [FakeProvider(), FakeProvider(name: ProviderName("futa"), family: 8)]
    setup.tuneCheckouts = { settings in
      settings.callsMax = 2
      settings.createWait = .milliseconds(500)
    }
    return setup
  }

  @Test func `keeps no other account's checkouts waiting`() async throws {
    let setup = twoAccounts()
    try await ServerWorld.run(setup) { world in
      world.provider.hold(.create)
      for number in 1...4 {
        let slow = try await world.checkout(key: "slow-\(number)")
        #expect(slow.status == 202)
      }
      #expect(world.provider.heldCount == 2)
      let quick = try await world.checkout(
        key: "quick", #"{"provider":"futa","items":[{"product_id":"lamp","quantity":1}]}"#)
      #expect(quick.status == 201)
      #expect(quick.json["checkout_url"]?.text != nil)
    }
  }

  @Test func `keeps no other account's captures waiting`() async throws {
    let setup = twoAccounts()
    let (slow, quick) = (setup.providers[0], setup.providers[1])
    try await ServerWorld.run(setup) { world in
      slow.hold(.capture)
      for number in 1...3 { _ = try await world.placed(.authorized, key: "slow-\(number)") }
      try await world.until("stuck") { slow.heldCount == 2 }
      let json = try await world.checkout(
        key: "quick", #"{"provider":"futa","items":[{"product_id":"lamp","quantity":1}]}"#
      ).json
      let payment = try await world.payment(PaymentID(try #require(json["payment_id"]?.text)))
      let id = try #require(payment.providerPaymentID)
      quick.change(id) { $0.status = .authorized }
      try await world.deliver(quick.webhook(id))
      try await world.until("paid", within: .seconds(5)) {
        try await world.order(payment.orderID).state == .paid
      }
    }
  }

  @Test func `an account that is not configured any more is passed over`() async throws {
    var setup = twoAccounts()
    let retired = FakeProvider(name: ProviderName("futa"), account: "old", family: 8)
    setup.providers = [FakeProvider()]
    try await ServerWorld.run(setup) { world in
      let old = try await world.seed([(retired, .authorized)])[0]
      let shown = try await world.get("/v1/payments/\(old.id)")
      #expect(shown["fresh"]?.boolean == false)
      let row = try await world.placed(.authorized)
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      #expect(retired.count(.read) == 0)
    }
  }
}
