import KitEnvironment
import PaymentStore
import SQLitePaymentStore
import SystemRuntime
import Testing
import TestSupport

@testable import Bootstrap

@Suite("till backup and till restore on a bad disk")
struct BackupDiskTests {
  /// 100 blocks of 512 bytes: less than the tables alone need.
  private static let limit = "ulimit -S -f 100; exec \"$@\""

  private func till(
    _ served: ServedShop, _ arguments: [String], isFull: Bool = false
  ) async throws -> Finished {
    let all = arguments + ["--config", served.shop.configurationFile]
    guard isFull else { return try await finish(program("till"), all) }
    return try await finish("/bin/sh", ["-c", Self.limit, "sh", program("till")] + all)
  }

  private func names(_ directory: String) async throws -> Set<String> {
    // SQLite's own files beside a store come and go.
    Set(
      try await finish("/bin/ls", ["-A", directory]).lines.filter {
        !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal")
      })
  }

  private func makeStore(_ path: String, orders: Int) async throws {
    let store = try SQLitePaymentStore.open(path: path)
    for number in 1...orders { try await store.seed(order: number) }
    await store.close()
  }

  private func orders(_ path: String) async throws -> Int {
    try await blocking { try StoreExamination.read(path) { try $0.paymentCount() } }
  }

  @Test func `a backup without room leaves nothing under its name, nor beside it`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let served = try ServedShop(directory)
      try await makeStore(served.database, orders: 3)
      let before = try await names(directory)
      let ran = try await till(served, ["backup", "--to", "\(directory)/copy"], isFull: true)
      #expect(ran.end == .exited(73))
      #expect(ran.lines.count == 1 && ran.lines[0].hasPrefix("error: "), "\(ran.lines)")
      let after = try await names(directory)
      #expect(after == before)
      let again = try await till(served, ["backup", "--to", "\(directory)/copy"])
      #expect(again.end == .exited(0))
      #expect(try await orders("\(directory)/copy") == 3)
    }
  }

  @Test func `a backup in place of an older one without room leaves the older one`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let served = try ServedShop(directory)
      let copy = "\(directory)/copy"
      try await makeStore(served.database, orders: 3)
      try await makeStore(copy, orders: 2)
      let ran = try await till(served, ["backup", "--force", "--to", copy], isFull: true)
      #expect(ran.end == .exited(73))
      #expect(try await orders(copy) == 2)
    }
  }

  @Test func `a restore without room leaves the store that was there`() async throws {
    try await withTemporaryDirectory { directory in
      let served = try ServedShop(directory)
      let copy = "\(directory)/copy"
      try await makeStore(served.database, orders: 3)
      try await makeStore(copy, orders: 2)
      let before = try await names(directory)
      let ran = try await till(served, ["restore", "--force", "--from", copy], isFull: true)
      #expect(ran.end == .exited(73))
      #expect(ran.lines.count == 1 && ran.lines[0].hasPrefix("error: "), "\(ran.lines)")
      #expect(try await orders(served.database) == 3)
      let after = try await names(directory)
      #expect(after == before)
      try Files.removeTree(served.database)
      let empty = try await till(served, ["restore", "--from", copy], isFull: true)
      #expect(empty.end == .exited(73))
      #expect(!Files.exists(served.database))
      let good = try await till(served, ["restore", "--from", copy])
      #expect(good.end == .exited(0))
      #expect(try await orders(served.database) == 2)
    }
  }

  /// Tests may run as root, whom permissions do not stop; the kernel's own tree takes no files
  /// from anybody.
  @Test(.enabled(if: Files.exists("/sys/kernel"), "needs sysfs"))
  func `a directory that takes no files is said in one line`() async throws {
    try await withTemporaryDirectory { directory in
      let served = try ServedShop(directory)
      try await makeStore(served.database, orders: 1)
      let backup = try await till(served, ["backup", "--to", "/sys/till.sqlite"])
      #expect(backup.end == .exited(73))
      #expect(backup.lines.count == 1, "\(backup.lines)")
      let restore = try await finish(
        program("till"),
        ["restore", "--from", served.database, "--config", served.shop.configurationFile],
        ["TILL_DATABASE": "/sys/till.sqlite"])
      #expect(restore.end == .exited(73))
      #expect(restore.lines.count == 1, "\(restore.lines)")
      let server = try await finish(
        program("till-server"), ["--config", served.shop.configurationFile],
        served.variables.merging(["TILL_DATABASE": "/sys/till.sqlite"]) { $1 })
      #expect(server.end == .exited(74))
      #expect(server.lines.count == 1, "\(server.lines)")
    }
  }
}
