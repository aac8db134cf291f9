import PaymentModels
import PaymentStore
import SQLiteConnection
@testable import SQLitePaymentStore
import TestSupport
import Testing

@Suite struct MigrationTests {
  @Test func `deliveries of the first schema keep what they hold and can be worked on`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/till.sqlite"
      let database = try SQLiteDatabase(path: path)
      try database.migrate(Array(Schema.history.prefix(1)))
      try database.write {
        for (number, state) in ["received", "processed", "unmatched", "parked"].enumerated() {
          try database.run(
            """
            INSERT INTO webhooks (id, provider, account, received_at, body_hash, event_id,
              is_proof, state, deliveries, tries, next_try_at, body)
            VALUES (?, 'tabby', 'uae', ?, ?, 'e-' || ?, 1, ?, 2, 3, ?, x'7B7D')
            """,
            [
              .text(Sample.uuid(4, number + 1)), .integer(Sample.start.milliseconds),
              .text("hash-\(number)"), .integer(Int64(number)), .text(state),
              .integer(state == "received" ? Sample.start.milliseconds : nil),
            ])
        }
      }
      database.close()
      let store = try SQLitePaymentStore.open(path: path)
      let rows = try await store.read {
        try $0.webhooks(in: nil, at: nil, before: nil, limit: 9)
      }
      #expect(rows.map(\.state) == [.parked, .unmatched, .processed, .received])
      #expect(rows.allSatisfy { $0.body == Array("{}".utf8) && $0.bodyErasedAt == nil })
      #expect(rows.allSatisfy { $0.isProof && $0.isConcluded && !$0.isUnsigned })
      #expect(rows.allSatisfy { $0.deliveries == 2 && $0.tries == 3 && $0.matchedSecret == nil })
      let due = try await store.read {
        try $0.webhooksDue(
          of: AccountKey(.tabby, ProviderAccount("uae")), at: Sample.start, limit: 9)
      }
      #expect(due.map(\.id) == [Sample.webhookID(1)])
      await store.close()
    }
  }
}
