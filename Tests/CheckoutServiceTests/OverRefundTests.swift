import CheckoutService
import HTTPExchange
import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface
import StrictJSON
import TestSupport
import Testing

@Suite("FB-21 More is refunded than was captured")
struct OverRefundTests {
  @Test func `the limit is what was captured less what went back or is on its way`() async throws {
    try await ServerWorld.run(.manual) { world in
      let row = try await capturedSixty(world)
      let steps: [(amount: String, status: Int, told: String, order: OrderState)] = [
        ("59.99", 200, "\"done\"", .paid), ("0.02", 409, "Left to refund: 0.01 AED", .paid),
        ("0.01", 200, "\"done\"", .refunded), ("0.01", 409, "Left to refund: 0.00 AED", .refunded),
      ]
      for (index, step) in steps.enumerated() {
        let answer = try await world.refund(row, step.amount, key: "r\(index)")
        #expect(answer.status == step.status)
        #expect(answer.text.contains(step.told))
        #expect(try await world.order(row.orderID).state == step.order)
        let shown = try await world.get("/v1/payments/\(row.id)")
        #expect(shown["refunded"]?.text == (index < 2 ? "59.99" : "60.00"))
      }
      let rest = try await world.refund(row, nil, key: "rest")
      #expect(rest.status == 409)
      #expect(rest.text.contains("\"Left to refund: 0.00 AED.\""))
      #expect(try await world.cancel(row.orderID) == 409)
      #expect(world.provider.count(.refund) == 2)
      #expect(try await world.order(row.orderID).state == .refunded)
      #expect(try await world.messages(row.orderID).suffix(2) == [.refunded, .revoke])
    }
  }

  @Test(arguments: [
    ("0", 422), ("0.00", 422), ("-5.00", 422), ("60.01", 409), ("100.00", 409), ("1e1", 422),
    ("10.000", 422), ("10.00 SAR", 422), ("", 422),
  ])
  func `what cannot be right is refused here and not sent`(
    amount: String, status: Int
  ) async throws {
    try await ServerWorld.run(.manual) { world in
      let row = try await capturedSixty(world)
      let answer = try await world.refund(row, amount, key: "r1")
      #expect(answer.status == status)
      // No text at all is refused before the payment is looked at.
      #expect(amount.isEmpty || answer.text.contains("Left to refund: 60.00 AED"))
      #expect(world.provider.count(.refund) == 0)
      #expect(try await world.operations(row.id).filter { $0.kind == .refund } == [])
    }
  }

  @Test func `a refund has the currency of its payment, and names none`() async throws {
    try await ServerWorld.run(.manual) { world in
      let row = try await capturedSixty(world)
      for (body, member) in [
        (#"{"amount":"10.00","currency":"SAR","reason":"as asked"}"#, "currency"),
        // An amount is text: a number may have been a binary float on its way.
        (#"{"amount":10.00,"reason":"as asked"}"#, "amount"),
      ] {
        let answer = try await world.send(
          "POST", "/v1/payments/\(row.id)/refunds", key: "r1", body: Array(body.utf8))
        #expect(answer.status == 422)
        #expect(String(decoding: answer.body, as: UTF8.self).contains(member))
      }
      #expect(world.provider.count(.refund) == 0)
    }
  }

  @Test func `nothing captured, nothing refunded`() async throws {
    try await ServerWorld.run(.manual) { world in
      let row = try await world.placed(.authorized)
      for (index, amount) in ["1.00", nil].enumerated() {
        let answer = try await world.refund(row, amount, key: "r\(index)")
        #expect(answer.status == 409)
        #expect(answer.text.contains("Left to refund: 0.00 AED"))
      }
      #expect(world.provider.count(.refund) == 0)
    }
  }

  @Test func `all that is left is asked of the provider first`() async throws {
    try await ServerWorld.run(.manual) { world in
      let row = try await capturedSixty(world)
      let id = try #require(row.providerPaymentID)
      world.provider.change(id) { reading in
        reading.items.append(
          PaymentItem(
            kind: .refund, providerItemID: "dashboard", reference: nil,
            amount: Money(minorUnits: 5_999, currency: Sample.aed), createdAt: nil))
      }
      let answer = try await world.refund(row, nil, key: "r1")
      #expect(answer.status == 200)
      #expect(answer.text.contains("\"0.01\""))
      #expect(try await world.order(row.orderID).state == .refunded)
    }
  }

  @Test func `all that is left is not known while the provider cannot be read`() async throws {
    try await ServerWorld.run(.manual) { world in
      let row = try await capturedSixty(world)
      world.provider.always(.read, .fail(ProviderError(.unknown, detail: "out")))
      #expect(try await world.refund(row, nil, key: "r1").status == 503)
      #expect(world.provider.count(.refund) == 0)
    }
  }

  @Test(arguments: [2, 8])
  func `refunds at the same moment never take more than there is`(count: Int) async throws {
    try await ServerWorld.run(.manual) { world in
      let row = try await capturedSixty(world)
      world.provider.hold(.refund)
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<count {
          group.addTask { try await world.refund(row, "40.00", key: "r\(number)").status }
        }
        try await world.until("one is sent") { world.provider.heldCount == 1 }
        await world.pause(.milliseconds(100))
        world.provider.release(.refund)
        let statuses = try await group.reduce(into: [Int]()) { $0.append($1) }
        #expect(statuses.sorted() == [200] + Array(repeating: 409, count: count - 1))
      }
      #expect(world.provider.count(.refund) == 1)
    }
  }

  /// 100.00 held, 60.00 captured, the rest let go: a lowered due, by our own decision.
  private func capturedSixty(_ world: ServerWorld) async throws -> PaymentRow {
    let row = try await world.placed(.authorized)
    #expect(try await world.operate("captures", row, "60.00", key: "c1").status == 200)
    #expect(try await world.operate("close", row, nil, key: "c2").status == 200)
    #expect(try await world.order(row.orderID).loweredDue == 6_000)
    #expect(try await world.order(row.orderID).state == .paid)
    #expect(try await world.reviews(row.orderID) == [])
    return try await world.payment(row.id)
  }
}
