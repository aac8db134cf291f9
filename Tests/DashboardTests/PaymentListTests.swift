import HTTPExchange
import MerchantServer
import PaymentModels
import PaymentStore
import TestSupport
import Testing

@testable import Dashboard

@Suite("The list of payments")
struct PaymentListTests {
  /// Ids of the payments on a page, in their order.
  private func rows(_ page: String) -> [String] {
    page.split(separator: "data-key=\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
  }

  /// The address behind a link of that text.
  private func link(_ text: String, _ page: String) -> String? {
    guard let end = page.firstRange(of: "\">\(text)</a>")?.lowerBound else { return nil }
    let head = page[..<end]
    guard let start = head.split(separator: "href=\"").last else { return nil }
    return String(start).replacing("&amp;", with: "&")
  }

  @Test func `pages follow each other, newest first, and each payment stands on one`() async throws
  {
    try await ServerWorld.run { world in
      try await world.seedList(120)
      let desk = try await Desk.signedIn(world)
      var target: String? = "/dashboard/payments"
      var seen: [String] = []
      var sizes: [Int] = []
      while let next = target {
        let page = try await desk.get(next)
        let found = rows(page)
        sizes.append(found.count)
        seen += found
        target = link("Older", page)
      }
      #expect(sizes == [50, 50, 20])
      #expect(seen == (1...120).reversed().map { Sample.paymentID($0).rawValue })
      let second = try await desk.get("/dashboard/payments?before=\(seen[49])")
      #expect(link("Newest", second) == "/dashboard/payments")
      // Only the newest page moves.
      #expect(!second.contains("data-events") && rows(second).count == 50)
    }
  }

  @Test func `filters are kept from page to page`() async throws {
    try await ServerWorld.run { world in
      try await world.seedList(120)
      let desk = try await Desk.signedIn(world)
      let page = try await desk.get("/dashboard/payments?state=captured")
      #expect(rows(page).count == 50)
      #expect(page.contains("<option selected>captured</option>"))
      let older = try #require(link("Older", page))
      #expect(older.hasPrefix("/dashboard/payments?state=captured&before="))
      #expect(rows(try await desk.get(older)).count == 10)
      #expect(rows(try await desk.get("/dashboard/payments?state=unknown")) == [])
      let both = try await desk.get("/dashboard/payments?state=pending&provider=futa")
      #expect(rows(both).count == 40)
      // What is no state and no id filters nothing.
      #expect(rows(try await desk.get("/dashboard/payments?state=x&before=x")).count == 50)
    }
  }

  @Test func `any id leads to its payment`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.paid()
      let desk = try await Desk.signedIn(world)
      let answer = try await desk.post(
        "/dashboard/payments/\(row.id)/refund", [("amount", "1.00"), ("reason", "r"), ("key", "k")])
      #expect(answer.status == 303)
      let operation = try #require(try await world.operations(row.id).first)
      let (webhook, message) = try await world.store.read { transaction in
        (
          try transaction.webhooks(in: nil, at: nil, before: nil, limit: 1).first?.id.rawValue,
          try transaction.messages(of: row.orderID).first?.id.rawValue
        )
      }
      let ids = [
        row.id.rawValue, row.id.rawValue.uppercased(), row.orderID.rawValue,
        row.providerPaymentID?.rawValue, operation.id.rawValue, webhook, message,
        String(row.id.rawValue.prefix(20)), "  \(row.id.rawValue) ",
      ]
      for id in ids {
        let text = QueryText.encode(try #require(id))
        let found = try await desk.send("GET", "/dashboard/payments?q=\(text)")
        #expect(found.status == 303, "\(text)")
        #expect(found.headers["Location"] == "/dashboard/payments/\(row.id)")
      }
      let none = try await desk.get("/dashboard/payments?q=nothing")
      #expect(none.contains("0 payments belong to <code>nothing</code>"))
    }
  }

  @Test func `a row tells who learned the state, and when`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.paid()
      let desk = try await Desk.signedIn(world)
      let page = try await desk.get("/dashboard/payments")
      #expect(rows(page) == [row.id.rawValue])
      #expect(page.contains("<td data-name=\"Learned by\">webhook, <time"))
      #expect(page.contains("<span class=\"pill s-captured\">captured</span>"))
      #expect(page.contains("<span class=\"pill s-paid\">paid</span>"))
    }
  }

  @Test func `a store that cannot be read is told, and is not a blank page`() async throws {
    try await ServerWorld.run { world in
      let desk = try await Desk.signedIn(world)
      world.store.failReads(StoreError(.unusable, "gone"))
      let answer = try await desk.send("GET", "/dashboard/payments")
      #expect(answer.status == 503)
      #expect(String(decoding: answer.body, as: UTF8.self).contains("Nothing was changed"))
    }
  }
}

extension ServerWorld {
  /// So many payments of as many orders: every other one captured at tabby; of the rest two of
  /// three pending at futa and one at rais.
  func seedList(_ count: Int) async throws {
    try await store.write { transaction in
      for number in 1...count {
        try transaction.insertOrder(Sample.order(number))
        var row = Sample.payment(number, order: number)
        row.createState = .created
        row.status = number.isMultiple(of: 2) ? .captured : .pending
        if !number.isMultiple(of: 2) {
          row.provider = number % 3 == 0 ? .rais : .futa
        }
        try transaction.insertPayment(row)
      }
    }
  }
}
