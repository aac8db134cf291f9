import CheckoutService
import PaymentModels
import PaymentStore
import ProviderInterface
import TestSupport
import Testing

@Suite("An operation that the provider does not have is refused before anything is stored")
struct OperationOfferTests {
  private static func setup(
    _ tune: (inout ProviderCapabilities) -> Void
  ) -> ServerWorld.Setup {
    var setup = ServerWorld.Setup.manual
    setup.providers = [FakeProvider(tune: tune)]
    return setup
  }

  private static let nothing = setup { capabilities in
    capabilities.capture = .automatic
    capabilities.close = .none
    capabilities.refund = .none
  }

  @Test(arguments: [
    ("captures", "takes the money by itself"), ("refunds", "has no refund"),
    ("close", "has no close"),
  ])
  func `the answer names the provider and what it lacks`(
    path: String, reason: String
  ) async throws {
    try await ServerWorld.run(Self.nothing) { world in
      let row = try await world.placed(.authorized)
      let answer = try await world.operate(path, row, nil, key: "o1")
      #expect(answer.status == 422)
      #expect(answer.text.contains("operation_not_offered"))
      #expect(answer.text.contains("tabby \(reason)"))
      #expect(try await world.operations(row.id) == [])
      for call in [FakeProvider.Call.capture, .refund, .close] {
        #expect(world.provider.count(call) == 0)
      }
    }
  }

  @Test func `a part is not refunded where only the whole can be`() async throws {
    try await ServerWorld.run(Self.setup { $0.refund = .full }) { world in
      let row = try await world.placed(.authorized)
      _ = try await world.operate("captures", row, nil, key: "c1")
      let part = try await world.refund(row, "99.99", key: "r1")
      #expect(part.status == 422)
      #expect(part.text.contains("100.00 AED"))
      #expect(world.provider.count(.refund) == 0)
      #expect(try await world.refund(row, "100.00", key: "r2").status == 200)
      #expect(try await world.order(row.orderID).state == .refunded)
    }
  }

  @Test(arguments: [
    (ProviderCapabilities.Close.authorized, PaymentStatus.authorized, 200),
    (.authorized, .pending, 409), (.unpaid, .authorized, 200), (.unpaid, .pending, 200),
    (.unpaid, .captured, 409),
  ])
  func `a close ends what the provider lets it end`(
    close: ProviderCapabilities.Close, status: PaymentStatus, answer: Int
  ) async throws {
    try await ServerWorld.run(Self.setup { $0.close = close }) { world in
      let row = try await world.placed(status)
      #expect(try await world.operate("close", row, nil, key: "o1").status == answer)
      if answer == 200 { #expect(try await world.payment(row.id).status == .cancelled) }
    }
  }

  @Test func `an order whose money cannot be let go is not cancelled`() async throws {
    try await ServerWorld.run(Self.nothing) { world in
      let row = try await world.placed(.authorized)
      #expect(try await world.cancel(row.orderID) == 422)
      #expect(try await world.order(row.orderID).cancelRequestedAt == nil)
      #expect(try await world.operations(row.id) == [])
    }
  }

  @Test(arguments: [
    (ProviderCapabilities.Close.none, false), (.authorized, false), (.unpaid, true),
  ])
  func `an unpaid payment of a cancelled order is ended where its provider can`(
    close: ProviderCapabilities.Close, ends: Bool
  ) async throws {
    try await ServerWorld.run(Self.setup { $0.close = close }) { world in
      let row = try await world.placed()
      #expect(try await world.cancel(row.orderID) == 202)
      if ends {
        try await world.until("cancelled") {
          try await world.order(row.orderID).state == .cancelled
        }
      } else {
        await world.pass(.seconds(10))
        #expect(try await world.order(row.orderID).state == .pending)
      }
      #expect(world.provider.count(.close) == (ends ? 1 : 0))
    }
  }
}
