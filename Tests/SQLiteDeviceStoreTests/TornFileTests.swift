import CheckoutLifecycle
import PaymentModels
import SQLiteDeviceStore
import TestSupport
import Testing

/// A store that saved a checkout and then saved it again, in its files.
private struct SavedTwice {
  let before: CheckoutRecord
  let after: CheckoutRecord
  /// With the first save in the log, and nothing of it in the database.
  let first: StoreFiles
  /// With both saves in the log.
  let second: StoreFiles
  /// With both in the database, and an empty log.
  let settled: StoreFiles

  init(in directory: String) async throws {
    let path = "\(directory)/made.sqlite"
    try makeSmallPages(path)
    let store = try SQLiteDeviceStore(path: path)
    before = sampleCheckoutRecords()[0]
    var changed = before
    changed.revision += 1
    changed.stage = .created
    changed.payment = CheckoutPayment(
      paymentID: PaymentID("p"), orderID: OrderID("o"), providerPaymentID: nil, checkoutURL: "u",
      returnURLs: ReturnURLs(success: "s", cancel: "c", failure: "f"))
    after = changed
    try await store.save(before)
    first = try StoreFiles(of: path)
    try await store.save(after)
    second = try StoreFiles(of: path)
    // Removes nothing, and empties the log.
    try await store.remove(CheckoutKey("0199aaaa-0000-7000-8000-0000000000ff"))
    settled = try StoreFiles(of: path)
    await store.close()
    #expect(first.database == second.database)
    #expect(first.log.count < second.log.count)
    #expect(settled.log.isEmpty)
  }

  /// Bytes of a page of these files.
  static let pageBytes = 512

  /// Every byte of the first and the last page of the database, and of those between some, that
  /// stand at all places of a page.
  var places: [Int] {
    let count = settled.database.count
    return (0..<count).filter {
      $0 < Self.pageBytes || $0 % 11 == 0 || $0 >= count - Self.pageBytes
    }
  }

  var isBefore: Found { .records([before]) }
  var isAfter: Found { .records([after]) }
}

@Suite("A device store whose files were torn")
struct TornFileTests {
  private func withSavedTwice(_ body: (SavedTwice, String) async throws -> Void) async throws {
    try await withFastDirectory { directory in
      try await body(SavedTwice(in: directory), directory)
    }
  }

  @Test func `a save that was torn at any byte of the log did not happen, or did`() async throws {
    try await withSavedTwice { saved, directory in
      var isOver = false
      for count in saved.first.log.count...saved.second.log.count {
        var files = saved.second
        files.log = Array(files.log.prefix(count))
        let found = try await files.opened(in: directory)
        isOver = isOver || found == saved.isAfter
        #expect(found == (isOver ? saved.isAfter : saved.isBefore), "\(count) bytes")
      }
      #expect(isOver)
    }
  }

  @Test func `a save whose last page in the log is wrong anywhere did not happen`() async throws {
    try await withSavedTwice { saved, directory in
      var undone = 0
      for index in saved.second.log.indices.suffix(SavedTwice.pageBytes) {
        var files = saved.second
        files.log[index] ^= 0xFF
        let found = try await files.opened(in: directory)
        undone += found == saved.isBefore ? 1 : 0
        #expect(found == saved.isBefore, "byte \(index)")
      }
      #expect(undone == SavedTwice.pageBytes)
    }
  }

  // What was synced to the disk is not lost by a kill; a disk may lose it all the same.
  @Test func `a log that is lost from some byte on gives an earlier moment`() async throws {
    try await withSavedTwice { saved, directory in
      for count in stride(from: 0, to: saved.first.log.count, by: 17) {
        var files = saved.second
        files.log = Array(files.log.prefix(count))
        let found = try await files.opened(in: directory)
        #expect([.records([]), saved.isBefore].contains(found), "\(count) bytes")
      }
    }
  }

  @Test func `while the log is copied into the database, any byte may be the last`() async throws {
    try await withSavedTwice { saved, directory in
      let (old, new) = (saved.second.database, saved.settled.database)
      for count in saved.places + [new.count] {
        var files = saved.second
        files.database = Array(new.prefix(count)) + old.dropFirst(count)
        let found = try await files.opened(in: directory)
        #expect(found == saved.isAfter, "\(count) bytes")
      }
    }
  }

  @Test func `a database that ends too early is refused, unless its log has all of it`()
    async throws
  {
    try await withSavedTwice { saved, directory in
      for count in saved.places {
        var files = saved.settled
        files.database = Array(files.database.prefix(count))
        // An empty file is a new one: its maker was killed before the first page.
        if count > 0 { #expect(try await files.opened(in: directory).isRefused, "\(count) bytes") }
        files.log = saved.second.log
        let found = try await files.opened(in: directory)
        #expect(found.isRefused || count > 0 && found == saved.isAfter, "\(count) bytes and a log")
      }
    }
  }

  @Test func `a database of which any byte is wrong is refused, or gives what was saved`()
    async throws
  {
    try await withSavedTwice { saved, directory in
      var refusals = 0
      for index in saved.places {
        var files = saved.settled
        files.database[index] ^= 0xFF
        let found = try await files.opened(in: directory)
        refusals += found.isRefused ? 1 : 0
        #expect(found.isRefused || found == saved.isAfter, "byte \(index)")
      }
      #expect(refusals > 300)
    }
  }
}
