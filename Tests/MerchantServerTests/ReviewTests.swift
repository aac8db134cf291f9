import CheckoutService
import HTTPExchange
import MerchantServer
import PaymentModels
import PaymentStore
import ProviderInterface
import StrictJSON
import TestSupport
import Testing

@Suite("Cases for a person, and what a person decides")
struct ReviewTests {
  private static let paths = ["/v1/reviews", "/v1/reviews/1"]

  // MARK: The queue

  @Test func `open cases are listed oldest first, page by page, with what may be done`()
    async throws
  {
    try await ServerWorld.run { world in
      _ = try await world.seed(Array(repeating: (world.provider, .created), count: 3))
      for (index, kind) in [ReviewKind.operationFailed, .unexpectedTransition, .wrongOrder]
        .enumerated()
      {
        let opened = world.clock.now
        try await world.store.write { transaction in
          _ = try transaction.openReview(
            ReviewRow(
              orderID: Sample.orderID(1), paymentID: Sample.paymentID(1 + index), kind: kind,
              detail: "d\(index)", openedAt: opened))
        }
        await world.pause(.seconds(60))
      }
      let first = try await world.get("/v1/reviews?limit=2")
      let numbers = first["reviews"]?.elements?.compactMap { $0["review"]?.int64 }
      #expect(numbers == [1, 2])
      #expect(first["next_after"]?.int64 == 2)
      let oldest = try #require(first["reviews"]?.elements?.first)
      #expect(oldest["kind"]?.text == "operation_failed")
      #expect(oldest["age_seconds"]?.int64 == 180)
      #expect(oldest["order_state"]?.text == "pending")
      #expect(oldest["decisions"]?.elements?.compactMap(\.text) == ["keep", "dismiss"])
      let rest = try await world.get("/v1/reviews?limit=2&after=2")
      #expect(rest["reviews"]?.elements?.compactMap { $0["review"]?.int64 } == [3])
      #expect(rest["next_after"] == .null)
    }
  }

  @Test func `it takes an operator, a key, a reason and a decision that is one`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.lateMoney()
      for path in Self.paths {
        #expect(try await world.send("GET", path, token: ServerWorld.user).status == 403)
        #expect(try await world.send("GET", path, token: nil).status == 401)
      }
      #expect(try await world.send("GET", "/v1/reviews/9").status == 404)
      #expect(try await world.send("GET", "/v1/reviews/01").status == 404)
      #expect(try await world.send("GET", "/v1/reviews/x").status == 404)
      for (body, status) in [
        (#"{"decision":"accept"}"#, 422), (#"{"reason":"r"}"#, 422),
        (#"{"decision":"burn","reason":"r"}"#, 422), (#"{"decision":"accept","reason":" "}"#, 422),
      ] {
        #expect(try await world.resolve(1, body: body).status == status)
      }
      let keyless = try await world.send(
        "POST", "/v1/reviews/1/resolve", body: Array(#"{"decision":"keep","reason":"r"}"#.utf8))
      #expect(keyless.status == 400)
      #expect(try await world.reviews(row.orderID).map(\.kind) == [.lateMoney])
    }
  }

  // MARK: Late money

  @Test func `accepted late money revives the order, and the goods go out`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.lateMoney()
      let answer = try await world.resolve(1, "accept")
      #expect(answer.status == 200)
      #expect(answer.json["order_state"]?.text == "paid")
      #expect(answer.json["decided_by"]?.text == "anna")
      let order = try await world.order(row.orderID)
      #expect(order.state == .paid && order.cancelledAt == nil && order.cancelRequestedAt == nil)
      #expect(try await world.messages(row.orderID) == [.needsReview, .fulfil])
      #expect(try await world.reviews(row.orderID) == [])
      let journal = try await world.store.read { try $0.journal(of: row.orderID, limit: 99) }
      let line = try #require(journal.first { $0.change == "late_money: accept" })
      #expect(line.operatorName == OperatorName("anna") && line.note == "looked at")
      // Later reads change nothing of it.
      let id = try #require(row.providerPaymentID)
      try await world.deliver(world.provider.webhook(id, for: row.id, rest: "again"))
      await world.pass(.seconds(5))
      #expect(try await world.order(row.orderID).state == .paid)
      #expect(try await world.reviews(row.orderID) == [])
    }
  }

