import CheckoutService
import HTTPExchange
import PaymentModels
import PaymentStore
import ProviderInterface
import TestSupport
import Testing

@Suite("A refund without an end that a person gives up")
struct GivenUpRefundTests {
  /// A world where no read tells of a refund, and a person is asked after three tries.
  private func run(_ body: (ServerWorld, PaymentRow) async throws -> Void) async throws {
    var setup = ServerWorld.Setup.manual
    setup.providers = [FakeProvider { $0.operationsCarryReference = false }]
    setup.tuneCheckouts = { $0.operationTriesMax = 3 }
    try await ServerWorld.run(setup) { world in
      try await body(world, try await world.placed(.authorized))
    }
  }

  private func dismiss(_ world: ServerWorld, _ review: ReviewRow, key: String) async throws -> (
    status: Int, text: String
  ) {
    let answer = try await world.send(
      "POST", "/v1/reviews/\(review.number)/resolve", key: key,
      body: Array(#"{"decision":"dismiss","reason":"it never arrived"}"#.utf8))
    return (answer.status, String(decoding: answer.body, as: UTF8.self))
  }

  private func openCase(_ world: ServerWorld, _ row: PaymentRow) async throws -> ReviewRow {
    let open = try await world.reviews(row.orderID)
    #expect(open.map(\.kind) == [.operationFailed])
    return try #require(open.first)
  }

  private func refunds(_ world: ServerWorld, _ row: PaymentRow) async throws -> [OperationRow] {
    try await world.operations(row.id).filter { $0.kind == .refund }
  }

  @Test func `a second lost refund of the same amount has a case of its own`() async throws {
    try await run { world, row in
      #expect(try await world.operate("captures", row, nil, key: "c").status == 200)
      world.provider.always(.refund, .fail(AnswerClassTests.unknown))
      var details: Set<String> = []
      for number in 1...2 {
        #expect(try await world.refund(row, "60.00", key: "r\(number)").status == 202)
        await world.pass(.seconds(120))
        let lost = try #require(try await refunds(world, row).first { $0.isInFlight })
        let review = try await openCase(world, row)
        #expect(review.detail.contains(lost.id.rawValue))
        details.insert(review.detail)
        #expect(try await dismiss(world, review, key: "d\(number)").status == 200)
      }
      #expect(details.count == 2)
      #expect(try await refunds(world, row).map(\.state) == [.refused, .refused])
      #expect(world.provider.count(.refund) == 2)
    }
  }

  @Test func `a case of a refused capture leaves a refund on its way alone`() async throws {
    try await run { world, row in
      world.provider.script(.capture, .fail(ProviderError(.refused, status: 400, detail: "no")))
      #expect(try await world.operate("captures", row, nil, key: "c1").status != 202)
      let review = try await openCase(world, row)
      #expect(try await world.operate("captures", row, nil, key: "c2").status == 200)
      world.provider.always(.refund, .accept)
      #expect(try await world.refund(row, "60.00", key: "r1").status == 202)
      #expect(try await dismiss(world, review, key: "d").status == 200)
      #expect(try await refunds(world, row).map(\.isInFlight) == [true])
      #expect(try await world.refund(row, "60.00", key: "r2").status == 409)
      #expect(world.provider.count(.refund) == 1)
    }
  }

  @Test func `a late try that is under way keeps its refund from being given up`() async throws {
    try await run { world, row in
      #expect(try await world.operate("captures", row, nil, key: "c").status == 200)
      world.provider.always(.refund, .fail(AnswerClassTests.unknown))
      #expect(try await world.refund(row, "60.00", key: "r1").status == 202)
      await world.pass(.seconds(120))
      let review = try await openCase(world, row)
      world.provider.hold(.read)
      world.clock.setWall(world.clock.now + .seconds(3_600))
      let tries = try #require(try await refunds(world, row).first).tries
      try await world.until("a late try") {
        try await refunds(world, row).first.map { $0.tries > tries } ?? false
      }
      let refused = try await dismiss(world, review, key: "d1")
      #expect(refused.status == 409 && refused.text.contains("decide again in a minute"))
      #expect(try await refunds(world, row).map(\.isInFlight) == [true])
      world.provider.release(.read)
      await world.pass(.seconds(2))
      #expect(try await dismiss(world, review, key: "d2").status == 200)
      #expect(try await refunds(world, row).map(\.state) == [.refused])
      #expect(world.provider.count(.refund) == 1)
    }
  }
}
