import Foundation

/// The tree as the rules see it: texts, and which of them may be executed. Tests plant their own.
struct Project: Sendable {
  var files: [SourceFile]
  /// Every path that exists, folders too: what a link may point to.
  var paths: Set<String>
  var executables: Set<String> = []

  func file(_ path: String) -> SourceFile? { files.first { $0.path == path } }
  var swiftFiles: [SourceFile] { files.filter { $0.swift != nil } }
}

/// One text file of the tree.
struct SourceFile: Sendable {
  var path: String
  var text: String
  var lines: [String]
  /// Present for Swift files.
  var swift: SwiftText?
  var place: Place

  init(path: String, text: String) {
    self.path = path
    self.text = text
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    swift = path.hasSuffix(".swift") ? SwiftText(text) : nil
    place = Place(path)
  }

  func finding(_ line: Int, _ message: String) -> Finding {
    Finding(path: path, line: line, message: message)
  }
}

/// The part of the tree that a file belongs to, since most rules hold in some parts only.
enum Place: Hashable, Sendable {
  case core, providers, adapters, portableAdapters, features, bootstrap, simulation, system, apps
  case tests, other

  static let modules: Set<Place> = [
    .core, .providers, .adapters, .portableAdapters, .features, .bootstrap, .simulation,
  ]
  /// Where the same code has to run in a seeded world, so nothing may vary by itself.
  static let deterministic: Set<Place> = [.core, .providers, .features, .bootstrap]
  /// That, and the module which is the seeded world: it has no time or chance of its own either,
  /// but starts the tasks of others by hand.
  static let seeded: Set<Place> = deterministic.union([.simulation])
  /// What an iOS app compiles.
  static let portable: Set<Place> = [.core, .providers, .portableAdapters]

  init(_ path: String) {
    let parts = path.split(separator: "/").map(String.init)
    switch (parts.first, parts.count > 1 ? parts[1] : "") {
    case ("Modules", "Core"): self = .core
    case ("Modules", "Providers"): self = .providers
    case ("Modules", "Adapters"):
      let portable = ["SQLiteConnection", "URLSessionTransport"]
      self = parts.count > 2 && portable.contains(parts[2]) ? .portableAdapters : .adapters
    case ("Modules", "Features"):
      switch parts.count > 2 ? parts[2] : "" {
      case "Bootstrap": self = .bootstrap
      case "Simulation": self = .simulation
      default: self = .features
      }
    case ("Modules", "System"): self = .system
    case ("Apps", _): self = .apps
    case ("Tests", _): self = .tests
    default: self = .other
    }
  }
}

/// One place that breaks a rule.
struct Finding: Hashable, Sendable, CustomStringConvertible {
  var path: String
  var line: Int
  var message: String
  var description: String { "\(path):\(line): \(message)" }
}

/// A rule of the house: a pure function of the tree.
struct Rule: Sendable, CustomStringConvertible {
  var name: String
  var check: @Sendable (Project) -> [Finding]
  var description: String { name }

  init(_ name: String, check: @escaping @Sendable (Project) -> [Finding]) {
    self.name = name
    self.check = check
  }

  /// A rule that looks at one file at a time.
  init(
    _ name: String, files: @escaping @Sendable (SourceFile) -> Bool,
    check: @escaping @Sendable (SourceFile) -> [Finding]
  ) {
    self.init(name) { project in project.files.filter(files).flatMap(check) }
  }
}

extension Project {
  /// The project itself, read from disk once.
  static let house = load(
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../.."))

  private static let textKinds: Set<String> = [
    "", "swift", "md", "h", "modulemap", "json", "sql", "html", "css", "js", "txt", "yml", "yaml",
  ]

  /// Reads every text file below `root`, except what is built and what git keeps.
  static func load(_ root: URL) -> Project {
    let base = root.standardizedFileURL.path(percentEncoded: false)
    var project = Project(files: [], paths: [])
    guard let walk = FileManager.default.enumerator(atPath: base) else { return project }
    let skipped: Set<String> = [".build", ".git", ".swiftpm", "scratch"]
    while let path = walk.nextObject() as? String {
      if skipped.contains((path as NSString).lastPathComponent) {
        walk.skipDescendants()
        continue
      }
      let full = (base as NSString).appendingPathComponent(path)
      project.paths.insert(path)
      let attributes = try? FileManager.default.attributesOfItem(atPath: full)
      guard attributes?[.type] as? FileAttributeType == .typeRegular,
        textKinds.contains((path as NSString).pathExtension),
        let text = try? String(contentsOfFile: full, encoding: .utf8)
      else { continue }
      project.files.append(SourceFile(path: path, text: text))
      if FileManager.default.isExecutableFile(atPath: full),
        (attributes?[.posixPermissions] as? Int ?? 0) & 0o111 != 0
      {
        project.executables.insert(path)
      }
    }
    project.files.sort { $0.path < $1.path }
    return project
  }
}
