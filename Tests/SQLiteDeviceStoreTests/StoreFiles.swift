import CheckoutLifecycle
import FoundationEssentials
import SQLiteConnection
import SQLiteDeviceStore
import SystemRuntime
import Testing

/// The two files of a store as they stand at one moment. The third, the log's index, is made anew
/// from them.
struct StoreFiles: Hashable {
  var database: [UInt8]
  var log: [UInt8]

  /// Of a store that may be open.
  init(of path: String) throws {
    database = try Files.read(path, bytesMax: 1 << 20)
    let log = "\(path)-wal"
    self.log = Files.exists(log) ? try Files.read(log, bytesMax: 1 << 20) : []
  }

  /// What somebody finds who opens these files.
  func opened(in directory: String) async throws -> Found {
    let path = "\(directory)/checkouts.sqlite"
    for (end, bytes) in [("", database), ("-wal", log), ("-shm", [])] {
      try Files.removeTree(path + end)
      if !bytes.isEmpty || end.isEmpty { try Data(bytes).write(to: URL(filePath: path + end)) }
    }
    do {
      let store = try SQLiteDeviceStore(path: path)
      let records = try await store.all()
      await store.close()
      return .records(records)
    } catch let error as SQLiteError {
      return .refused(error.kind)
    }
  }
}

/// What a store gives when it is opened.
enum Found: Hashable {
  case records([CheckoutRecord])
  case refused(SQLiteError.Kind)

  var isRefused: Bool { if case .refused = self { true } else { false } }
}

/// A directory whose files never reach a disk, where there is one: thousands of openings would
/// wait for it otherwise.
func withFastDirectory(_ body: (String) async throws -> Void) async throws {
  let parent = Files.exists("/dev/shm") ? "/dev/shm" : "/tmp"
  let path = try Files.makeTemporaryDirectory(prefix: "till-store", in: parent)
  do {
    try await body(path)
    try Files.removeTree(path)
  } catch {
    try Files.removeTree(path)
    throw error
  }
}

/// Makes an empty store of the smallest pages, so that every byte of its files can be tried.
func makeSmallPages(_ path: String) throws {
  let database = try SQLiteDatabase(path: path)
  try database.run("PRAGMA journal_mode = DELETE")
  try database.run("PRAGMA page_size = 512")
  try database.run("VACUUM")
  database.close()
}
