@testable import Bootstrap
import HTTPExchange
import KitEnvironment
import Simulation
import StrictJSON
import SystemCrypto
import SystemRuntime
import TestSupport
import Testing

/// What a campaign says in the end, and its exit code.
struct SimulationTellingTests {
  /// Takes every message to the shop for delivered.
  private struct SilentOutbox: HTTPTransport {
    let inner: any HTTPTransport

    func send(_ request: HTTPOutgoing) async throws(HTTPTransportError) -> HTTPResponse {
      request.headers["webhook-id"] == nil
        ? try await inner.send(request) : HTTPResponse(status: 204)
    }
  }

  private final class Told: Sendable {
    private let texts = Locked<(out: [String], errors: [String])>(([], []))
    var out: [String] { texts.withLock { $0.out } }
    var errors: [String] { texts.withLock { $0.errors } }
    func write(_ text: String) { texts.withLock { $0.out.append(text) } }
    func complain(_ text: String) { texts.withLock { $0.errors.append(text) } }
  }

  private func telling(
    _ told: Told, _ settings: WorldSettings, folder: String? = nil, playsTwice: Bool = false
  ) -> SimulationTelling {
    SimulationTelling(
      isJSON: false, shrinks: false, playsTwice: playsTwice, folder: folder, settings: settings,
      write: { told.write($0) }, complain: { told.complain($0) })
  }

  private func outcome(_ seed: UInt64, hash: String) throws -> WorldOutcome {
    try WorldOutcome(
      json: .object([
        "seed": .string("\(seed)"), "hash": .string(hash), "jobs": .integer(1),
        "virtual_ms": .integer(1), "coverage": .object([] as [JSONMember]),
      ]))
  }

  @Test func `worlds that went right end with 0`() async throws {
    let told = Told()
    var tally = SimulationTally()
    for seed in 1...3 { tally.add(try outcome(UInt64(seed), hash: "a")) }
    #expect(await telling(told, WorldSettings(hashing: .openSSL)).tell(tally) == 0)
    #expect(told.out == ["3 worlds, 0 violations\n"])
    #expect(told.errors.isEmpty)
  }

  @Test func `a world that went wrong is told and kept, and the end is 1`() async throws {
    try await withTemporaryDirectory { directory in
      var settings = WorldSettings(hashing: .openSSL)
      settings.serverTransport = { SilentOutbox(inner: $0) }
      let told = Told()
      var tally = SimulationTally()
      for seed in 1...20 where tally.result.failures.isEmpty {
        tally.add(
          WorldOutcome(await World.play(WorldPlan(seed: UInt64(seed), kinds: []), settings)))
      }
      let failure = try #require(tally.result.failures.first)
      #expect(await telling(told, settings, folder: directory).tell(tally) == 1)
      #expect(told.out.last == "\(tally.result.worlds) worlds, 1 violations\n")
      #expect(told.out.contains("\nseed \(failure.plan.seed)\n"))
      #expect(told.out.contains { $0.hasPrefix("  Found: ") })
      let path = "\(directory)/seed-\(failure.plan.seed).json"
      #expect(told.out.contains("kept in \(path)\n"))
      let file = try WorldRegression(json: JSONValue(parsing: Files.read(path, bytesMax: 1 << 16)))
      #expect(file.plan == failure.plan)
      #expect(await World.play(file.plan, settings).violations == failure.found)
    }
  }

  @Test func `what nobody can play again fails all the same`() async throws {
    let told = Told()
    var report = await World.play(
      WorldPlan(seed: 3, kinds: []), WorldSettings(hashing: .openSSL))
    report.violations = ["made up"]
    var tally = SimulationTally()
    tally.add(WorldOutcome(report))
    #expect(await telling(told, WorldSettings(hashing: .openSSL)).tell(tally) == 1)
    #expect(told.out == ["1 worlds, 1 violations\n"])
    #expect(
      told.errors == ["seed 3: made up", "seed 3: nothing is wrong when it is played again"])
  }

  @Test func `a world whose two plays differ is named, and the end is 1`() async throws {
    try await withTemporaryDirectory { directory in
      // Its hash is the number of its process.
      let program = "\(directory)/fickle"
      let line = #"{"seed":"%s","hash":"%x","jobs":1,"virtual_ms":1,"coverage":{}}\n"#
      try Files.replace(
        program, with: Array("#!/bin/sh\nprintf '\(line)' \"$5\" $$\n".utf8), mode: 0o755)
      let command = SimulateInvocation(
        runs: 1, seed: 41, kinds: [], showsTrace: false, isJSON: false, replays: nil, jobs: 1,
        playsTwice: true, shrinks: false)
      let workers = SimulationWorkers(
        command: command, program: program, scratch: directory, variables: [:],
        clock: ManualClock().clock)
      var tally = SimulationTally()
      try await workers.run { outcome, _ in
        tally.add(outcome)
        return true
      }
      #expect(tally.unequal == [41])
      let told = Told()
      let settings = WorldSettings(hashing: .openSSL)
      #expect(await telling(told, settings, playsTwice: true).tell(tally) == 1)
      #expect(told.errors == ["seed 41: two plays were not the same"])
      #expect(
        told.out == ["1 worlds, 0 violations, 0 played twice with the same trace\n"])
    }
  }
}
