import FoundationEssentials
import Testing

@Suite("Documents that name tests")
struct ConformanceDocumentTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test(arguments: [("Docs/Conformance/client.md", 150), ("Docs/ThreatModel.md", 80)])
  func `every test that it names exists`(document: String, namesMin: Int) throws {
    let tests = Self.root.appending(path: "Tests")
    var names: Set<String> = []
    for module in try FileManager.default.contentsOfDirectory(atPath: tests.path) {
      let folder = tests.appending(path: module)
      guard let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
        continue
      }
      for file in files where file.hasSuffix(".swift") {
        let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        for part in text.split(separator: "func `").dropFirst() {
          names.insert(String(part.prefix { $0 != "`" }))
        }
      }
    }
    let page = try String(
      contentsOf: Self.root.appending(path: document), encoding: .utf8)
    let cells = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.compactMap { line in
      line.split(separator: " | ").last
    }
    let named = cells.flatMap { cell in
      cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }
    #expect(named.count > namesMin)
    for name in named { #expect(names.contains(name), "\(name)") }
  }
}
