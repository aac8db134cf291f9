import FoundationEssentials
import FuzzProperties
import Testing

@Suite("Seeds of the fuzz targets")
struct SeedTests {
  private struct Seed: Sendable, CustomStringConvertible {
    let target: FuzzTarget
    let file: URL
    var description: String { "\(target.rawValue)/\(file.lastPathComponent)" }
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fuzz/Seeds")

  private static func seeds(_ target: FuzzTarget) throws -> [Seed] {
    let folder = folder.appending(path: target.rawValue)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .map { Seed(target: target, file: folder.appending(path: $0)) }
  }

  @Test func `each target has a corpus, and each corpus a target`() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(folders) == Set(FuzzTarget.allCases.map(\.rawValue)))
  }

  @Test(arguments: FuzzTarget.allCases)
  func `every seed, whole and cut short, keeps the claims of its target`(
    target: FuzzTarget
  ) async throws {
    let seeds = try Self.seeds(target)
    #expect(!seeds.isEmpty)
    for seed in seeds {
      let bytes = Array(try Data(contentsOf: seed.file))
      for input in [bytes, Array(bytes.dropLast()), Array(bytes.prefix(bytes.count / 2)), []] {
        do {
          try await target.check(input)
        } catch {
          Issue.record("\(seed): \(error)")
        }
      }
    }
  }
}
