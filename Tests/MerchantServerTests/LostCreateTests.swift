import CheckoutService
import HTTPExchange
import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface
import StatusSync
import StrictJSON
import TestSupport
import Testing

@Suite("FB-13 Payment was created but the answer was lost; double tap")
struct LostCreateTests {
  struct Loss: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let error: ProviderError
  }

  private static let losses = [
    Loss(
      testDescription: "a: closed without an answer",
      error: ProviderError(.unknown, detail: "reset after the request was sent")),
    Loss(
      testDescription: "b: answered after the deadline",
      error: ProviderError(.unknown, detail: "read timeout")),
    Loss(
      testDescription: "c: body cut short",
      error: ProviderError(.unknown, status: 200, detail: "unreadable body")),
  ]

  @Test(arguments: losses, [true, false])
  func `one page is ever handed out, whatever was lost`(loss: Loss, hasKeys: Bool) async throws {
    var setup = ServerWorld.Setup()
    setup.providers = [FakeProvider(hasKeys: hasKeys)]
    setup.tuneCheckouts = { $0.createWait = .milliseconds(100) }
    try await ServerWorld.run(setup) { world in
      world.provider.script(.create, .lose(loss.error))
      let first = try await world.checkout()
      #expect(first.status == 202)
      #expect(first.json["state"]?.text == "creating")
      #expect(first.json["checkout_url"]?.isNull == true)
      #expect(first.json["fresh"]?.boolean == false)
      try await world.until("made after all") { world.provider.count(.create) == 2 }
      let again = try await world.checkout()
      #expect(again.status == 201)
      #expect(again.json["payment_id"] == first.json["payment_id"])
      let url = try #require(again.json["checkout_url"]?.text)
      let byOrder = try await world.checkout(
        key: "k2",
        #"{"provider":"tabby","order_id":"\#(first.json["order_id"]?.text ?? "")"}"#)
      #expect(byOrder.json["checkout_url"]?.text == url)
      #expect(try await world.paymentCount() == 1)
      // Without keys a lost payment cannot be found again; its page reached nobody.
      #expect(world.provider.payments.count == (hasKeys ? 1 : 2))
    }
  }

  @Test func `what was sent to make a payment is erased once its outcome is known`() async throws {
    var setup = ServerWorld.Setup()
    setup.tuneCheckouts = { $0.createWait = .milliseconds(100) }
    try await ServerWorld.run(setup) { world in
      world.provider.script(.create, .lose(ProviderError(.unknown, detail: "reset")))
      // Else the repeat may be through before the row is looked at.
      world.provider.hold(.create)
      let json = try await world.checkout().json
      let id = PaymentID(try #require(json["payment_id"]?.text))
      // The same bytes may go out again: they name the buyer.
      #expect(try await world.payment(id).createState == .intent)
      #expect(try await world.payment(id).createRequest.isEmpty == false)
      world.provider.release(.create)
      try await world.until("made") { try await world.payment(id).createState == .created }
      #expect(try await world.payment(id).createRequest.isEmpty)

      world.provider.script(.create, .fail(ProviderError(.refused, code: "no", detail: "no")))
      let refused = try await world.checkout(key: "k2").json
      let other = PaymentID(try #require(refused["payment_id"]?.text))
      try await world.until("refused") { try await world.payment(other).createState == .refused }
      #expect(try await world.payment(other).createRequest.isEmpty)
    }
  }

  @Test func `an event of the payment whose answer was lost is matched and its money counts`()
    async throws
  {
    try await ServerWorld.run { world in
      world.provider.script(.create, .lose(ProviderError(.unknown, detail: "reset")))
      let json = try await world.checkout().json
      let id = PaymentID(try #require(json["payment_id"]?.text))
      try await world.until("made") { try await world.payment(id).createState == .created }
      let twin = world.provider.id(1)
      #expect(try await world.payment(id).providerPaymentID == world.provider.id(2))
      world.provider.change(twin) { $0.status = .authorized }
      #expect(try await world.deliver(world.provider.webhook(twin, for: id)) == 200)
      let order = try await world.payment(id).orderID
      try await world.until("paid") { try await world.order(order).state == .paid }
      #expect(try await world.messages(order) == [.fulfil])
      let byTwin = try await world.get("/v1/payments/\(twin)", token: ServerWorld.user)
      #expect(byTwin["payment_id"]?.text == id.rawValue)
    }
  }

  @Test(arguments: [true, false])
  func `reads of a lost twin neither put the next send off nor make a refusal final`(
    hasKeys: Bool
  ) async throws {
    var setup = ServerWorld.Setup()
    setup.providers = [FakeProvider(hasKeys: hasKeys)]
    setup.tuneCheckouts = {
      $0.createWait = .milliseconds(100)
      $0.backoff = RetryPolicy(first: .seconds(400), cap: .seconds(400))
    }
    try await ServerWorld.run(setup) { world in
      let reset = ProviderError(.unknown, detail: "reset")
      let refused = ProviderError(.refused, code: "no", detail: "no")
      world.provider.script(.create, .lose(reset), .fail(refused))
      let json = try await world.checkout().json
      let id = PaymentID(try #require(json["payment_id"]?.text))
      #expect(try await world.deliver(world.provider.webhook(world.provider.id(1), for: id)) == 200)
      try await world.until("read") { world.provider.count(.read) >= 1 }
      // Somebody asks all the time, past the provider's own schedule, and every read succeeds.
      for time in 0..<45 {
        let (reads, creates) = (world.provider.count(.read), world.provider.count(.create))
        #expect(time > 19 || creates == 1, "not before half of its wait is over")
        let signal = try await world.send(
          "POST", "/v1/payments/\(id)/signals", token: ServerWorld.user,
          body: Array(#"{"signal":"foreground"}"#.utf8))
        #expect(signal.status == 202)
        if creates == 1 {
          try await world.until("read again") { world.provider.count(.read) > reads }
        }
        await world.pass(.seconds(10))
      }
      #expect(world.provider.count(.create) == 2)
      // With keys the refusal may come of the first send; without, it is an answer to the second.
      #expect(try await world.payment(id).status == (hasKeys ? .created : .rejected))
    }
  }

  @Test(arguments: [true, false])
  func `d: two taps 30 ms apart get the same page`(byOrder: Bool) async throws {
    try await ServerWorld.run { world in
      var bodies = [("k1", #"{"provider":"tabby","items":[{"product_id":"lamp","quantity":1}]}"#)]
      if byOrder {
        try await world.store.seed(payments: 0)
        try await world.store.write { transaction in
          guard var order = try transaction.order(Sample.orderID(1)) else { return }
          order.subject = Subject("u-1")
          try transaction.updateOrder(order)
        }
        let body = #"{"provider":"tabby","order_id":"\#(Sample.orderID(1))"}"#
        bodies = [("k1", body), ("k2", body)]
      }
      let (first, second) = (bodies[0], bodies[bodies.count - 1])
      world.provider.hold(.create)
      async let one = world.checkout(key: first.0, first.1)
      try await world.until("the first is under way") { world.provider.heldCount == 1 }
      await world.pause(.milliseconds(30))
      async let two = world.checkout(key: second.0, second.1)
      await world.pause(.milliseconds(30))
      world.provider.release(.create)
      let (left, right) = try await (one, two)
      #expect(left.json["checkout_url"]?.text == "https://pay.example/\(world.provider.id(1))")
      #expect(left.json["checkout_url"] == right.json["checkout_url"])
      #expect(left.json["payment_id"] == right.json["payment_id"])
      #expect(world.provider.count(.create) == 1)
      #expect([left.status, right.status] == [201, 201])
      // The second key names the same payment from now on, and no other terms.
      let reused = try await world.checkout(
        key: second.0, #"{"provider":"tabby","items":[{"product_id":"lamp","quantity":2}]}"#)
      #expect(reused.status == 409)
      #expect(try await world.paymentCount() == 1)
    }
  }

  @Test(arguments: [true, false])
  func `e: killed between the answer and the commit, the next life makes one page`(
    hasKeys: Bool
  ) async throws {
    var setup = ServerWorld.Setup()
    setup.providers = [FakeProvider(hasKeys: hasKeys)]
    setup.tuneCheckouts = { $0.createWait = .milliseconds(100) }
    let provider = setup.providers[0]
    var payment: PaymentID?
    try await ServerWorld.run(setup) { world in
      provider.hold(.create)
      let json = try await world.checkout().json
      payment = json["payment_id"]?.text.map { PaymentID($0) }
      #expect(provider.payments.count == 1)
      // The answer is on its way; its commit never comes.
      world.store.failWrites(StoreError(.unusable, "killed"))
    }
    let id = try #require(payment)
    setup.seed = 2
    try await ServerWorld.run(setup) { world in
      #expect(try await world.payment(id).createState == .intent)
      try await world.until("made", within: .seconds(90)) {
        try await world.payment(id).createState == .created
      }
      let again = try await world.checkout()
      #expect(again.json["payment_id"]?.text == id.rawValue)
      #expect(
        again.json["checkout_url"]?.text == "https://pay.example/\(provider.id(hasKeys ? 1 : 2))")
      #expect(provider.payments.count == (hasKeys ? 1 : 2))
      #expect(try await world.paymentCount() == 1)
    }
  }

  @Test func `an answer after its payment was made otherwise is kept findable`() async throws {
    var setup = ServerWorld.Setup()
    setup.tuneCheckouts = { $0.createWait = .milliseconds(100) }
    let rest = setup
    // The first process is stuck in its call and looks at nothing else.
    setup.tuneSync = { $0.tick = .seconds(100_000) }
    try await ServerWorld.run(setup) { slow in
      slow.provider.hold(.create)
      let json = try await slow.checkout().json
      let id = PaymentID(try #require(json["payment_id"]?.text))
      await slow.pass(.seconds(61))
      // Another process takes the create up once the lease is over.
      var other = rest
      other.seed = 2
      other.providers = [FakeProvider(family: 8)]
      try await ServerWorld.run(other) { world in
        try await world.until("made") { try await world.payment(id).createState == .created }
      }
      slow.provider.release(.create)
      try await slow.until("linked") {
        try await slow.store.read { try $0.providerPaymentIDs(of: id).count == 2 }
      }
      #expect(
        try await slow.payment(id).checkoutURL == "https://pay.example/\(other.providers[0].id(1))")
    }
  }
}
