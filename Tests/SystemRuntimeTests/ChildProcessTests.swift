@testable import SystemRuntime
import Testing

@Suite("Child processes", .timeLimit(.minutes(1)))
struct ChildProcessTests {
  static func shell(_ script: String, environment: [String: String]? = nil) throws -> ChildProcess {
    try ChildProcess("/bin/sh", arguments: ["-c", script], environment: environment)
  }

  static func lines(of child: ChildProcess) async -> [String] {
    await child.lines.reduce(into: []) { $0.append($1) }
  }

  @Test(arguments: [0, 1, 7, 255])
  func `lines and exit code arrive`(code: Int32) async throws {
    let child = try Self.shell("echo one; echo two; printf three; exit \(code)")
    #expect(await Self.lines(of: child) == ["one", "two", "three"])
    #expect(await child.wait() == .exited(code))
    #expect(await child.wait() == .exited(code))
  }

  @Test func `what is written is read, up to the end`() async throws {
    let child = try ChildProcess("/bin/cat")
    try child.write(Array("a\nb\n".utf8))
    try child.write(Array("c".utf8))
    child.closeInput()
    #expect(await Self.lines(of: child) == ["a", "b", "c"])
    #expect(await child.wait() == .exited(0))
    #expect(throws: SystemError.self) { try child.write([1]) }
  }

  @Test func `writing to a program that does not read fails instead of waiting`() async throws {
    let child = try ChildProcess("/bin/sleep", arguments: ["600"])
    let error = #expect(throws: SystemError.self) {
      for _ in 0..<3 { try child.write([UInt8](repeating: 0, count: 65_536)) }
    }
    #expect(error?.kind == .wouldBlock)
    child.send(.kill)
    #expect(await child.wait() == .signalled(9))
  }

  @Test func `writing to a program that has ended fails and does no harm`() async throws {
    let child = try ChildProcess("/bin/true")
    #expect(await child.wait() == .exited(0))
    let error = #expect(throws: SystemError.self) { try child.write([1]) }
    #expect(error?.kind == .other)
    child.send(.terminate)
  }

  @Test func `the environment and the directory are the given ones`() async throws {
    let child = try ChildProcess(
      "/bin/sh", arguments: ["-c", "echo \"$A\"; pwd; /usr/bin/env | wc -l"],
      environment: ["A": "x = y", "PATH": "/usr/bin:/bin"], workingDirectory: "/proc")
    let lines = await Self.lines(of: child)
    #expect(lines.prefix(2) == ["x = y", "/proc"])
    // A, PATH and what the shell adds by itself (PWD, and _ or OLDPWD).
    #expect((2...4).contains(Int(lines.last?.drop { $0 == " " } ?? "") ?? 0))
  }

  @Test func `standard error joins the lines if asked`() async throws {
    let child = try ChildProcess(
      "/bin/sh", arguments: ["-c", "echo out; echo err >&2"], errorOutput: .output)
    #expect(await Self.lines(of: child) == ["out", "err"])
  }

  @Test(arguments: [("/no/such/program", nil), ("/bin/true", "/no/such/directory")])
  func `a program or directory that is not there is said so`(path: String, directory: String?) {
    let error = #expect(throws: SystemError.self) {
      _ = try ChildProcess(path, workingDirectory: directory)
    }
    #expect(error?.kind == .notFound)
  }

  @Test func `a child inherits no descriptor but the three`() async throws {
    // The fourth is the shell's own, for reading the directory.
    let child = try Self.shell("echo /proc/self/fd/*")
    #expect(
      await Self.lines(of: child)
        == ["/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 /proc/self/fd/3"])
  }

  @Test(arguments: [(ProcessSignal.terminate, Int32(15)), (.interrupt, 2), (.kill, 9)])
  func `a signal ends it`(signal: ProcessSignal, number: Int32) async throws {
    let child = try Self.shell("echo up; exec sleep 600")
    for await line in child.lines {
      #expect(line == "up")
      break
    }
    child.send(signal)
    #expect(await child.wait() == .signalled(number))
  }

  @Test func `what a child leaves running ends with it`() async throws {
    let child = try Self.shell("sleep 600 & echo $!; exit 3")
    let lines = await Self.lines(of: child)
    #expect(await child.wait() == .exited(3))
    await Self.untilGone(try #require(lines.first))
  }

  @Test func `a child that nobody holds is killed`() async throws {
    var child: ChildProcess? = try Self.shell("exec sleep 600")
    let number = try #require(child).identifier
    child = nil
    await Self.untilGone("\(number)")
  }

  @Test func `a long line comes in pieces`() async throws {
    let child = try Self.shell("head -c 100000 /dev/zero | tr '\\0' a; echo")
    #expect(await Self.lines(of: child).map(\.utf8.count) == [65_536, 34_464])
  }

  @Test func `many children at once leave no zombie`() async throws {
    let numbers = try await withThrowingTaskGroup(of: Int32.self) { group in
      for _ in 0..<20 {
        group.addTask {
          let child = try ChildProcess("/bin/true")
          #expect(await child.wait() == .exited(0))
          return child.identifier
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for number in numbers {
      // Collected, so nothing of the number is left (another test may have it by now).
      #expect(
        Self.parent(of: "\(number)") != ProcessFacts.identifier || !Self.isZombie("\(number)"))
    }
  }

  @Test func `exit ends the children`() async throws {
    let result = await #expect(
      processExitsWith: .exitCode(0), observing: [\.standardOutputContent]
    ) {
      let child = try ChildProcess("/bin/sleep", arguments: ["600"])
      print("child \(child.identifier).")
      withExtendedLifetime(child) { endProcess() }
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    let number = try #require(output.split(separator: "child ").last?.prefix { $0 != "." })
    await Self.untilGone(String(number))
  }

  /// Returns once the process has ended; it may still wait to be collected by its new parent.
  static func untilGone(_ number: String) async {
    while Files.exists("/proc/\(number)"), !isZombie(number) { await Task.yield() }
  }

  private static func fields(of number: String) -> [Substring] {
    guard let bytes = try? Files.read("/proc/\(number)/stat", bytesMax: 4_096) else { return [] }
    let text = String(decoding: bytes, as: UTF8.self)
    // The name before the bracket may hold blanks.
    return text.split(separator: ")").last?.split(separator: " ") ?? []
  }

  static func isZombie(_ number: String) -> Bool { fields(of: number).first == "Z" }

  static func parent(of number: String) -> Int32 {
    Int32(fields(of: number).dropFirst().first ?? "") ?? 0
  }
}
