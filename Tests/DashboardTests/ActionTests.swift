import HTTPExchange
import MerchantServer
import PaymentModels
import PaymentStore
import TestSupport
import Testing

@testable import Dashboard

@Suite("Actions on the dashboard")
struct ActionTests {
  private func text(_ response: HTTPResponse) -> String {
    String(decoding: response.body, as: UTF8.self)
  }

  @Test func `a refund is confirmed, done once, and stands in the journal by name`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.paid()
      let desk = try await Desk.signedIn(world)
      let path = "/dashboard/payments/\(row.id)/refund"
      let page = try await desk.get(path)
      #expect(page.contains("Refund this payment?"))
      #expect(page.contains("value=\"100.00\""))
      let key = Desk.field("key", in: page)
      #expect(isCanonicalUUID(key))
      // Nothing happens by looking.
      #expect(try await world.operations(row.id) == [])
      let fields = [("amount", "40.00"), ("reason", "damaged"), ("key", key)]
      for _ in 0..<2 {
        let answer = try await desk.post(path, fields)
        #expect(answer.status == 303)
        #expect(answer.headers["Location"] == "/dashboard/payments/\(row.id)?done=refund")
      }
      let operations = try await world.operations(row.id)
      #expect(operations.map(\.amount.minorUnits) == [4_000])
      let journal = try await world.store.read { try $0.journal(of: row.orderID, limit: 99) }
      let line = try #require(journal.first { $0.channel == .operator })
      #expect(line.operatorName == OperatorName("anna") && line.event == "refund")
      #expect(line.note == "40.00 AED: damaged")
      let after = try await desk.get("/dashboard/payments/\(row.id)?done=refund")
      #expect(after.contains("anna asked for: refund: 40.00 AED: damaged."))
      #expect(after.contains("The refund is on its way or done"))
    }
  }

  @Test(arguments: [
    ("100.01", "r", 409, "Left to refund: 100.00 AED"), ("0", "r", 422, "more than zero"),
    ("1e2", "r", 422, "not a plain decimal"), ("10.00", " ", 422, "reason"),
    ("10.00", "", 422, "reason"), ("", "r", 422, "amount"),
  ])
  func `what the API refuses is said on the page, and nothing is done`(
    amount: String, reason: String, status: Int, words: String
  ) async throws {
    try await ServerWorld.run { world in
      let row = try await world.paid()
      let desk = try await Desk.signedIn(world)
      let answer = try await desk.post(
        "/dashboard/payments/\(row.id)/refund",
        [("amount", amount), ("reason", reason), ("key", "k-1")])
      #expect(answer.status == status)
      #expect(text(answer).contains("role=\"alert\"") && text(answer).contains(words))
      // Another try is another wish.
      #expect(Desk.field("key", in: text(answer)) != "k-1")
      #expect(try await world.operations(row.id) == [])
    }
  }

  @Test(arguments: ["", " ", "k\r\nX-Other: y", "k\u{0}", String(repeating: "k", count: 9_000)])
  func `a key that no form of ours has does nothing`(key: String) async throws {
    try await ServerWorld.run { world in
      let row = try await world.paid()
      let desk = try await Desk.signedIn(world)
      let answer = try await desk.post(
        "/dashboard/payments/\(row.id)/refund",
        [("amount", "1.00"), ("reason", "r"), ("key", key)])
      #expect((400..<500).contains(answer.status))
      #expect(isCanonicalUUID(Desk.field("key", in: text(answer))))
      #expect(try await world.operations(row.id) == [])
    }
  }

  @Test func `a form that is sent again with another amount is not done`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.paid()
      let desk = try await Desk.signedIn(world)
      let path = "/dashboard/payments/\(row.id)/refund"
      func status(_ amount: String) async throws -> Int {
        try await desk.post(path, [("amount", amount), ("reason", "r"), ("key", "k-1")]).status
      }
      #expect(try await status("1.00") == 303)
      #expect((400..<500).contains(try await status("2.00")))
      #expect(try await world.operations(row.id).map(\.amount.minorUnits) == [100])
    }
  }

  @Test func `after an answer that says nothing the form keeps its key`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.paid()
      let desk = try await Desk.signedIn(world)
      world.store.failWrites(StoreError(.full, "disk"))
      let answer = try await desk.post(
        "/dashboard/payments/\(row.id)/refund",
        [("amount", "1.00"), ("reason", "r"), ("key", "k-1")])
      #expect(answer.status == 503)
      #expect(Desk.field("key", in: text(answer)) == "k-1")
    }
  }

  @Test func `a payment is read again although it is final, at its provider`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.paid()
      let id = try #require(row.providerPaymentID)
      let desk = try await Desk.signedIn(world)
      let before = world.provider.count(.read)
      world.provider.change(id) { reading in
        reading.items.append(Sample.item("back", kind: .refund))
      }
      let answer = try await desk.post("/dashboard/payments/\(row.id)/read", [("key", "k")])
      #expect(answer.headers["Location"] == "/dashboard/payments/\(row.id)?done=read")
      #expect(world.provider.count(.read) > before)
      let page = try await desk.get("/dashboard/payments/\(row.id)?done=read")
      #expect(page.contains("anna asked for: read."))
      #expect(page.contains("A read that somebody asked for proved: 50.00 AED refunded in all."))
    }
  }

  @Test func `held money is captured or let go, and only what fits is offered`() async throws {
    var setup = ServerWorld.Setup()
    setup.policy.capture = .manual
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed(.authorized)
      let desk = try await Desk.signedIn(world)
      let page = try await desk.get("/dashboard/payments/\(row.id)")
      for action in PaymentAction.allCases {
        #expect(page.contains("id=\"do-\(action.rawValue)\"") == action.fits(.authorized))
      }
      let answer = try await desk.post(
        "/dashboard/payments/\(row.id)/capture",
        [("amount", "100.00"), ("reason", "shipped"), ("key", "k")])
      #expect(answer.status == 303)
      try await world.until("it is captured") {
        try await world.payment(row.id).status == .captured
      }
      let late = try await desk.post(
        "/dashboard/payments/\(row.id)/close", [("reason", "r"), ("key", "k")])
      #expect(late.status == 409)
    }
  }

  @Test func `a case is decided by name, and twice is once`() async throws {
    try await ServerWorld.run { world in
      _ = try await world.seed([(world.provider, .captured)])
      try await world.store.write { transaction in
        _ = try transaction.openReview(
          ReviewRow(
            orderID: Sample.orderID(1), paymentID: Sample.paymentID(1), kind: .operationFailed,
            detail: "the bank said no", openedAt: Sample.start))
      }
      let desk = try await Desk.signedIn(world)
      let list = try await desk.get("/dashboard/reviews")
      #expect(list.contains("the bank said no") && list.contains("/dashboard/reviews/1"))
      let page = try await desk.get("/dashboard/reviews/1")
      #expect(page.contains("value=\"keep\"") && page.contains("value=\"dismiss\""))
      #expect(!page.contains("value=\"refund\""))
      let blank = try await desk.post("/dashboard/reviews/1", [("reason", "r"), ("key", "k")])
      #expect(blank.status == 422)
      let fields = [("decision", "dismiss"), ("reason", "called them"), ("key", "k")]
      for _ in 0..<2 {
        #expect(try await desk.post("/dashboard/reviews/1", fields).status == 303)
      }
      let review = try #require(try await world.store.read { try $0.review(1) })
      #expect(review.decision?.operatorName == OperatorName("anna"))
      #expect(review.decision?.reason == "called them" && !review.isOpen)
      #expect(try await desk.get("/dashboard/reviews").contains("No case is open."))
      #expect(try await desk.send("GET", "/dashboard/reviews/2").status == 404)
    }
  }
}
