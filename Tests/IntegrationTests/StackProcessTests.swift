import CurlTransport
import HTTPExchange
import StrictJSON
import SystemRuntime
import Testing
import TestSupport

@Suite("till run, till sandbox and till-app as processes")
struct StackProcessTests {
  /// `till run` with its greeting read; everything that it makes lies in `directory`.
  private struct Stack {
    let process: ChildProcess
    let directory: String
    var variables: [String: String] = ["PATH": "/usr/bin:/bin"]

    init(_ directory: String) async throws {
      self.directory = directory
      process = try ChildProcess(
        program("till"), arguments: ["run"],
        environment: ["PATH": "/usr/bin:/bin", "TMPDIR": directory])
      for await line in process.lines {
        let words = line.split(separator: " ").map(String.init)
        if words.first == "export", words.count == 2 {
          let parts = words[1].split(separator: "=", maxSplits: 1).map(String.init)
          variables[parts[0]] = parts[1]
        }
        if line.hasPrefix("A line for each event follows") { break }
      }
    }

    func till(_ line: String) async throws -> Finished {
      try await finish(
        program("till"), line.split(separator: " ").map(String.init), variables)
    }
  }

  @Test func `what till run prints can be pasted, and each event is a line`() async throws {
    try await withTemporaryDirectory { directory in
      let stack = try await Stack(directory)
      defer { stack.process.send(.kill) }
      let created = try await stack.till("checkout create --item lamp")
      #expect(created.end == .exited(0))
      let id = created.lines.first { $0.hasPrefix("watch ") }?.split(separator: " ").last ?? ""
      let shown = try await stack.till("payment show \(id) --json")
      let json = try JSONValue(parsing: Array(shown.lines.joined().utf8))
      #expect(json["payment_id"]?.text == String(id))
      #expect(json["state"]?.text == "created")

      stack.process.send(.interrupt)
      var lines: [String] = []
      for await line in stack.process.lines { lines.append(line) }
      let end = await stack.process.wait()
      #expect(end == .exited(0))
      #expect(lines.contains { $0.contains("provider") && $0.contains("checkout created") })
      #expect(lines.contains { $0.contains("server") && $0.hasSuffix("payment \(id)") })
      #expect(lines.last == "stopped; nothing is left behind")
      let left = try await finish("/bin/ls", ["-A", directory])
      #expect(left.lines.isEmpty)
    }
  }

  @Test func `a request that waits is answered when the server is asked to end`() async throws {
    try await withTemporaryDirectory { directory in
      let stack = try await Stack(directory)
      defer { stack.process.send(.kill) }
      let created = try await stack.till("checkout create --item mug --json")
      let json = try JSONValue(parsing: Array(created.lines.joined().utf8))
      let id = try #require(json["payment_id"]?.text)
      let server = try #require(stack.variables["TILL_SERVER"])
      let key = try #require(stack.variables["TILL_OPERATOR_KEY"])
      let transport = CurlTransport()
      let ask = { (query: String, tag: String) async throws -> HTTPResponse in
        try await transport.send(
          HTTPOutgoing(
            method: "GET", url: "\(server)/v1/payments/\(id)\(query)",
            headers: ["Authorization": "Bearer \(key)", "If-None-Match": tag],
            deadline: .seconds(40)))
      }
      let now = try await ask("", "none")
      let tag = try #require(now.headers["ETag"])
      // Reads at the provider show that the request is under way: its own, and one of the
      // schedule's seconds before or after it. With the second of them it is a waiter.
      let sandbox = try #require(json["checkout_url"]?.text?.split(separator: "?").first)
      let reads = { () async throws -> Int64 in
        let ledger = try await transport.send(
          HTTPOutgoing(method: "GET", url: "\(sandbox)sandbox/ledger"))
        return try JSONValue(parsing: ledger.body)["calls"]?["read"]?.int64 ?? 0
      }
      let before = try await reads()
      async let waiting = ask("?wait=25", tag)
      while try await reads() < before + 2 { await Task.yield() }
      stack.process.send(.terminate)
      let answer = try await waiting
      #expect(answer.status == 304)
      let end = await stack.process.wait()
      #expect(end == .exited(0))
      await transport.close()
    }
  }

