import PaymentStore
import SQLitePaymentStore
import TestSupport

/// Runs `body` on an empty store in a directory of its own.
func withStore(_ body: (SQLitePaymentStore) async throws -> Void) async throws {
  try await withTemporaryDirectory { directory in
    let store = try SQLitePaymentStore.open(path: "\(directory)/till.sqlite")
    do {
      try await body(store)
    } catch {
      await store.close()
      throw error
    }
    await store.close()
  }
}

/// What `body` throws, or nil.
func errorThrown(_ body: () async throws -> Void) async -> (any Error)? {
  do {
    try await body()
    return nil
  } catch {
    return error
  }
}

/// The kind of the `StoreError` that `body` throws; nil if it throws none.
func kindThrown(_ body: () async throws -> Void) async -> StoreError.Kind? {
  (await errorThrown(body) as? StoreError)?.kind
}

/// Returns once `count` bodies wait for a commit.
func untilPending(_ count: Int, _ writer: SQLiteWriter) async {
  while writer.pendingCount < count { await Task.yield() }
}
