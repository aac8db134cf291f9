import KitEnvironment
import Simulation
import SystemRuntime

/// A directory for what worlds write while they are played. In memory where the system has such a
/// place and nobody wants another: a world has no use for a real disk's waits.
struct SimulationScratch: Sendable {
  let directory: String

  /// - Throws: ``SystemError``.
  init(_ variables: [String: String]) throws {
    if variables["TMPDIR"] == nil, let directory = try? Files.makeTemporaryDirectory(in: "/dev/shm")
    {
      self.directory = directory
    } else {
      directory = try Program.makeTemporaryDirectory()
    }
  }

  /// Takes it away with all that is in it.
  func remove() {
    _ = try? Files.removeTree(directory)
  }

  /// Places for the stores of worlds in it.
  func worlds(_ environment: KitEnvironment) -> WorldScratch {
    WorldScratch(
      path: {
        let place = "\(directory)/\(environment.newUUID())"
        // A place that cannot be made shows when the store is opened there.
        _ = try? Files.makeDirectory(place)
        return "\(place)/store.sqlite"
      },
      remove: { path in
        let place = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        _ = try? Files.removeTree(place.joined(separator: "/"))
      })
  }
}
