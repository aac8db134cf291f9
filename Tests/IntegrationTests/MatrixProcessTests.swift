import StrictJSON
import SystemRuntime
import TestSupport
import Testing

@Suite("till-app matrix as a process")
struct MatrixProcessTests {
  private let run = "futa/web_view/paid-and-back"

  private func matrix(
    _ arguments: [String], in directory: String
  ) async throws -> Finished {
    try await finish(program("till-app"), ["matrix"] + arguments, ["TMPDIR": directory])
  }

  private func files(in directory: String) async throws -> [String] {
    try await finish("/bin/ls", ["-A", directory]).lines
  }

  @Test func `a run is played on a stage of its own, of which nothing is left`() async throws {
    try await withTemporaryDirectory { directory in
      let ran = try await matrix(["--filter", run], in: directory)
      #expect(ran.end == .exited(0), "\(ran.lines.joined(separator: "\n"))")
      #expect(ran.lines.last == "1 runs, 0 wrong")
      #expect(try await files(in: directory).isEmpty)
    }
  }

  @Test func `what a run wrote is kept on demand, and where is told`() async throws {
    try await withTemporaryDirectory { directory in
      let ran = try await matrix(["--filter", run, "--json", "--keep"], in: directory)
      #expect(ran.end == .exited(0), "\(ran.lines.joined(separator: "\n"))")
      let lines = try ran.lines.map { try JSONValue(parsing: Array($0.utf8)) }
      #expect(lines.count == 2)
      #expect(lines.first?["right"]?.boolean == true)
      #expect(lines.last?["wrong"]?.int64 == 0)
      let kept = try #require(lines.first?["kept"]?.text)
      let names = try await files(in: kept)
      for name in ["timeline.txt", "app-1.log", "sandbox.log", "till-server-1.log", "till.sqlite"] {
        #expect(names.contains(name))
      }
    }
  }

  @Test func `a broken kit ends wrong, with timeline, reason and the command to repeat`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let ran = try await matrix(["--filter", run, "--broken", "trust-redirect"], in: directory)
      #expect(ran.end == .exited(1))
      #expect(ran.lines.last == "1 runs, 1 wrong")
      #expect(ran.lines.contains { $0.contains("  payer  ") && $0.contains("mobile money") })
      #expect(ran.lines.contains { $0.hasPrefix("  WRONG  ") })
      #expect(
        ran.lines.contains { $0.hasSuffix("matrix --broken trust-redirect --filter '\(run)'") })
      #expect(try await files(in: directory).isEmpty)
    }
  }

  @Test func `a filter that nothing matches is wrong usage`() async throws {
    try await withTemporaryDirectory { directory in
      let ran = try await matrix(["--filter", "no/such/run"], in: directory)
      #expect(ran.end == .exited(64))
      #expect(ran.lines.first == "error: no run contains “no/such/run”")
    }
  }

  @Test func `stopped, it leaves nothing and blames no run`() async throws {
    try await withTemporaryDirectory { directory in
      // The whole one: it must not be over before a busy machine gets to the signal.
      let process = try ChildProcess(
        program("till-app"), arguments: ["matrix", "--json"],
        environment: ["PATH": "/usr/bin:/bin", "TMPDIR": directory], errorOutput: .output)
      // One run is over, so others are in the middle.
      for await _ in process.lines { break }
      process.send(.terminate)
      var rest: [String] = []
      for await line in process.lines { rest.append(line) }
      let end = await process.wait()
      #expect(end == .exited(143))
      let blamed = rest.filter { $0.contains("\"right\":false") || $0.hasPrefix("error") }
      #expect(blamed.isEmpty)
      #expect(try await files(in: directory).isEmpty)
    }
  }
}
