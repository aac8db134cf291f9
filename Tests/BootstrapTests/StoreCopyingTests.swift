import MerchantCommands
import PaymentStore
import SQLitePaymentStore
import StrictJSON
import SystemRuntime
import TestSupport
import Testing

@testable import Bootstrap

@Suite("till backup and till restore")
struct StoreCopyingTests {
  private struct Ran {
    var code: Int32
    var output: String
    var errors: String
  }

  private func run(
    _ copy: StoreCopy, _ database: String, asJSON: Bool = false, isInteractive: Bool = false
  ) -> Ran {
    let output = Locked("")
    let errors = Locked("")
    let terminal = Terminal(
      isInteractive: isInteractive, usesColor: false,
      write: { text in output.withLock { $0 += text } },
      complain: { line in errors.withLock { $0 += line } })
    let code = StoreCopying(database: database, terminal: terminal).run(copy, asJSON: asJSON)
    return Ran(code: code, output: output.withLock { $0 }, errors: errors.withLock { $0 })
  }

  private func make(_ path: String) async throws -> SQLitePaymentStore {
    let store = try SQLitePaymentStore.open(path: path)
    try await store.seed()
    return store
  }

  @Test func `where the store lies is known without a secret`() async throws {
    try await withTemporaryDirectory { directory in
      _ = try ShopFiles().configuration(in: directory)
      let file = "\(directory)/till-server.json"
      #expect(
        try ServerConfiguration.database(file: file, environment: [:])
          == "\(directory)/till.sqlite")
      #expect(
        try ServerConfiguration.database(file: file, environment: ["TILL_DATABASE": "/x.sqlite"])
          == "/x.sqlite")
      #expect(throws: ConfigurationError.self) {
        try ServerConfiguration.database(file: "\(directory)/none.json", environment: [:])
      }
    }
  }

  @Test func `a copy beside an open store says what it holds`() async throws {
    try await withTemporaryDirectory { directory in
      let (database, copy) = ("\(directory)/till.sqlite", "\(directory)/copy.sqlite")
      let store = try await make(database)
      let ran = run(StoreCopy(.backup, path: copy), database)
      #expect(ran.code == 0)
      #expect(ran.output.hasPrefix("\(copy): "))
      #expect(ran.output.hasSuffix("0 journal, 1 orders, 1 payments; checked\n"))
      let json = run(StoreCopy(.backup, path: copy, replaces: true), database, asJSON: true)
      let document = try JSONValue(parsing: Array(json.output.utf8))
      #expect(document["rows"]?["payments"]?.int64 == 1)
      let shown = run(
        StoreCopy(.backup, path: copy, replaces: true), database, isInteractive: true)
      #expect(shown.output.contains("\r\u{1B}[K100 % of "))
      await store.close()
    }
  }

  @Test func `each refusal has a code of its own and one line`() async throws {
    try await withTemporaryDirectory { directory in
      let (database, copy) = ("\(directory)/till.sqlite", "\(directory)/copy.sqlite")
      #expect(run(StoreCopy(.backup, path: copy), database).code == 74)
      let store = try await make(database)
      #expect(run(StoreCopy(.backup, path: copy), database).code == 0)
      let again = run(StoreCopy(.backup, path: copy), database)
      #expect(again.code == 73)
      #expect(again.errors == "error: \(copy) is there already; --force replaces it")
      #expect(run(StoreCopy(.restore, path: copy, replaces: true), database).code == 69)
      await store.close()
      #expect(run(StoreCopy(.restore, path: copy), database).code == 73)
      #expect(
        run(StoreCopy(.restore, path: "\(directory)/no", replaces: true), database).code == 74)
      #expect(run(StoreCopy(.restore, path: copy, replaces: true), database).code == 0)
    }
  }

  @Test func `what cannot be written or read is named`() async throws {
    try await withTemporaryDirectory { directory in
      let (database, junk) = ("\(directory)/till.sqlite", "\(directory)/junk")
      try await make(database).close()
      let nowhere = "\(directory)/nowhere/copy.sqlite"
      let unwritten = run(StoreCopy(.backup, path: nowhere), database)
      #expect(unwritten.code == 73)
      #expect(unwritten.errors.hasPrefix("error: \(nowhere): "))
      try Files.replace(junk, with: Array(repeating: 0x41, count: 8_192))
      let unread = run(StoreCopy(.restore, path: junk, replaces: true), database)
      #expect(unread.code == 74)
      #expect(unread.errors.hasPrefix("error: \(junk): "))
    }
  }
}