  @Test func `accepted money that is held is captured as any other`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.lateMoney(.authorized)
      #expect(try await world.resolve(1, "accept").status == 200)
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      #expect(world.provider.count(.capture) == 1)
      #expect(try await world.messages(row.orderID) == [.needsReview, .fulfil])
    }
  }

  @Test(arguments: [PaymentStatus.captured, .authorized])
  func `late money that is given back leaves the order cancelled`(
    status: PaymentStatus
  ) async throws {
    try await ServerWorld.run { world in
      let row = try await world.lateMoney(status)
      let answer = try await world.resolve(1, "refund")
      #expect(answer.status == 200)
      #expect(answer.json["order_state"]?.text == "cancelled")
      #expect(world.provider.count(.refund) == (status == .captured ? 1 : 0))
      #expect(world.provider.count(.close) == (status == .captured ? 0 : 1))
      #expect(try await world.reviews(row.orderID) == [])
      #expect(try await !world.messages(row.orderID).contains(.fulfil))
      // It is an operation as any other, with the reason that was given.
      let operation = try #require(try await world.operations(row.id).first)
      #expect(operation.state == .done && operation.reason == "looked at")
    }
  }

  @Test(arguments: [SettlementPolicy.LateMoney.hold, .refund])
  func `a refund that the provider refuses is a case, and what it was for opens again`(
    policy: SettlementPolicy.LateMoney
  ) async throws {
    var setup = ServerWorld.Setup()
    setup.policy = SettlementPolicy(lateMoney: policy)
    try await ServerWorld.run(setup) { world in
      world.provider.always(.refund, .fail(ProviderError(.refused, status: 400, detail: "no")))
      let row = try await world.lateMoney()
      if policy == .hold { #expect(try await world.resolve(1, "refund").status == 200) }
      try await world.until("both are there") {
        try await world.reviews(row.orderID).count == 2
      }
      await world.pass(.seconds(5))
      #expect(try await world.order(row.orderID).state == .needsReview)
      let open = try await world.reviews(row.orderID)
      #expect(Set(open.map(\.kind)) == [.operationFailed, .lateMoney])
      // Nobody tries the same by itself for ever.
      #expect(world.provider.count(.refund) == 1)
      for review in open {
        let decision = review.kind == .operationFailed ? "dismiss" : "refund"
        world.provider.always(.refund, nil)
        #expect(
          try await world.resolve(review.number, decision, key: "k-\(review.number)").status == 200)
      }
      #expect(try await world.order(row.orderID).state == .cancelled)
      #expect(world.provider.count(.refund) == 2)
      #expect(try await world.reviews(row.orderID) == [])
    }
  }

  @Test func `the last open case of an order under review is not waved through`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.lateMoney()
      world.provider.always(.refund, .accept)
      #expect(try await world.resolve(1, "refund").status == 200)
      try await world.store.write { transaction in
        _ = try transaction.openReview(
          ReviewRow(
            orderID: row.orderID, paymentID: row.id, kind: .unexpectedTransition, detail: "d",
            openedAt: row.createdAt))
      }
      // The money is on its way, and until it is there somebody has to look.
      #expect(try await world.resolve(2, "dismiss").status == 409)
      #expect(try await world.resolve(2, "keep", key: "k2").status == 200)
    }
  }

  @Test func `kept, a case stays open and says who looked`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.lateMoney()
      let answer = try await world.resolve(1, "keep")
      #expect(answer.json["resolved_at"] == .null)
      #expect(answer.json["decision"]?.text == "keep")
      #expect(try await world.reviews(row.orderID).count == 1)
      #expect(try await world.resolve(1, "accept", key: "k2").status == 200)
      #expect(try await world.order(row.orderID).state == .paid)
    }
  }

  @Test func `dismissed, the money counts for nothing, and no later read opens it again`()
    async throws
  {
    try await ServerWorld.run { world in
      let row = try await world.lateMoney()
      #expect(try await world.resolve(1, "dismiss").status == 200)
      #expect(try await world.order(row.orderID).state == .cancelled)
      let id = try #require(row.providerPaymentID)
      for turn in 0..<3 {
        try await world.deliver(world.provider.webhook(id, for: row.id, rest: "\(turn)"))
        await world.pass(.seconds(3))
      }
      #expect(try await world.reviews(row.orderID) == [])
      #expect(try await world.messages(row.orderID) == [.needsReview])
    }
  }

  @Test func `money that is only held is not dismissed`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.lateMoney(.authorized)
      let answer = try await world.resolve(1, "dismiss")
      #expect(answer.status == 409)
      #expect(answer.json["detail"]?.text?.contains("held") == true)
      #expect(try await world.reviews(row.orderID).count == 1)
    }
  }

  // MARK: Twice, and at once

  @Test func `the same key is the same decision, once`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.lateMoney()
      for _ in 0..<3 { #expect(try await world.resolve(1, "refund", key: "same").status == 200) }
      #expect(world.provider.count(.refund) == 1)
      #expect(try await world.resolve(1, "accept", key: "same").status == 409)
      #expect(try await world.order(row.orderID).state == .cancelled)
    }
  }

  @Test func `of two operators one wins, and the other is told who`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.lateMoney()
      async let anna = world.resolve(1, "accept", key: "a")
      async let ben = world.resolve(1, "refund", key: "b", token: ServerWorld.secondOperatorKey)
      let answers = try await [anna, ben]
      #expect(answers.map(\.status).sorted() == [200, 409])
      let loser = try #require(answers.first { $0.status == 409 })
      let winner = answers[0].status == 200 ? "anna" : "ben"
      #expect(loser.json["detail"]?.text?.contains("by \(winner)") == true)
      #expect(world.provider.count(.refund) == (winner == "ben" ? 1 : 0))
      #expect(
        try await world.order(row.orderID).state == (winner == "anna" ? .paid : .cancelled))
    }
  }

  @Test func `a store that fails leaves nothing half-decided`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.lateMoney()
      world.store.failWrites(StoreError(.full, "disk full"))
      #expect(try await world.resolve(1, "accept").status == 503)
      world.store.failWrites(nil)
      #expect(try await world.order(row.orderID).state == .needsReview)
      #expect(try await world.reviews(row.orderID).first?.decision == nil)
      #expect(try await world.messages(row.orderID) == [.needsReview])
    }
  }

  @Test func `what is accepted is read first, too`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.lateMoney()
      let id = try #require(row.providerPaymentID)
      world.provider.change(id) { reading in
        reading.items.append(
          PaymentItem(
            kind: .chargeback, providerItemID: "cb", reference: nil, amount: row.amount,
            createdAt: nil))
      }
      await world.pass(.seconds(3))
      #expect(try await world.resolve(1, "accept").status == 409)
      #expect(try await !world.messages(row.orderID).contains(.fulfil))
    }
  }

  @Test func `before money goes back the provider is read`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.lateMoney()
      let id = try #require(row.providerPaymentID)
      world.provider.always(.read, .fail(ProviderError(.unknown, detail: "out")))
      #expect(try await world.resolve(1, "refund").status == 503)
      #expect(try await world.operations(row.id) == [])
      world.provider.always(.read, nil)
      // Somebody was faster, in the provider's dashboard.
      world.provider.change(id) { reading in
        reading.items.append(
          PaymentItem(
            kind: .refund, providerItemID: "there", reference: nil, amount: row.amount,
            createdAt: nil))
      }
      await world.pass(.seconds(3))
      #expect(try await world.resolve(1, "refund", key: "k2").status == 409)
      #expect(world.provider.count(.refund) == 0)
      #expect(try await world.order(row.orderID).state == .cancelled)
    }
  }
}

