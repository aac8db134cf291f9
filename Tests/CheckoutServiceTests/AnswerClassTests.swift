import CheckoutService
import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface
import StrictJSON
import TestSupport
import Testing

@Suite("FB-25 What a create, read or operation without a good answer means")
struct AnswerClassTests {
  static let notSent = ProviderError(.notSent, detail: "connect refused")
  static let unknown = ProviderError(.unknown, status: 502, detail: "text/html")
  static let refused = ProviderError(.refused, status: 400, code: "bad", detail: "no")

  private static let calls: [(FakeProvider.Call, String)] = [
    (.capture, "captures"), (.refund, "refunds"), (.close, "close"),
  ]

  @Test(arguments: calls)
  func `not sent: the operation is sent again without a read`(
    call: FakeProvider.Call, path: String
  ) async throws {
    try await ServerWorld.run(.manual) { world in
      let row = try await ready(world, call)
      let reads = world.provider.count(.read)
      world.provider.script(call, .fail(Self.notSent), nil)
      #expect(try await world.operate(path, row, amount(call), key: "o1").status == 202)
      try await world.until("done") { try await self.last(world, row)?.state == .done }
      #expect(world.provider.count(call) == 2)
      #expect(world.provider.count(.read) == reads)
    }
  }

  @Test(arguments: calls)
  func `unknown and done: a read finds it, and it is not sent again`(
    call: FakeProvider.Call, path: String
  ) async throws {
    try await ServerWorld.run(.manual) { world in
      let row = try await ready(world, call)
      world.provider.script(call, .lose(Self.unknown))
      #expect(try await world.operate(path, row, amount(call), key: "o1").status == 202)
      #expect(try await last(world, row)?.state == .unknown)
      try await world.until("done") { try await self.last(world, row)?.state == .done }
      #expect(world.provider.count(call) == 1)
      let items = try await world.store.read { try $0.items(of: row.id) }
      #expect(items.filter { $0.kind.rawValue == call.rawValue }.count == (call == .close ? 0 : 1))
    }
  }

  @Test(arguments: calls)
  func `unknown and not done: a read comes before it is sent again`(
    call: FakeProvider.Call, path: String
  ) async throws {
    try await ServerWorld.run(.manual) { world in
      let row = try await ready(world, call)
      let id = try #require(row.providerPaymentID)
      world.provider.script(call, .fail(Self.unknown), nil)
      _ = try await world.operate(path, row, amount(call), key: "o1")
      try await world.until("done") { try await self.last(world, row)?.state == .done }
      let calls = world.provider.calls(id)
      let sends = calls.indices.filter { calls[$0] == call }
      #expect(sends.count == 2)
      #expect(calls[sends[0]..<sends[1]].contains(.read))
    }
  }

  @Test(arguments: calls)
  func `refused at the first send: final, reviewed, and nothing is taken back`(
    call: FakeProvider.Call, path: String
  ) async throws {
    try await ServerWorld.run(.manual) { world in
      let row = try await ready(world, call)
      let before = try await world.order(row.orderID).state
      world.provider.script(call, .fail(Self.refused))
      let answer = try await world.operate(path, row, amount(call), key: "o1")
      #expect(answer.status == 200)
      #expect(answer.text.contains("\"refused\""))
      #expect(try await world.order(row.orderID).state == before)
      #expect(try await world.reviews(row.orderID).map(\.kind) == [.operationFailed])
      await world.pass(.seconds(120))
      #expect(world.provider.count(call) == 1)
    }
  }

  @Test(arguments: calls)
  func `refused after an unknown answer: a read decides`(
    call: FakeProvider.Call, path: String
  ) async throws {
    try await ServerWorld.run(.manual) { world in
      let row = try await ready(world, call)
      // Lost, then not found by the read before the repeat, done late, refused at the repeat.
      world.provider.script(call, .fail(Self.unknown), .lose(Self.refused))
      _ = try await world.operate(path, row, amount(call), key: "o1")
      try await world.until("done") { try await self.last(world, row)?.state == .done }
      #expect(world.provider.count(call) == 2)
      #expect(try await world.reviews(row.orderID) == [])
    }
  }

  @Test func `an unknown capture of a payment that is closed meanwhile is not sent again`()
    async throws
  {
    try await ServerWorld.run(.manual) { world in
      let row = try await world.placed(.authorized)
      let id = try #require(row.providerPaymentID)
      world.provider.script(.capture, .fail(Self.unknown))
      _ = try await world.operate("captures", row, nil, key: "o1")
      world.provider.change(id) { $0.status = .cancelled }
      try await world.until("ended") { try await self.last(world, row)?.state == .refused }
      #expect(world.provider.count(.capture) == 1)
      #expect(try await world.reviews(row.orderID).map(\.kind) == [.operationFailed])
    }
  }

  @Test func `a read after an unknown answer that another capture overtakes is repeated`()
    async throws
  {
    try await ServerWorld.run(.manual) { world in
      let row = try await world.placed(.authorized)
      world.provider.script(.capture, .lose(Self.unknown))
      _ = try await world.operate("captures", row, "60.00", key: "o1")
      // Answered "authorized, 60 captured" by the provider, and on its way for long.
      world.provider.hold(.read)
      try await world.until("read") { world.provider.heldCount > 0 }
      _ = try await world.operate("captures", row, "40.00", key: "o2")
      #expect(try await world.payment(row.id).status == .captured)
      world.provider.release(.read)
      await world.pass(.seconds(5))
      #expect(try await world.operations(row.id).allSatisfy { $0.state == .done })
      #expect(try await world.payment(row.id).status == .captured)
      #expect(try await world.order(row.orderID).state == .paid)
      #expect(try await world.reviews(row.orderID) == [])
    }
  }

