import PaymentModels
import PaymentStore
import SQLiteConnection
import SQLitePaymentStore
import SystemRuntime
import TestSupport
import Testing

@Suite struct GroupCommitTests {
  private struct Refused: Error {}

  /// Opens a store that commits only when told.
  private func withManualStore(
    onCommit: CommitObserver? = nil,
    _ body: (SQLitePaymentStore, SQLiteWriter, String) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let driver = ManualCommitDriver()
      let path = "\(directory)/till.sqlite"
      let store = try SQLitePaymentStore.open(path: path, driver: driver, onCommit: onCommit)
      try await body(store, try #require(driver.writer), path)
      await store.close()
    }
  }

  @Test func `what queued up shares one commit and one notice`() async throws {
    let heard = Locked<[CommittedChanges]>([])
    try await withManualStore(onCommit: { changes in heard.withLock { $0.append(changes) } }) {
      store, writer, _ in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...64 {
          group.addTask { try await store.write { try $0.insertOrder(Sample.order(number)) } }
        }
        await untilPending(64, writer)
        let acks = writer.commitPending()
        #expect(acks.count == 64)
        #expect(acks.changes.orders == (1...64).map(Sample.orderID))
        #expect(heard.withLock { $0 } == [])
        writer.deliver(acks)
        try await group.waitForAll()
      }
      #expect(heard.withLock { $0.count } == 1)
      #expect(writer.commitPending().count == 0)
    }
  }

  @Test func `a body that throws does not take its batch along`() async throws {
    try await withManualStore { store, writer, _ in
      async let first: Void = store.write { try $0.insertOrder(Sample.order(1)) }
      await untilPending(1, writer)
      async let second = errorThrown {
        try await store.write { transaction in
          try transaction.insertOrder(Sample.order(2))
          throw Refused()
        }
      }
      await untilPending(2, writer)
      async let third = kindThrown { try await store.write { try $0.insertOrder(Sample.order(1)) } }
      await untilPending(3, writer)
      async let fourth: Void = store.write { try $0.insertOrder(Sample.order(4)) }
      await untilPending(4, writer)
      let acks = writer.commitPending()
      #expect(acks.changes.orders == [1, 4].map(Sample.orderID))
      writer.deliver(acks)
      try await first
      #expect(await second is Refused)
      #expect(await third == .duplicate)
      try await fourth
      let stored = try await store.read { transaction in
        try (1...4).filter { try transaction.order(Sample.orderID($0)) != nil }
      }
      #expect(stored == [1, 4])
    }
  }

  @Test func `a delivery that ends a body and is there already takes nobody along`() async throws {
    try await withManualStore { store, writer, _ in
      async let first: Void = store.write { try $0.insertWebhook(Sample.webhook(1)) }
      await untilPending(1, writer)
      async let twin = kindThrown {
        try await store.write { try $0.insertWebhook(Sample.webhook(1)) }
      }
      await untilPending(2, writer)
      async let late = kindThrown {
        try await store.write { transaction in
          try transaction.insertOrder(Sample.order(2))
          try transaction.insertWebhook(Sample.webhook(1))
        }
      }
      await untilPending(3, writer)
      async let last: Void = store.write { try $0.insertWebhook(Sample.webhook(4)) }
      await untilPending(4, writer)
      writer.deliver(writer.commitPending())
      try await first
      #expect(await twin == .duplicate)
      #expect(await late == .duplicate)
      try await last
      let (order, webhooks) = try await store.read { transaction in
        (
          try transaction.order(Sample.orderID(2)),
          try transaction.webhooks(in: nil, at: nil, before: nil, limit: 9).map(\.id)
        )
      }
      #expect(order == nil)
      #expect(webhooks == [4, 1].map(Sample.webhookID))
    }
  }

  @Test(arguments: [0, 1, 2, 3])
  func `a body sees its delivery, and nothing of it stays if it fails after that`(
    _ step: Int
  ) async throws {
    try await withManualStore { store, writer, _ in
      async let failed = errorThrown {
        try await store.write { transaction in
          if step > 1 { try transaction.insertOrder(Sample.order(1)) }
          try transaction.insertWebhook(Sample.webhook(1))
          if step % 2 == 1 {
            #expect(try transaction.webhook(Sample.webhookID(1)) == Sample.webhook(1))
            try transaction.insertWebhook(Sample.webhook(2))
          }
          throw Refused()
        }
      }
      await untilPending(1, writer)
      async let other: Void = store.write { try $0.insertWebhook(Sample.webhook(3)) }
      await untilPending(2, writer)
      writer.deliver(writer.commitPending())
      #expect(await failed is Refused)
      try await other
      let (order, webhooks) = try await store.read { transaction in
        (
          try transaction.order(Sample.orderID(1)),
          try transaction.webhooks(in: nil, at: nil, before: nil, limit: 9).map(\.id)
        )
      }
      #expect(order == nil)
      #expect(webhooks == [Sample.webhookID(3)])
    }
  }

  @Test func `killed between commit and answer, the row is there and nobody was told`()
    async throws
  {
    let heard = Locked(0)
    try await withManualStore(onCommit: { _ in heard.withLock { $0 += 1 } }) {
      store, writer, path in
      // The caller of a killed process never hears back, so its task stays parked.
      let orphan = Task { try await store.write { try $0.insertOrder(Sample.order()) } }
      await untilPending(1, writer)
      let acks = writer.commitPending()
      #expect(acks.count == 1)
      let reopened = try SQLitePaymentStore.open(path: path)
      #expect(try await reopened.read { try $0.order(Sample.orderID(1)) } == Sample.order())
      await reopened.close()
      #expect(heard.withLock { $0 } == 0)
      writer.deliver(acks)
      try await orphan.value
    }
  }

  @Test func `killed before the commit, the row is not there`() async throws {
    try await withManualStore { store, writer, path in
      async let queued: Void = store.write { try $0.insertOrder(Sample.order()) }
      await untilPending(1, writer)
      let reopened = try SQLitePaymentStore.open(path: path)
      #expect(try await reopened.read { try $0.order(Sample.orderID(1)) } == nil)
      await reopened.close()
      writer.deliver(writer.commitPending())
      try await queued
    }
  }

  @Test func `the queue takes its limit and not one more`() async throws {
    try await withManualStore { store, writer, _ in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<SQLiteWriter.maxPending {
          group.addTask { try await store.write { _ in } }
        }
        await untilPending(SQLiteWriter.maxPending, writer)
        #expect(await kindThrown { try await store.write { _ in } } == .busy)
        let acks = writer.commitPending()
        #expect(acks.count == SQLiteWriter.maxBatch)
        writer.deliver(acks)
        #expect(writer.pendingCount == SQLiteWriter.maxPending - SQLiteWriter.maxBatch)
        while writer.pendingCount > 0 { writer.deliver(writer.commitPending()) }
        try await group.waitForAll()
      }
    }
  }

  @Test func `a full disk refuses and later works again`() async throws {
    try await withManualStore { store, writer, _ in
      async let first: Void = store.write { try $0.insertOrder(Sample.order(1)) }
      await untilPending(1, writer)
      writer.deliver(writer.commitPending())
      try await first

      // Below what the file has already: not one page more.
      writer.limitPages(to: 1)
      async let small = kindThrown { try await store.write { try $0.insertOrder(Sample.order(2)) } }
      await untilPending(1, writer)
      async let large = kindThrown {
        try await store.write { transaction in
          var webhook = Sample.webhook()
          webhook.body = Array(repeating: 7, count: 100_000)
          try transaction.insertWebhook(webhook)
        }
      }
      await untilPending(2, writer)
      writer.deliver(writer.commitPending())
      let (smallKind, largeKind) = await (small, large)
      #expect(largeKind == .full)
      let (second, webhook) = try await store.read { transaction in
        (
          try transaction.order(Sample.orderID(2)), try transaction.webhook(Sample.webhookID(1))
        )
      }
      #expect((second != nil) == (smallKind == nil), "told and stored are the same")
      #expect(webhook == nil)

      writer.limitPages(to: 1_000_000)
      async let again: Void = store.write { try $0.insertWebhook(Sample.webhook()) }
      await untilPending(1, writer)
      writer.deliver(writer.commitPending())
      try await again
      #expect(try await store.read { try $0.webhook(Sample.webhookID(1)) } == Sample.webhook())
    }
  }

  @Test func `a body that swallows a full disk and goes on keeps nothing by accident`()
    async throws
  {
    try await withManualStore { store, writer, _ in
      writer.limitPages(to: 1)
      async let swallowed = kindThrown {
        try await store.write { transaction in
          var webhook = Sample.webhook()
          webhook.body = Array(repeating: 7, count: 100_000)
          do {
            try transaction.insertWebhook(webhook)
            _ = try transaction.webhook(webhook.id)
            throw Refused()
          } catch let error as StoreError {
            #expect(error.kind == .full)
          }
        }
      }
      await untilPending(1, writer)
      writer.deliver(writer.commitPending())
      let kind = await swallowed
      #expect(kind == .full)
      let webhook = try await store.read { try $0.webhook(Sample.webhookID(1)) }
      #expect(webhook == nil)
    }
  }

  @Test func `a body whose error ends the whole transaction loses the batch, and all are told`()
    async throws
  {
    try await withManualStore { store, writer, path in
      // SQLite does this by itself after some disk errors; a trigger makes it happen here.
      let database = try SQLiteDatabase(path: path)
      try database.run(
        """
        CREATE TRIGGER fault BEFORE INSERT ON webhooks
        BEGIN SELECT RAISE(ROLLBACK, 'fault'); END
        """)
      database.close()
      async let first = kindThrown { try await store.write { try $0.insertOrder(Sample.order(1)) } }
      await untilPending(1, writer)
      // Refused because of the first, which will not be there: its refusal must not be told.
      async let twin = kindThrown { try await store.write { try $0.insertOrder(Sample.order(1)) } }
      await untilPending(2, writer)
      async let second = kindThrown {
        try await store.write { transaction in
          do {
            try transaction.insertWebhook(Sample.webhook())
          } catch is StoreError {
            // Goes on as if nothing had happened: must not become a transaction of its own.
            try transaction.insertOrder(Sample.order(2))
          }
        }
      }
      await untilPending(3, writer)
      async let third = kindThrown { try await store.write { try $0.insertOrder(Sample.order(3)) } }
      await untilPending(4, writer)
      let acks = writer.commitPending()
      #expect(acks.count == 4)
      #expect(acks.changes.isEmpty)
      writer.deliver(acks)
      let told = await [first, twin, second, third]
      #expect(told == [.busy, .busy, .constraint, .busy])
      let stored = try await store.read { transaction in
        try (1...3).filter { try transaction.order(Sample.orderID($0)) != nil }
      }
      #expect(stored == [])
      async let again: Void = store.write { try $0.insertOrder(Sample.order(1)) }
      await untilPending(1, writer)
      writer.deliver(writer.commitPending())
      try await again
    }
  }
}
