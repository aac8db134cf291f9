import Glibc
import SystemRuntime
import TestSupport
import Testing

@testable import Bootstrap

@Suite("Files of a new shop")
struct ShopDraftFilesTests {
  private static func files(_ text: String) -> [ShopDraft.File] {
    ["a", "b"].map { ShopDraft.File(name: $0, text: text, isSecret: true, use: "") }
  }

  private static func write(
    _ text: String, to directory: String, replaces: Bool
  ) throws -> [String] {
    try ShopDraftFiles(directory: directory, replaces: replaces).write(files(text))
  }

  private static func expect(
    _ text: String, writtenTo directory: String, replaces: Bool = true, keeps names: [String]
  ) throws {
    let kept = try write(text, to: directory, replaces: replaces)
    #expect(kept == names)
  }

  private static func text(_ path: String) throws -> String {
    String(decoding: try Files.read(path, bytesMax: 1_000), as: UTF8.self)
  }

  @Test func `what was kept once is never written over`() async throws {
    try await withTemporaryDirectory { directory in
      try Self.expect("one", writtenTo: directory, keeps: [])
      try Self.expect("two", writtenTo: directory, keeps: ["a.replaced", "b.replaced"])
      try Self.expect("three", writtenTo: directory, keeps: ["a.replaced-2", "b.replaced-2"])
      for (name, text) in ["a": "three", "a.replaced": "one", "b.replaced-2": "two"] {
        let content = try Self.text("\(directory)/\(name)")
        #expect(content == text)
      }
    }
  }

  @Test func `as many are kept as there are names, and then nothing is changed`() async throws {
    try await withTemporaryDirectory { directory in
      _ = try Self.write("old", to: directory, replaces: false)
      let last = "b.replaced-\(ShopDraftFiles.keptMax)"
      for number in 1..<ShopDraftFiles.keptMax {
        let suffix = number == 1 ? "" : "-\(number)"
        try Files.addName("\(directory)/b.replaced\(suffix)", to: "\(directory)/b")
      }
      try Self.expect("new", writtenTo: directory, keeps: ["a.replaced", last])
      let failure = #expect(throws: ShopDraftFiles.Failure.self) {
        try Self.write("newer", to: directory, replaces: true)
      }
      #expect(failure?.path == "\(directory)/b")
      #expect(failure?.reason == "is kept \(ShopDraftFiles.keptMax) times already; remove some")
      let content = try Self.text("\(directory)/a")
      #expect(content == "new")
      #expect(!Files.exists("\(directory)/a.replaced-2"))
    }
  }

  @Test func `a link that leads nowhere is in the way like a file`() async throws {
    try await withTemporaryDirectory { directory in
      // Both texts are copies that live for the call.
      #expect(unsafe symlink("nowhere", "\(directory)/b") == 0)
      let failure = #expect(throws: ShopDraftFiles.Failure.self) {
        try Self.write("new", to: directory, replaces: false)
      }
      #expect(failure?.description == "\(directory)/b: is there already; --force replaces it")
      #expect(!Files.exists("\(directory)/a"))
      try Self.expect("new", writtenTo: directory, keeps: ["b.replaced"])
      let content = try Self.text("\(directory)/b")
      #expect(content == "new")
      #expect(!Files.exists("\(directory)/nowhere"))
    }
  }

  @Test func `two at once never undo each other`() async throws {
    try await withTemporaryDirectory { parent in
      for round in 0..<8 {
        let directory = "\(parent)/\(round)"
        let ends = await withTaskGroup(of: Bool.self) { group in
          for text in ["one", "two"] {
            group.addTask {
              (try? await blocking {
                try Self.write(text, to: directory, replaces: false)
              }) != nil
            }
          }
          return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ends.count { $0 } == 1)
        let (first, second) = try (Self.text("\(directory)/a"), Self.text("\(directory)/b"))
        #expect(first == second)
      }
    }
  }

  @Test func `who finds another at work leaves everything as it is`() async throws {
    try await withTemporaryDirectory { directory in
      let claim = try Files.claim(directory)
      let failure = #expect(throws: ShopDraftFiles.Failure.self) {
        try Self.write("new", to: directory, replaces: true)
      }
      #expect(failure?.reason == "another program writes there at this moment")
      claim.release()
      try Self.expect("new", writtenTo: directory, keeps: [])
    }
  }

  @Test func `a directory that others have put something into stays`() async throws {
    try await withTemporaryDirectory { directory in
      try Files.makeDirectory("\(directory)/shop")
      try Files.replace("\(directory)/shop/theirs", with: [])
      #expect(throws: SystemError.self) { try Files.removeDirectory("\(directory)/shop") }
      #expect(Files.exists("\(directory)/shop/theirs"))
      try Files.removeTree("\(directory)/shop/theirs")
      try Files.removeDirectory("\(directory)/shop")
      #expect(!Files.exists("\(directory)/shop"))
    }
  }
}
