import SystemRuntime
import TestSupport
import Testing

@testable import Conformance

@Suite("The list of checks")
struct CheckListTests {
  private static let file =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/") + "/Docs/Conformance/backend.md"

  private static var table: String {
    var lines = ["| check | what must be so | from |", "|---|---|---|"]
    for check in ConformanceCheck.all {
      let rules = ConformanceProvider.allCases.compactMap { provider in
        check.rules.first { $0.provider == provider }
      }.map { "\($0.provider.rawValue): \($0.text)" }
      lines.append("| `\(check.id)` | \(check.title). | \(rules.joined(separator: "<br>")) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  @Test func `the list in Docs is that of the code`() throws {
    let page = String(decoding: try Files.read(Self.file, bytesMax: 1 << 20), as: UTF8.self)
    let start = try #require(page.firstRange(of: "<!-- checks -->\n")).upperBound
    let end = try #require(page[start...].firstRange(of: "<!-- end -->")).lowerBound
    if ProcessFacts.environment()["TILL_WRITE_DOCS"] != nil {
      try Files.replace(Self.file, with: Array((page[..<start] + Self.table + page[end...]).utf8))
    } else {
      #expect(
        page[start..<end] == Self.table, "Docs/Conformance/backend.md is out of date: run make docs"
      )
    }
  }

  @Test func `every check has its own id, a loss and a line of a document`() {
    let ids = ConformanceCheck.all.map(\.id)
    #expect(Set(ids).count == ids.count)
    for check in ConformanceCheck.all {
      #expect(!check.loss.isEmpty && !check.rules.isEmpty, "\(check.id)")
      #expect(Set(check.rules.map(\.provider)).count == check.rules.count, "\(check.id)")
      #expect(check.rules.allSatisfy { !$0.place.isEmpty }, "\(check.id)")
    }
    for provider in ConformanceProvider.allCases {
      #expect(ConformanceCheck.all.contains { $0.rules.contains { $0.provider == provider } })
    }
  }
}
