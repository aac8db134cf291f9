import Glibc
@testable import SystemRuntime
import Testing

@Suite("Process")
struct ProcessFactsTests {
  @Test func `the environment of a process is read with its odd values`() async throws {
    let variables = ["TILL_A": "1", "TILL_EMPTY": "", "TILL_EQUALS": "a=b=c"]
    let child = try ChildProcess("/usr/bin/env", environment: variables)
    let lines = await child.lines.reduce(into: [String]()) { $0.append($1) }
    #expect(lines.sorted() == ["TILL_A=1", "TILL_EMPTY=", "TILL_EQUALS=a=b=c"])
    #expect(ProcessFacts.environment()["PATH"]?.isEmpty == false)
  }

  @Test func `a pipe is no terminal`() async throws {
    // What the streams of the test run are is not ours to say; that both answers agree is.
    for stream in [StandardStream.input, .output, .error] where !ProcessFacts.isTerminal(stream) {
      #expect(ProcessFacts.terminalColumns(stream) == nil)
    }
    #expect(ProcessFacts.identifier == getpid())
  }

  @Test func `signals arrive in order and end nothing`() async throws {
    let watch = try SignalWatch([.user1])
    var seen = 0
    for _ in 0..<3 {
      kill(getpid(), SIGUSR1)
      for await signal in watch.signals {
        #expect(signal == .user1)
        seen += 1
        break
      }
    }
    #expect(seen == 3)
    watch.close()
    // The stream ends after the close.
    #expect(await watch.signals.first { _ in true } == nil)
  }
}
