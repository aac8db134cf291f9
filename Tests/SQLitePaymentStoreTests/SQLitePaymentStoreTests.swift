import PaymentModels
import PaymentStore
import SQLitePaymentStore
import TestSupport
import Testing

@Suite struct SQLitePaymentStoreTests {
  @Test(arguments: PaymentStoreContract.cases)
  func `the contract of every store holds`(_ promise: PaymentStoreContract.Case) async throws {
    try await withStore { store in
      let violations = try await promise.violations(of: store)
      #expect(violations == [])
    }
  }

  @Test(arguments: CommitObserverContract.cases)
  func `the observer hears of each commit`(_ promise: CommitObserverContract.Case) async throws {
    try await withTemporaryDirectory { directory in
      let opener = CommitObserverContract.Opener {
        try SQLitePaymentStore.open(path: "\(directory)/till.sqlite", onCommit: $0)
      }
      let violations = try await promise.violations(of: opener)
      #expect(violations == [])
    }
  }

  @Test func `all rows survive closing and opening`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/till.sqlite"
      let first = try SQLitePaymentStore.open(path: path)
      try await first.seed(payments: 2)
      try await first.write { transaction in
        try transaction.link(.tabby, ProviderPaymentID("p"), to: Sample.paymentID(1))
        try transaction.putItem(Sample.item("c"), of: Sample.paymentID(1))
        try transaction.insertWebhook(Sample.webhook())
        try transaction.appendJournal(Sample.entry(order: 1, payment: 1, event: "read"))
      }
      await first.close()
      let second = try SQLitePaymentStore.open(path: path)
      let (order, payment, items, webhook, journal) = try await second.read { transaction in
        (
          try transaction.order(Sample.orderID(1)),
          try transaction.payment(.tabby, ProviderPaymentID("p")),
          try transaction.items(of: Sample.paymentID(1)),
          try transaction.webhook(Sample.webhookID(1)),
          try transaction.journal(of: Sample.orderID(1), limit: 5)
        )
      }
      await second.close()
      #expect(order == Sample.order())
      #expect(payment == Sample.payment())
      #expect(items == [Sample.item("c")])
      #expect(webhook == Sample.webhook())
      #expect(journal.map(\.event) == ["read"])
    }
  }

  @Test func `numbers of the journal go on after opening anew`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/till.sqlite"
      for event in ["a", "b"] {
        let store = try SQLitePaymentStore.open(path: path)
        try await store.write {
          try $0.appendJournal(Sample.entry(order: 1, payment: nil, event: event))
        }
        await store.close()
      }
      let store = try SQLitePaymentStore.open(path: path)
      let entries = try await store.read { try $0.journal(of: Sample.orderID(1), limit: 9) }
      await store.close()
      #expect(entries.map(\.sequence) == [1, 2])
    }
  }

  @Test func `closing makes durable what was queued and refuses the rest`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/till.sqlite"
      let driver = ManualCommitDriver()
      let store = try SQLitePaymentStore.open(path: path, driver: driver)
      let writer = try #require(driver.writer)
      async let queued: Void = store.write { try $0.insertOrder(Sample.order()) }
      await untilPending(1, writer)
      await store.close()
      try await queued
      await store.close()
      for refused in [
        await kindThrown { try await store.write { try $0.insertOrder(Sample.order(2)) } },
        await kindThrown { _ = try await store.read { try $0.order(Sample.orderID(1)) } },
      ] {
        #expect(refused == .unusable)
      }
      let again = try SQLitePaymentStore.open(path: path)
      #expect(try await again.read { try $0.order(Sample.orderID(1)) } == Sample.order())
      await again.close()
      await again.close()
    }
  }

  @Test func `a transaction kept past its body traps`() async {
    await #expect(processExitsWith: .failure) {
      try await withStore { store in
        let kept = Kept()
        try await store.read { kept.transaction = $0 }
        _ = try kept.transaction?.order(Sample.orderID(1))
      }
    }
  }

  @Test func `a refused order leaves none of its lines to a body that goes on`() async throws {
    try await withStore { store in
      let kind = try await store.write { transaction -> StoreError.Kind? in
        var order = Sample.order()
        order.lines[1].quantity = 0
        do {
          try transaction.insertOrder(order)
          return nil
        } catch let error as StoreError {
          return error.kind
        }
      }
      #expect(kind == .constraint)
      #expect(try await store.read { try $0.order(Sample.orderID(1)) } == nil)
    }
  }

  @Test func `64 readers at once all read`() async throws {
    try await withStore { store in
      try await store.seed()
      let found = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<64 {
          group.addTask { try await store.read { try $0.order(Sample.orderID(1)) } != nil }
        }
        return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(found == 64)
    }
  }
}

// One body writes it, and the test reads it after that body has returned.
private final class Kept: @unchecked Sendable {
  var transaction: (any PaymentTransaction)?
}