  @Test func `an answer to a capture that a newer read overtakes takes no state back`()
    async throws
  {
    try await ServerWorld.run(.manual) { world in
      let row = try await world.placed(.authorized)
      let id = try #require(row.providerPaymentID)
      world.provider.hold(.capture)
      async let answer = world.operate("captures", row, "60.00", key: "o1")
      try await world.untilStill("sent") { world.provider.heldCount > 0 }
      // The rest is captured in the provider's dashboard, and the webhook comes first.
      world.provider.change(id) { reading in
        reading.status = .captured
        reading.items.append(
          PaymentItem(
            kind: .capture, providerItemID: "dashboard", reference: nil,
            amount: Money(minorUnits: 4_000, currency: Sample.aed), createdAt: nil))
      }
      try await world.deliver(world.provider.webhook(id))
      try await world.until("captured") { try await world.payment(row.id).status == .captured }
      world.provider.release(.capture)
      _ = try await answer
      try await world.until("done") { try await self.last(world, row)?.state == .done }
      #expect(try await world.payment(row.id).status == .captured)
      #expect(try await world.order(row.orderID).state == .paid)
      #expect(try await world.reviews(row.orderID) == [])
    }
  }

  @Test func `a read without an amount is no proof that a capture was not made`() async throws {
    try await ServerWorld.run(.manual) { world in
      let row = try await world.placed(.authorized)
      let id = try #require(row.providerPaymentID)
      world.provider.script(.capture, .fail(Self.unknown))
      world.provider.change(id) { $0.amount = nil }
      _ = try await world.operate("captures", row, "60.00", key: "o1")
      await world.pass(.seconds(30))
      #expect(world.provider.count(.capture) == 1)
      #expect(try await last(world, row)?.state == .unknown)
    }
  }

  @Test func `an operation without an end is put before a person and goes on slowly`() async throws
  {
    var setup = ServerWorld.Setup.manual
    setup.tuneCheckouts = { $0.operationTriesMax = 3 }
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed(.authorized)
      world.provider.always(.capture, .fail(Self.unknown))
      _ = try await world.operate("captures", row, nil, key: "o1")
      await world.pass(.seconds(60))
      #expect(try await last(world, row)?.state == .unknown)
      #expect(try await world.reviews(row.orderID).map(\.kind) == [.operationFailed])
      #expect(world.provider.count(.capture) == 3)
      world.provider.always(.capture, nil)
      await world.pass(.seconds(3_600))
      try await world.until("done") { try await self.last(world, row)?.state == .done }
    }
  }

  @Test(arguments: [notSent, unknown])
  func `a create that is not sent or not known stays pending and is made later`(
    error: ProviderError
  ) async throws {
    try await ServerWorld.run { world in
      world.provider.script(.create, .fail(error), .fail(error))
      let answer = try await world.checkout()
      #expect(answer.json["state"]?.text == "creating")
      #expect(answer.json["order_state"]?.text == "pending")
      let id = PaymentID(try #require(answer.json["payment_id"]?.text))
      try await world.until("made") { try await world.payment(id).createState == .created }
      #expect(world.provider.count(.create) == 3)
    }
  }

  @Test func `a create that is refused at once ends its attempt, and another may be made`()
    async throws
  {
    try await ServerWorld.run { world in
      world.provider.script(.create, .fail(Self.refused))
      let answer = try await world.checkout()
      #expect(answer.status == 201)
      #expect(answer.json["state"]?.text == "rejected")
      #expect(answer.json["checkout_url"]?.isNull == true)
      #expect(answer.json["order_state"]?.text == "pending")
      let order = try #require(answer.json["order_id"]?.text)
      let second = try await world.checkout(
        key: "k2", #"{"provider":"tabby","order_id":"\#(order)"}"#)
      #expect(second.json["attempt"]?.int64 == 2)
      #expect(second.json["checkout_url"]?.text != nil)
    }
  }

  @Test func `a create with keys that may have been seen is not ended by a refusal`() async throws {
    var setup = ServerWorld.Setup()
    setup.providers = [FakeProvider(hasKeys: true)]
    try await ServerWorld.run(setup) { world in
      // The claim is on disk, the process forgets that it sent: as after a kill.
      world.provider.script(.create, .lose(Self.unknown), .fail(Self.refused), nil)
      world.store.failOneWrite(after: 2)
      let answer = try await world.checkout()
      let id = PaymentID(try #require(answer.json["payment_id"]?.text))
      try await world.until("made", within: .seconds(200)) {
        try await world.payment(id).createState != .intent
      }
      #expect(try await world.payment(id).createState == .created)
      #expect(world.provider.payments.count == 1)
    }
  }

  private func ready(
    _ world: ServerWorld, _ call: FakeProvider.Call
  ) async throws -> PaymentRow {
    let row = try await world.placed(.authorized)
    if call == .refund {
      _ = try await world.operate("captures", row, nil, key: "c0")
      await world.pause(.milliseconds(10))
    }
    return try await world.payment(row.id)
  }

  private func amount(_ call: FakeProvider.Call) -> String? { call == .close ? nil : "40.00" }

  private func last(_ world: ServerWorld, _ row: PaymentRow) async throws -> OperationRow? {
    try await world.operations(row.id).max { $0.createdAt < $1.createdAt }
  }
}
