import SystemRuntime
import Testing

@Suite("Output that does not get through")
struct LostOutputTests {
  private func run(_ line: String) async throws -> Finished {
    try await finish("/bin/sh", ["-c", "\(program("till")) \(line)"])
  }

  @Test(arguments: ["providers", "--help", "completions bash"])
  func `a full disk is told, with 74`(command: String) async throws {
    let ran = try await run("\(command) > /dev/full")
    #expect(ran.end == .exited(74))
    #expect(
      ran.lines == ["error: what is written is incomplete: write: No space left on device"])
  }

  @Test(arguments: ["providers >&-", "providers | head -1", "--help >&- 2>&-"])
  func `nobody is told of what nobody wants to read`(line: String) async throws {
    let ran = try await run(line)
    #expect(ran.end == .exited(0))
    #expect(ran.lines.count <= 1)
  }
}
