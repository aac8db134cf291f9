import CheckoutLifecycle
import Glibc
import PaymentModels
import SQLiteDeviceStore
import SystemRuntime
import TestSupport
import Testing

/// The `index`-th checkout at one revision. Its length differs from one to the next, so that pages
/// of the file are split and joined; the last one is settled, which empties the log at each save.
private func version(_ index: Int, _ revision: Int64) -> CheckoutRecord {
  var record = sampleCheckoutRecords()[index]
  record.revision = revision
  record.payment?.returnURLs.failure = String(
    repeating: "x", count: Int(revision * 61 % 1_200))
  return record
}

/// Lines that were written by processes that may have been killed since: what is handed to the
/// kernel is there.
private struct Notes {
  private let descriptor: Int32

  init(_ path: String) {
    // The path is a copy that lives for the call.
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    precondition(descriptor >= 0)
  }

  func add(_ index: Int, _ revision: Int64) {
    let line = Array("\(index) \(revision)\n".utf8)
    // Reads the local array only.
    let count = unsafe write(descriptor, line, line.count)
    precondition(count == line.count)
  }

  static func last(in path: String) throws -> [Int: Int64] {
    let text = String(decoding: try Files.read(path, bytesMax: 1 << 24), as: UTF8.self)
    return text.split(separator: "\n").reduce(into: [:]) { last, line in
      let parts = line.split(separator: " ").compactMap { Int64($0) }
      last[Int(parts[0])] = parts[1]
    }
  }
}

@Suite("A device store whose process is killed")
struct KilledProcessTests {
  /// Each life begins where the one before was killed: at another moment of a save.
  private static let lives = 12

  @Test func `killed at any moment of a save, each checkout is as it was before or after it`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/checkouts.sqlite"
      for life in 0..<Self.lives {
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [path = path as String, life = life as Int] in
          try await saveUntilKilled(path, life: life)
        }
        let told = try Notes.last(in: "\(path).notes")
        #expect(told.count == sampleCheckoutRecords().count)
        let store = try SQLiteDeviceStore(path: path)
        for index in sampleCheckoutRecords().indices {
          let found = try await store.load(sampleCheckoutRecords()[index].key)
          let revision = try #require(told[index])
          let right = [version(index, revision), version(index, revision + 1)]
          #expect(right.contains { $0 == found }, "life \(life), checkout \(index)")
        }
        await store.close()
      }
    }
  }
}

/// Saves every checkout again and again, and notes each save that has returned. A thread of the
/// process kills it a moment after all were saved, another moment in each life.
private func saveUntilKilled(_ path: String, life: Int) async throws {
  let store = try SQLiteDeviceStore(path: path)
  let notes = Notes("\(path).notes")
  var revision = try await store.all().map(\.revision).max() ?? 0
  var isKillerStarted = false
  while true {
    revision += 1
    for index in sampleCheckoutRecords().indices {
      try await store.save(version(index, revision))
      notes.add(index, revision)
    }
    guard !isKillerStarted else { continue }
    isKillerStarted = true
    startThread(named: "killer") {
      for _ in 0..<life * 2_000 { sched_yield() }
      kill(getpid(), SIGKILL)
    }
  }
}
