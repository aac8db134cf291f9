import PaymentModels
import PaymentStore
import SQLiteConnection
import TestSupport
import Testing

@testable import SQLitePaymentStore

/// Every query of the store uses an index, so that none grows with the book: looked at as SQLite
/// itself plans the statements that were run.
@Suite("Queries and their indexes")
struct QueryPlanTests {
  /// What may read all rows: counts for monitoring, which read an index of few bytes a row, and
  /// the list of accounts, for which nobody waits.
  private static let counts = [
    "SELECT provider, status, count(*) FROM payments",
    "SELECT DISTINCT provider, account FROM payments", "FROM found",
    "SELECT provider, count(*), min(coalesce(last_proof_at, created_at)) FROM payments",
    "FROM reviews WHERE resolved_at IS NULL\nGROUP BY kind",
    "FROM messages WHERE delivered_at IS NULL AND next_try_at",
    "FROM operations WHERE state IN ('intent', 'unknown')",
  ]
  /// What is put in order after it was found: an order's own entries, states that nobody knows,
  /// and the movements of some days, of which little is left.
  private static let sorted = [
    "WHERE sequence > ?2\n  AND (order_id", "status >= 'unknown:'", "FROM payment_items i JOIN",
  ]

  private func plans(
    _ use: (SQLiteTransaction) throws -> Void
  ) async throws -> [(sql: String, steps: [String])] {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/till.sqlite"
      let store = try SQLitePaymentStore.open(path: path)
      try await store.seed(payments: 2)
      await store.close()
      let database = try SQLiteDatabase(path: path)
      defer { database.close() }
      try database.write {
        let transaction = SQLiteTransaction(database, mayWrite: true)
        defer { transaction.close() }
        try transaction.whole { try use(transaction) }
      }
      return try database.plans()
    }
  }

  private func slow(_ plans: [(sql: String, steps: [String])]) -> [String] {
    plans.flatMap { plan in
      plan.steps.filter { isSlow($0, in: plan.sql) }.map { "\($0) in: \(plan.sql)" }
    }
  }

  private func isSlow(_ step: String, in sql: String) -> Bool {
    if Self.counts.contains(where: { sql.contains($0) }) { return false }
    if step.contains("USE TEMP B-TREE") { return !Self.sorted.contains { sql.contains($0) } }
    guard step.hasPrefix("SCAN "), step != "SCAN CONSTANT ROW" else { return false }
    // In the order of an index, and not to its end.
    return !(step.contains(" USING ") && sql.contains(" LIMIT ?"))
  }

  @Test func `lists of payments`() async throws {
    let plans = try await plans { transaction in
      for before in [nil, Sample.paymentID(2)] {
        _ = try transaction.payments(before: before, limit: 9)
        for provider in [nil, ProviderName.tabby] {
          for state in [nil] + PaymentFilter.State.allCases.map({ $0 }) {
            let filter = PaymentFilter(state: state, provider: provider)
            _ = try transaction.payments(matching: filter, before: before, limit: 9)
          }
        }
      }
      _ = try transaction.payments(idPrefix: "0199", limit: 9)
      _ = try transaction.payments(of: Sample.orderID(1))
      _ = try transaction.shownPayment(Sample.paymentID(1))
      _ = try transaction.paymentProviders()
      _ = try transaction.journal(of: Sample.orderID(1), after: 0, limit: 9)
    }
    #expect(slow(plans) == [])
  }

  @Test func `what is due`() async throws {
    let account = AccountKey(.tabby, ProviderAccount("uae"))
    let plans = try await plans { transaction in
      for isLive in [true, false] {
        _ = try transaction.paymentsDue(of: account, isLive: isLive, at: Sample.start, limit: 9)
      }
      for account in [nil, account] {
        _ = try transaction.paymentsDue(of: account, at: Sample.start, limit: 9)
        _ = try transaction.operationsDue(at: Sample.start, limit: 9)
        _ = try transaction.messagesDue(at: Sample.start, limit: 9)
      }
      _ = try transaction.webhooksDue(of: account, at: Sample.start, limit: 9)
    }
    #expect(slow(plans) == [])
  }

  @Test func `the inbox and what it is searched for`() async throws {
    let plans = try await plans { transaction in
      for before in [nil, Sample.webhookID(2)] {
        for provider in [nil, ProviderName.tabby] {
          for state in [nil] + WebhookRow.State.allCases.map({ $0 }) {
            _ = try transaction.webhooks(in: state, at: provider, before: before, limit: 9)
          }
        }
      }
      for state in WebhookRow.State.allCases {
        _ = try transaction.webhookCount(in: state, at: .tabby)
        _ = try transaction.removeWebhooks(.tabby, in: state, keeping: 5, limit: 9)
      }
      _ = try transaction.openWebhook(.tabby, bodyHash: "h")
      _ = try transaction.webhook(.tabby, ProviderAccount("uae"), eventID: "e")
      _ = try transaction.journal(of: Sample.webhookID(1), limit: 9)
      _ = try transaction.statistics()
    }
    #expect(slow(plans) == [])
  }

  @Test func `messages, cases and totals`() async throws {
    let plans = try await plans { transaction in
      for before in [nil, Sample.messageID(2)] {
        for state in [nil] + MessageRow.State.allCases.map({ $0 }) {
          _ = try transaction.messages(in: state, before: before, limit: 9)
        }
      }
      _ = try transaction.messages(of: Sample.orderID(1))
      _ = try transaction.openReviews(after: 0, limit: 9)
      _ = try transaction.reviews(of: Sample.orderID(1))
      _ = try transaction.operations(of: Sample.paymentID(1))
      _ = try transaction.moneyTotals(from: Sample.start, to: Sample.start + .seconds(9))
      _ = try transaction.lastChange(of: Sample.paymentID(1))
      _ = try transaction.lastNoted(Sample.paymentID(1))
    }
    #expect(slow(plans) == [])
  }
}
