import PaymentModels
import PaymentStore
import SQLiteConnection
@testable import SQLitePaymentStore
import TestSupport
import Testing

@Suite("A store from before decisions were kept")
struct ReviewMigrationTests {
  @Test func `keeps its reviews and knows that money for a refunded order is late`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/till.sqlite"
      try await blocking {
        let database = try SQLiteDatabase(path: path)
        let before = Schema.history.prefix { $0.id != "0004-review-decisions" }
        #expect(before.count < Schema.history.count)
        try database.migrate(Array(before))
        for (number, state) in [(1, "paid"), (2, "refunded")] {
          try database.run(
            """
            INSERT INTO orders VALUES (
              ?, 's', 10000, 'AED', 2, ?, NULL, NULL, NULL, 1, 0, 5000, 1)
            """, [.text(Sample.orderID(number).rawValue), .text(state)])
        }
        for (order, resolved) in [(1, "7000"), (1, "NULL"), (2, "NULL")] {
          try database.run(
            """
            INSERT INTO reviews (order_id, payment_id, kind, detail, opened_at, resolved_at)
            VALUES (?, NULL, 'disputed', 'd', 6000, \(resolved))
            """, [.text(Sample.orderID(order).rawValue)])
        }
        database.close()
      }
      let store = try SQLitePaymentStore.open(path: path)
      let (paid, refunded, first, open) = try await store.read { transaction in
        (
          try transaction.order(Sample.orderID(1)), try transaction.order(Sample.orderID(2)),
          try transaction.review(1), try transaction.openReviews(after: 0, limit: 9)
        )
      }
      #expect(paid?.refundedAt == nil)
      #expect(refunded?.refundedAt == Instant(milliseconds: 5_000))
      #expect(first?.resolvedAt == Instant(milliseconds: 7_000))
      #expect(first?.decision == nil && first?.verdict == nil)
      #expect(open.map(\.number) == [2, 3])
      #expect(open.map(\.detail) == ["d", "d"])
      await store.close()
    }
  }
}
