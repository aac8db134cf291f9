import SystemRuntime
import TestSupport
import Testing

@Suite("till-app load as a process")
struct LoadProcessTests {
  @Test func `16 writers and readers over one server, then two: nothing lost, nothing locked`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let ran = try await finish(
        program("till-app"), ["load", "--seconds", "1"], ["TMPDIR": directory])
      #expect(ran.end == .exited(0), "\(ran.lines.joined(separator: "\n"))")
      let closing = try #require(ran.lines.last)
      #expect(closing.hasSuffix(" writes acknowledged, 0 lost, 0 \"database is locked\""))
      #expect(try await finish("/bin/ls", ["-A", directory]).lines.isEmpty)
    }
  }
}
