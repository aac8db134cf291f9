import CheckoutService
import HTTPExchange
import PaymentModels
import PaymentStore
import ProviderInterface
import TestSupport
import Testing

@Suite("A refund that the provider takes on and shows later, or never")
struct AcceptedRefundTests {
  private func run(
    carriesReference: Bool = true, _ body: (ServerWorld, PaymentRow) async throws -> Void
  ) async throws {
    var setup = ServerWorld.Setup.manual
    setup.providers = [
      FakeProvider { $0.operationsCarryReference = carriesReference }
    ]
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed(.authorized)
      #expect(try await world.operate("captures", row, nil, key: "c").status == 200)
      world.provider.always(.refund, .accept)
      try await body(world, try await world.payment(row.id))
    }
  }

  private func refund(_ world: ServerWorld, _ row: PaymentRow) async throws -> OperationRow? {
    try await world.operations(row.id).first { $0.kind == .refund }
  }

  private func shown(_ world: ServerWorld, _ row: PaymentRow, _ reference: String?) throws {
    let id = try #require(row.providerPaymentID)
    world.provider.change(id) { reading in
      reading.items.append(
        PaymentItem(
          kind: .refund, providerItemID: "bank", reference: reference,
          amount: Money(minorUnits: 6_000, currency: Sample.aed), createdAt: nil))
    }
  }

  @Test(arguments: [true, false])
  func `it counts as on its way, is not sent again, and is done once it shows`(
    carriesReference: Bool
  ) async throws {
    try await run(carriesReference: carriesReference) { world, row in
      let answer = try await world.refund(row, "60.00", key: "r1")
      #expect(answer.status == 202 && answer.text.contains(#""state":"accepted""#))
      #expect(try await world.refund(row, "60.00", key: "r2").status == 409)
      await world.pass(.seconds(120))
      #expect(world.provider.count(.refund) == 1)
      let operation = try #require(try await refund(world, row))
      #expect(operation.isInFlight)
      try shown(world, row, carriesReference ? operation.id.rawValue : nil)
      try await world.until("done", within: .seconds(400)) {
        try await refund(world, row)?.state == .done
      }
      #expect(try await world.messages(row.orderID) == [.fulfil, .refunded])
      #expect(try await world.refund(row, "40.01", key: "r3").status == 409)
      #expect(try await world.reviews(row.orderID) == [])
    }
  }

  @Test func `after three days a person is asked, and may give it up and refund anew`()
    async throws
  {
    try await run { world, row in
      #expect(try await world.refund(row, "60.00", key: "r1").status == 202)
      world.clock.setWall(world.clock.now + .seconds(3 * 86_400 - 10))
      await world.pass(.seconds(2))
      #expect(try await world.reviews(row.orderID) == [])
      world.clock.setWall(world.clock.now + .seconds(7_300))
      try await world.until("asked") { try await !world.reviews(row.orderID).isEmpty }
      let review = try #require(try await world.reviews(row.orderID).first)
      #expect(review.kind == .operationFailed)
      #expect(world.provider.count(.refund) == 1)
      let answer = try await world.send(
        "POST", "/v1/reviews/\(review.number)/resolve", key: "d",
        body: Array(#"{"decision":"dismiss","reason":"the bank sent it back"}"#.utf8))
      #expect(answer.status == 200)
      #expect(try await refund(world, row)?.state == .refused)
      world.provider.always(.refund, nil)
      #expect(try await world.refund(row, "60.00", key: "r2").status == 200)
      #expect(try await world.messages(row.orderID).count { $0 == .refunded } == 1)
    }
  }

  @Test func `a refund of which nothing is known is put before a person, who ends it`() async throws
  {
    var setup = ServerWorld.Setup.manual
    setup.providers = [FakeProvider { $0.operationsCarryReference = false }]
    setup.tuneCheckouts = { $0.operationTriesMax = 3 }
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed(.authorized)
      #expect(try await world.operate("captures", row, nil, key: "c").status == 200)
      world.provider.always(.refund, .fail(AnswerClassTests.unknown))
      #expect(try await world.refund(row, "60.00", key: "r1").status == 202)
      await world.pass(.seconds(120))
      // No read could tell a second refund from the first, so there is none.
      #expect(world.provider.count(.refund) == 1)
      let review = try #require(try await world.reviews(row.orderID).first)
      #expect(review.kind == .operationFailed)
      #expect(try await refund(world, row)?.isInFlight == true)
      let dismissal = Array(#"{"decision":"dismiss","reason":"it never arrived"}"#.utf8)
      let answer = try await world.send(
        "POST", "/v1/reviews/\(review.number)/resolve", key: "d", body: dismissal)
      #expect(answer.status == 200)
      #expect(try await refund(world, row)?.state == .refused)
      world.provider.always(.refund, nil)
      #expect(try await world.refund(row, "60.00", key: "r2").status == 202)
    }
  }

  @Test func `a refund that fails after it had shown is put before a person, and no goods go out`()
    async throws
  {
    try await run { world, row in
      world.provider.always(.refund, nil)
      #expect(try await world.refund(row, nil, key: "r1").status == 200)
      #expect(try await world.order(row.orderID).state == .refunded)
      let id = try #require(row.providerPaymentID)
      world.provider.change(id) { reading in
        for index in reading.items.indices where reading.items[index].kind == .refund {
          reading.items[index].amount = Money(minorUnits: 0, currency: Sample.aed)
        }
      }
      try await world.deliver(world.provider.webhook(id, for: row.id, rest: "failed"))
      try await world.until("reviewed") {
        try await world.order(row.orderID).state == .needsReview
      }
      #expect(
        Set(try await world.reviews(row.orderID).map(\.kind)) == [.operationFailed, .lateMoney])
      #expect(try await world.messages(row.orderID).count { $0 == .fulfil } == 1)
    }
  }
}
