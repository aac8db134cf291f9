import HTTPExchange
import PaymentModels
import PaymentStore
import StrictJSON
import TestSupport
import Testing

@Suite("FB-12 A proof of payment is not bound to amount, currency and order")
struct ProofBindingTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let detail: String
    let change: @Sendable (inout PaymentReading) -> Void
    var testDescription: String { name }
  }

  private static let sar = Money(minorUnits: 10_000, currency: Sample.currency("SAR"))

  @Test(
    arguments: [PaymentStatus.authorized, .captured],
    [
      Row(name: "amount 10.00 for 100.00", detail: "asked 100.00 AED, provider 10.00 AED") {
        $0.amount = Money(minorUnits: 1_000, currency: Sample.aed)
      },
      Row(name: "100.00 SAR", detail: "asked 100.00 AED, provider 100.00 SAR") {
        $0.amount = ProofBindingTests.sar
      },
      Row(name: "another order", detail: "another order") { $0.orderReference = "ord-0007" },
      Row(name: "another payment", detail: "another order") {
        $0.paymentReference = Sample.paymentID(7).rawValue
      },
      Row(name: "live money on a test payment", detail: "made as test, provider says live") {
        $0.mode = .live
      },
    ])
  func `what does not belong to the order pays nothing and is reviewed with both values`(
    status: PaymentStatus, row: Row
  ) async throws {
    try await ServerWorld.run { world in
      let payment = try await world.placed()
      let id = try #require(payment.providerPaymentID)
      world.provider.change(id) { reading in
        reading.status = status
        row.change(&reading)
      }
      #expect(try await world.deliver(world.provider.webhook(id)) == 200)
      try await world.until("reviewed") {
        try await world.order(payment.orderID).state == .needsReview
      }
      await world.pass(.seconds(10))
      let review = try #require(try await world.reviews(payment.orderID).first)
      #expect(review.detail.hasSuffix(row.detail))
      #expect(try await world.messages(payment.orderID) == [.needsReview])
      #expect(world.provider.count(.capture) == 0)
      // No new page for an order that a person looks at.
      let again = try await world.checkout(
        key: "k2", #"{"provider":"tabby","order_id":"\#(payment.orderID)"}"#)
      #expect(again.status == 409)
    }
  }

  @Test func `the page of a payment that is not for the asked amount is not handed out`()
    async throws
  {
    try await ServerWorld.run { world in
      let payment = try await world.placed()
      #expect(payment.checkoutURL != nil)
      let id = try #require(payment.providerPaymentID)
      world.provider.change(id) { $0.amount = Money(minorUnits: 1_000, currency: Sample.aed) }
      let shown = try await world.get("/v1/payments/\(payment.id)", token: ServerWorld.user)
      #expect(shown["state"]?.text == "created")
      #expect(shown["checkout_url"]?.isNull == true)
      let again = try await world.checkout(
        key: "k2", #"{"provider":"tabby","order_id":"\#(payment.orderID)"}"#)
      #expect(again.json["payment_id"]?.text == payment.id.rawValue)
      #expect(again.json["checkout_url"]?.isNull == true)
    }
  }

  @Test func `an absent amount is an error and never zero`() async throws {
    try await ServerWorld.run { world in
      let payment = try await world.placed()
      let id = try #require(payment.providerPaymentID)
      world.provider.change(id) { reading in
        reading.status = .authorized
        reading.amount = nil
      }
      #expect(try await world.deliver(world.provider.webhook(id)) == 200)
      try await world.until("read") { world.provider.count(.read) > 0 }
      await world.pass(.seconds(20))
      #expect(try await world.order(payment.orderID).state == .pending)
      #expect(try await world.payment(payment.id).status == .created)
      #expect(try await world.payment(payment.id).schedule.failedReads > 0)
      world.provider.change(id) { $0.amount = payment.amount }
      try await world.until("paid", within: .seconds(400)) {
        try await world.order(payment.orderID).state == .paid
      }
    }
  }

  @Test func `the money of another order's payment pays that order alone`() async throws {
    try await ServerWorld.run { world in
      let mine = try await world.placed(key: "k1")
      let other = try await world.placed(.authorized, key: "k2")
      let otherID = try #require(other.providerPaymentID)
      // The proof of one order, with the reference of another: nothing moves over.
      #expect(try await world.deliver(world.provider.webhook(otherID, for: mine.id)) == 200)
      try await world.until("paid") { try await world.order(other.orderID).state == .paid }
      await world.pass(.seconds(5))
      #expect(try await world.order(mine.orderID).state == .pending)
      #expect(try await world.payment(mine.id).providerPaymentID == mine.providerPaymentID)
    }
  }

  @Test func `another order's payment on the return address pays nothing`() async throws {
    try await ServerWorld.run { world in
      let mine = try await world.placed(key: "k1")
      let other = try await world.placed(.authorized, key: "k2")
      try await world.until("paid") { try await world.order(other.orderID).state == .paid }
      let otherID = try #require(other.providerPaymentID)
      for id in [other.id.rawValue, otherID.rawValue] {
        let back = try await world.send(
          "GET", "/return/success?order_id=\(mine.orderID)&payment_id=\(id)&status=paid",
          token: nil)
        #expect(back.status == 200)
      }
      let signal = try await world.send(
        "POST", "/v1/payments/\(mine.id)/signals", token: ServerWorld.user,
        body: Array(#"{"signal":"returned_success"}"#.utf8))
      #expect(signal.status == 202)
      await world.pass(.seconds(5))
      #expect(try await world.order(mine.orderID).state == .pending)
      #expect(try await world.messages(mine.orderID) == [])
    }
  }

  @Test func `a forged query leaves the order pending`() async throws {
    try await ServerWorld.run { world in
      let payment = try await world.placed()
      let back = try await world.send("GET", "/return/success?status=paid", token: nil)
      #expect(back.status == 200)
      #expect(back.headers["Location"] == nil)
      let shown = try await world.get("/v1/payments/\(payment.id)?status=paid&state=captured")
      #expect(shown["state"]?.text == "created")
      #expect(shown["order_state"]?.text == "pending")
    }
  }
}
