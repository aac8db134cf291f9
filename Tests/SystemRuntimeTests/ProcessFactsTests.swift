import Glibc
@testable import SystemRuntime
import TestSupport
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

  @Test func `a reader who takes his time gets all, also from a pipe that does not wait`()
    async throws
  {
    var ends: [Int32] = [0, 0]
    // Fills the local array.
    #expect(unsafe pipe(&ends) == 0)
    let (reader, writer) = (ends[0], ends[1])
    #expect(fcntl(writer, F_SETFL, O_NONBLOCK) == 0)
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
    startThread(named: "till-test") {
      #expect(writeWaiting(bytes, to: writer) == nil)
      close(writer)
    }
    let seen = try await blocking {
      var seen: [UInt8] = []
      var block = [UInt8](repeating: 0, count: 10_000)
      while true {
        // Fills the local block, which outlives the call.
        let count = unsafe read(reader, &block, block.count)
        guard count > 0 else { return seen }
        seen += block[..<count]
      }
    }
    close(reader)
    #expect(seen == bytes)
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
