import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface
import StrictJSON
import TestSupport
import Testing

@Suite("A create that the provider refuses because of our own keys")
struct UnacceptedKeyTests {
  private static func denied(_ status: Int) -> FakeProvider.Fault {
    .fail(ProviderError(.unauthorized, status: status, detail: "the key is not accepted"))
  }

  @Test(arguments: [401, 403], [false, true])
  func `it ends at once, with an alert, and another is made once the keys are mended`(
    status: Int, hasKeys: Bool
  ) async throws {
    var setup = ServerWorld.Setup()
    setup.providers = [FakeProvider(hasKeys: hasKeys)]
    try await ServerWorld.run(setup) { world in
      world.provider.always(.create, Self.denied(status))
      let first = try await world.checkout()
      #expect(first.status == 201)
      #expect(first.json["state"]?.text == "rejected")
      #expect(first.json["rejection_reason"]?.text == "account_not_accepted")
      #expect(first.json["checkout_url"]?.isNull == true)
      #expect(world.log.count(.error, "a create brought no payment") == 1)
      let order = OrderID(try #require(first.json["order_id"]?.text))
      await world.pass(.seconds(60))
      #expect(world.provider.count(.create) == 1)
      // Nothing is lost: the order stands, and takes the next try.
      #expect(try await world.order(order).state == .pending)
      world.provider.always(.create, nil)
      let again = try await world.checkout(
        key: "k2", #"{"provider":"tabby","order_id":"\#(order)"}"#)
      #expect(again.status == 201)
      #expect(again.json["attempt"]?.int64 == 2)
      #expect(again.json["checkout_url"]?.text != nil)
      #expect(world.provider.payments.count == 1)
    }
  }

  @Test func `with keys of a create that may have been seen it goes on`() async throws {
    var setup = ServerWorld.Setup()
    setup.providers = [FakeProvider(hasKeys: true)]
    try await ServerWorld.run(setup) { world in
      world.provider.script(
        .create, .lose(ProviderError(.unknown, detail: "reset")), Self.denied(401))
      let answer = try await world.checkout()
      #expect(answer.status == 202)
      let id = PaymentID(try #require(answer.json["payment_id"]?.text))
      try await world.until("made") { try await world.payment(id).createState == .created }
      #expect(world.provider.payments.count == 1)
    }
  }
}
