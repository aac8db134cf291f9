import Testing

@Suite("The house is tidy")
struct HouseTests {
  @Test(arguments: House.rules)
  func `the tree keeps the rule`(_ rule: Rule) {
    let findings = rule.check(.house)
    if !findings.isEmpty {
      Issue.record("\n\(findings.map(\.description).joined(separator: "\n"))")
    }
  }

  @Test func `the tree was read`() {
    // A wrong root would make every rule pass.
    #expect(Project.house.file("Package.swift") != nil)
    #expect(Project.house.swiftFiles.count > 50)
    #expect(Manifest(Project.house.file("Package.swift")?.text ?? "").targets.count > 50)
  }
}
