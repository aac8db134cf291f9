import SystemRuntime
import TestSupport
import Testing

@testable import Bootstrap

@Suite("What a program that crashes prints")
struct CrashOutputTests {
  /// Ends a running server by a signal as a trap raises it, and gives all that it printed after
  /// its first line.
  private func crash(
    _ directory: String, _ signal: String, _ variables: [String: String] = [:]
  ) async throws -> (end: ChildProcess.End, lines: [String], shop: DemoShop) {
    let served = try ServedShop(directory)
    let process = try ChildProcess(
      program("till-server"), arguments: ["--config", served.shop.configurationFile],
      environment: served.variables.merging(variables) { $1 }, errorOutput: .output)
    defer { process.send(.kill) }
    var lines: [String] = []
    for await line in process.lines {
      if lines.isEmpty {
        let sent = try await finish("/bin/kill", ["-s", signal, "\(process.identifier)"])
        #expect(sent.end == .exited(0))
      }
      lines.append(line)
    }
    return (await process.wait(), lines, served.shop)
  }

  @Test(arguments: ["ILL", "TRAP", "SEGV", "ABRT"])
  func `no memory, so no secret and no body`(signal: String) async throws {
    try await withTemporaryDirectory { directory in
      let (end, lines, shop) = try await crash(directory, signal)
      #expect(end != .exited(0))
      #expect(lines.count == 1, "\(lines)")
      let text = lines.joined(separator: "\n")
      for secret in shop.environment.values { #expect(!text.contains(secret)) }
    }
  }
}
