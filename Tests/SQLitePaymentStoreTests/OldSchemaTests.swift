import PaymentModels
import PaymentStore
import SQLiteConnection
import SystemRuntime
import TestSupport
import Testing

@testable import SQLitePaymentStore

@Suite("Stores of every version")
struct OldSchemaTests {
  /// The first version as it was released, with rows of that time.
  private static let first = "0001-payments"
  /// Every version that a store may have been left at.
  private static let versions = Schema.history.map(\.id)

  private static func dump(_ version: String) throws -> String {
    let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
      .joined(separator: "/")
    let file = "\(folder)/Fixtures/SQLitePaymentStore/\(version).sql"
    return String(decoding: try Files.read(file, bytesMax: 1 << 20), as: UTF8.self)
  }

  /// Makes a store as the program of that version left it, begun by the first one.
  private func make(_ version: String, at path: String) throws {
    let database = try SQLiteDatabase(path: path)
    let last = try #require(Schema.history.firstIndex { $0.id == version })
    try database.migrate(
      [SQLiteMigration(id: Self.first, sql: Self.dump(Self.first))]
        + Schema.history[1...].prefix(last))
    database.close()
  }

  @Test func `the first step is as it was released`() throws {
    #expect(try Self.dump(Self.first).hasPrefix(Schema.history[0].sql))
  }

  @Test(arguments: versions)
  func `each becomes the newest, with the same schema as a new store`(_ version: String)
    async throws
  {
    try await withTemporaryDirectory { directory in
      try make(version, at: "\(directory)/old.sqlite")
      for name in ["old", "new"] {
        await (try SQLitePaymentStore.open(path: "\(directory)/\(name).sqlite")).close()
      }
      #expect(try schema("\(directory)/old.sqlite") == schema("\(directory)/new.sqlite"))
    }
  }

  private func schema(_ path: String) throws -> [String] {
    let database = try SQLiteDatabase(path: path)
    defer { database.close() }
    return try database.all(
      "SELECT name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY name"
    ) { (row) throws(SQLiteError) in try row.text() }
  }

  @Test(arguments: versions)
  func `each is still read, and written to`(_ version: String) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/till.sqlite"
      try make(version, at: path)
      let store = try SQLitePaymentStore.open(path: path)
      try await read(store)
      try await store.write { transaction in
        try transaction.appendJournal(
          JournalEntry(
            at: Sample.start, orderID: Sample.orderID(1), paymentID: nil, channel: .reconcile,
            trust: .proof, event: "read"))
        try transaction.insertPayment(Sample.payment(3, order: 1, attempt: 2))
      }
      let last = try await store.read {
        try $0.journal(of: Sample.orderID(1), after: 9, limit: 10).map(\.channel)
      }
      #expect(last == [.reconcile], "numbers go on after the highest")
      await store.close()
    }
  }

  private func read(_ store: SQLitePaymentStore) async throws {
    let (first, second) = (Sample.paymentID(1), Sample.paymentID(2))
    try await store.read { transaction in
      let order = try #require(try transaction.order(Sample.orderID(1)))
      #expect(order.state == .paid)
      #expect(order.lines.map(\.title) == ["Mug – blue", "Lamp"])
      let paid = try #require(try transaction.payment(first))
      #expect(paid.status == .captured)
      #expect(paid.dispute == .won)
      #expect(
        try transaction.providerPaymentIDs(of: first).map(\.rawValue) == ["prov-0", "prov-1"])
      let open = try #require(try transaction.payment(second))
      #expect(open.status == .unknown("ON_HOLD"))
      #expect(open.createRequest == [0, 255, 1])
      #expect(open.amount.description == "12.500 KWD")
      #expect(try transaction.items(of: first).map(\.kind) == [.capture, .chargeback, .refund])
      #expect(
        try transaction.operations(of: first).map(\.state) == [.done, .unknown, .refused])
      #expect(
        try transaction.heldWebhooks(limit: 9).map(\.state) == [
          .parked, .unmatched,
        ])
      #expect(try transaction.messages(of: order.id).map(\.kind) == [.fulfil, .refunded])
      let journal = try transaction.journal(of: order.id, limit: 100)
      #expect(journal.map(\.sequence) == [1, 2, 3, 4, 5, 6, 9])
      #expect(Set(journal.map(\.channel)) == Set(Channel.allCases).subtracting([.reconcile]))
      #expect(
        try transaction.reviews(of: order.id).map(\.resolvedAt) == [
          Sample.start + .milliseconds(7), nil,
        ])
      #expect(try transaction.idempotency("subject/buyer-1", "k-1")?.paymentID == first)
    }
  }
}