extension ServerWorld {
  /// Money that came after its order was cancelled; the order's case is number 1.
  func lateMoney(_ status: PaymentStatus = .captured) async throws -> PaymentRow {
    let row = try await placed(.expired)
    let answer = try await send(
      "POST", "/v1/orders/\(row.orderID)/cancel", body: Array(#"{"reason":"sold out"}"#.utf8))
    try #require(answer.status == 200)
    let id = try #require(row.providerPaymentID)
    if status == .captured {
      try await capture(row, row.amount.minorUnits)
    } else {
      provider.change(id) { $0.status = status }
      try await deliver(provider.webhook(id, for: row.id, rest: "late"))
    }
    try await until("late") { try await payment(row.id).status == status }
    return try await payment(row.id)
  }

  /// Has the provider take that much, minor units, and tell so.
  func capture(_ row: PaymentRow, _ minorUnits: Int64, isAmount: Bool = false) async throws {
    let id = try #require(row.providerPaymentID)
    let amount = Money(minorUnits: minorUnits, currency: row.amount.currency)
    provider.change(id) { reading in
      reading.status = .captured
      if isAmount { reading.amount = amount }
      reading.items = [
        PaymentItem(
          kind: .capture, providerItemID: "c-\(id)", reference: nil, amount: amount,
          createdAt: nil)
      ]
    }
    try await deliver(provider.webhook(id, for: row.id, rest: "captured"))
    try await until("captured") { try await payment(row.id).status == .captured }
  }

  /// Decides a case.
  func resolve(
    _ number: Int64, _ decision: String = "", key: String = "k1", token: String = operatorKey,
    body: String? = nil
  ) async throws -> (status: Int, json: JSONValue) {
    let text = body ?? #"{"decision":"\#(decision)","reason":"looked at"}"#
    let response = try await send(
      "POST", "/v1/reviews/\(number)/resolve", token: token, key: key, body: Array(text.utf8))
    return (response.status, try JSONValue(parsing: response.body))
  }
}