  @Test(arguments: ["run", "sandbox --port 0"])
  func `it ends when nobody reads its output any more`(line: String) async throws {
    try await withTemporaryDirectory { directory in
      let ran = try await finish(
        "/bin/sh", ["-c", "\"$0\" \(line) | head -1", program("till")], ["TMPDIR": directory])
      #expect(ran.end == .exited(0))
      #expect(ran.lines.count == 1)
      let left = try await finish("/bin/ls", ["-A", directory])
      #expect(left.lines.isEmpty)
    }
  }

  @Test func `a sandbox takes no live key`() async throws {
    let ran = try await finish(
      program("till"), ["sandbox", "--port", "0"],
      ["TILL_TABBY_SECRET_KEY": "sk_00000000-0000-4000-8000-000000000001"])
    #expect(ran.end == .exited(78))
    #expect(
      ran.lines == [
        "error: TILL_TABBY_SECRET_KEY: must begin with sk_test_: a sandbox takes no live key"
      ])
  }

  @Test(
    arguments: [
      (["run", "webhook-lost"], 0), (["run", "webhook-lost", "--broken", "never-poll"], 1),
    ] as [([String], Int32)])
  func `a story is judged, and a server that is wrong is found out`(
    arguments: [String], code: Int32
  ) async throws {
    try await withTemporaryDirectory { directory in
      let ran = try await finish(program("till-app"), arguments, ["TMPDIR": directory])
      #expect(ran.end == .exited(code), "\(ran.lines.joined(separator: "\n"))")
      #expect(ran.lines.last == "1 stories, \(code) wrong")
      let left = try await finish("/bin/ls", ["-A", directory])
      #expect(left.lines.isEmpty)
    }
  }

  @Test(arguments: ["ftp://127.0.0.1", "127.0.0.1:8080", "http://"])
  func `an app whose server is no URL says so and tries nothing`(server: String) async throws {
    try await withTemporaryDirectory { directory in
      let ran = try await finish(
        program("till-app"), ["buy", "--store", "\(directory)/phone.db", "--item", "tee"],
        ["TILL_SERVER": server, "TILL_APP_TOKEN": "token"])
      #expect(ran.end == .exited(78))
      #expect(
        ran.lines == ["error: TILL_SERVER: must be a URL that begins with http:// or https://"])
    }
  }

  @Test(arguments: [ProcessSignal.interrupt, .terminate])
  func `a play that is stopped leaves nothing and blames no story`(
    signal: ProcessSignal
  ) async throws {
    try await withTemporaryDirectory { directory in
      let (output, temporary) = ("\(directory)/output", "\(directory)/tmp")
      try Files.makeDirectory(temporary)
      let ran = try await finish(
        "/bin/sh",
        ["-c", Self.stopped, "sh", program("till-app"), output, String(signal.number)],
        ["PATH": "/usr/bin:/bin", "TMPDIR": temporary])
      #expect(ran.end == .exited(128 + signal.number), "\(ran.lines)")
      let told = String(decoding: try Files.read(output, bytesMax: 1 << 20), as: UTF8.self)
      #expect(!told.contains("WRONG") && !told.contains("\nerror"), "\(told)")
      let left = try await finish("/bin/ls", ["-A", temporary])
      #expect(left.lines.isEmpty)
    }
  }

  /// Stops a play once its first story has begun: sandbox, server and an app are running or about
  /// to. By a shell, since a task of a busy test run may look at the lines when the play is over.
  private static let stopped = """
    env --default-signal=INT "$1" demo >"$2" 2>&1 &
    play=$!
    until grep -q "Killed in the bank app" "$2"; do sleep 0.1; done
    kill -s "$3" "$play"
    wait "$play"
    """
}
