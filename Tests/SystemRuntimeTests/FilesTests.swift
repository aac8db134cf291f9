import SystemRuntime
import Testing

@Suite("Files")
struct FilesTests {
  /// Runs `body` with a directory of its own, removed afterwards.
  static func withDirectory(_ body: (String) throws -> Void) throws {
    let directory = try Files.makeTemporaryDirectory()
    do { try body(directory) } catch {
      try Files.removeTree(directory)
      throw error
    }
    try Files.removeTree(directory)
    #expect(!Files.exists(directory))
  }

  @Test func `what was written is read, and replaced as a whole`() throws {
    try Self.withDirectory { directory in
      let path = directory + "/settings"
      try Files.replace(path, with: Array("one".utf8))
      try Files.replace(path, with: Array("two".utf8))
      #expect(try Files.read(path, bytesMax: 100) == Array("two".utf8))
      // No half-written file stays beside it: the directory holds this one alone.
      try Files.removeTree(path)
      #expect(!Files.exists(path))
    }
  }

  @Test func `a file at the limit is read, one byte more is refused`() throws {
    try Self.withDirectory { directory in
      let path = directory + "/file"
      for count in [0, 99, 100] {
        try Files.replace(path, with: [UInt8](repeating: 7, count: count))
        #expect(try Files.read(path, bytesMax: 100).count == count)
      }
      try Files.replace(path, with: [UInt8](repeating: 7, count: 101))
      let error = #expect(throws: SystemError.self) { try Files.read(path, bytesMax: 100) }
      #expect(error?.kind == .tooLarge)
    }
  }

  @Test func `a file longer than one block comes back whole`() throws {
    try Self.withDirectory { directory in
      let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      try Files.replace(directory + "/big", with: bytes)
      #expect(try Files.read(directory + "/big", bytesMax: 200_000) == bytes)
    }
  }

  @Test func `a missing file is said to be missing`() {
    let error = #expect(throws: SystemError.self) {
      try Files.read("/nonexistent/file", bytesMax: 1)
    }
    #expect(error?.kind == .notFound)
    #expect(error?.description == "open: No such file or directory")
  }

  @Test func `a failed replacement leaves no file behind`() throws {
    try Self.withDirectory { directory in
      // A directory cannot be replaced by a file.
      try Files.makeDirectory(directory + "/taken")
      #expect(throws: SystemError.self) {
        try Files.replace(directory + "/taken", with: [1])
      }
      #expect(throws: SystemError.self) {
        try Files.replace(directory + "/none/file", with: [1])
      }
      try Files.removeTree(directory + "/taken")
    }
  }

  @Test func `a secret file that others may read is noticed`() throws {
    try Self.withDirectory { directory in
      let path = directory + "/key"
      try Files.replace(path, with: [1])
      #expect(try !Files.isOpenToOthers(path))
      for mode: UInt32 in [0o640, 0o604, 0o620, 0o602] {
        try Files.replace(path, with: [1], mode: mode)
        #expect(try Files.isOpenToOthers(path))
      }
    }
  }

  @Test func `a tree is removed with all that is in it`() throws {
    try Self.withDirectory { directory in
      var path = directory
      for depth in 0..<20 {
        path += "/d\(depth)"
        try Files.makeDirectory(path)
        try Files.replace(path + "/file", with: [1])
      }
      try Files.removeTree(directory + "/d0")
      #expect(!Files.exists(directory + "/d0"))
    }
  }

  @Test func `removing what is gone already is no error`() throws {
    try Self.withDirectory { directory in try Files.removeTree(directory + "/never-there") }
  }

  @Test func `making a directory that is there changes nothing`() throws {
    try Self.withDirectory { directory in
      try Files.makeDirectory(directory + "/a")
      try Files.makeDirectory(directory + "/a")
      #expect(Files.exists(directory + "/a"))
    }
  }
}
