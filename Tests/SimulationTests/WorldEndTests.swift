@testable import Simulation
import SystemCrypto
import TestSupport
import Testing

/// Whoever is told to stop has to stop, up to the last party.
struct WorldEndTests {
  /// A world that is told to end with one party of it dead.
  private func end(killing party: (@Sendable (WorldParties) -> Party)?) async throws -> [String] {
    try await blocking {
      let run = WorldRun(WorldPlan(seed: 1), WorldSettings(hashing: .openSSL))
      party?(run.parties).executor.kill()
      run.endLives()
      return run.violations
    }
  }

  @Test func `a world that ends has nothing against it`() async throws {
    #expect(try await end(killing: nil) == [])
  }

  @Test func `a sandbox that does not close is found out`() async throws {
    let found = try await end(killing: { $0.provider })
    #expect(found.map { $0.hasPrefix("sandbox: does not end when told to") } == [true], "\(found)")
  }

  @Test func `a store that does not close is found out`() async throws {
    let found = try await end(killing: { $0.serverDisk })
    #expect(found.contains { $0.hasPrefix("store: does not end when told to") }, "\(found)")
  }
}
