import FoundationEssentials

/// The project's own files, for tests that hold its documents to what is there.
public struct ProjectText: Sendable {
  private let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The project that this file is of.
  public init() {}

  /// The text of a file.
  public func file(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The names of what is in one folder, in their order.
  public func files(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path).sorted()
  }

  /// The paths of the Swift files of one folder, in their order.
  public func swiftFiles(in folder: String) throws -> [String] {
    try files(in: folder).filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
  }

  /// The sentences that name the project's tests.
  public func testNames() throws -> Set<String> {
    var names: Set<String> = []
    let modules = try FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: "Tests").path)
    for module in modules where module.hasSuffix("Tests") {
      for path in try swiftFiles(in: "Tests/\(module)") {
        for part in try file(path).split(separator: "func `").dropFirst() {
          names.insert(String(part.prefix { $0 != "`" }))
        }
      }
    }
    return names
  }

  /// The cells of each row of the tables of a document; heads and rules are among them.
  public func tableRows(of path: String) throws -> [[String]] {
    try file(path).split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
      line.dropFirst(2).dropLast(2).split(separator: " | ", omittingEmptySubsequences: false)
        .map(String.init)
    }
  }

  /// What stands between backticks in a text.
  public static func quoted(_ text: String) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
  }
}
