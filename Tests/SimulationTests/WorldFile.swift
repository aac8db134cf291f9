import FoundationEssentials
import Simulation
import StrictJSON
import SystemCrypto
import SystemRuntime
import TestSupport
import Testing

/// A world that went wrong once, kept beside the tests.
struct WorldFile: Sendable, CustomTestStringConvertible {
  private static let folder = "Tests/Fixtures/Worlds"

  let name: String

  var testDescription: String { name }

  static var all: [WorldFile] {
    get throws {
      try ProjectText().files(in: folder).filter { $0.hasSuffix(".json") }
        .map { WorldFile(name: $0) }
    }
  }

  var plan: WorldPlan {
    get throws {
      let text = try ProjectText().file("\(Self.folder)/\(name)")
      return try WorldRegression(json: JSONValue(parsing: Array(text.utf8))).plan
    }
  }
}

/// Plays worlds of the kit as it is, with scratch files that are gone afterwards.
func withWorlds<Result>(_ body: (WorldSettings) async throws -> Result) async throws -> Result {
  try await withTemporaryDirectory { directory in
    var settings = WorldSettings(hashing: .openSSL)
    settings.scratch = WorldScratch(
      path: { "\(directory)/\(UUID().uuidString).sqlite" },
      remove: { path in
        for suffix in ["", "-wal", "-shm"] { _ = try? Files.removeTree(path + suffix) }
      })
    return try await body(settings)
  }
}
