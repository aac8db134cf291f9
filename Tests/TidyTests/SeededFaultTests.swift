import Testing

@Suite("Seeded faults")
struct SeededFaultTests {
  private static let fault = """
    #if FaultInjection
      package enum SeededFault: String {
        case a = "does a"
      }
    #endif
    """
  private static let site = """
    #if FaultInjection
      if SeededFault.active == .a { return }
    #endif
    """
  private static let row = "| `a` | does a | 3 | 17 | paid iff captured |"

  private func findings(site: String = site, row: String = row) -> [Finding] {
    Rule.seededFaults.check(
      Project(
        files: [
          SourceFile(path: SeededFaultCase.path, text: Self.fault),
          SourceFile(path: "Modules/Core/M/F.swift", text: site),
          SourceFile(path: "Docs/Simulation.md", text: "# Title\n\n\(row)\n"),
        ], paths: []))
  }

  @Test func `one that breaks something and was found is right`() {
    #expect(findings() == [])
  }

  @Test(arguments: [
    "", "| `a` | does b | 3 | 17 | paid iff captured |", "| `a` | does a | not found |  |  |",
  ])
  func `one without its row is found`(row: String) {
    #expect(findings(row: row).map(\.line) == [3])
  }

  @Test func `a row without a fault is found`() {
    let rows = Self.row + "\n| `b` | does b | 3 | 17 | paid iff captured |"
    #expect(findings(row: rows).map(\.line) == [1])
  }

  @Test func `one that breaks nothing is found`() {
    #expect(findings(site: "let a = 1").map(\.line) == [3])
  }

  @Test(arguments: [
    "if SeededFault.active == .a { return }",
    "#if FaultInjection\n#else\nif SeededFault.active == .a { return }\n#endif",
    "#if DEBUG\nif SeededFault.active == .a { return }\n#endif",
    "#if FaultInjection\n#endif\nif SeededFault.active == .a { return }",
  ])
  func `one that would be in every build is found`(site: String) {
    #expect(findings(site: site).contains { $0.path == "Modules/Core/M/F.swift" })
  }

  @Test func `there are many, and no build has them unless told`() throws {
    let file = try #require(Project.house.file(SeededFaultCase.path))
    #expect(SeededFaultCase.all(in: file).count >= 30)
    #expect(file.lines.first == "#if FaultInjection" && file.lines.last == "#endif")
    let package = try #require(Project.house.file("Package.swift"))
    #expect(package.text.contains(#"name: "FaultInjection""#))
    #expect(!package.text.contains(".default("))
  }
}
