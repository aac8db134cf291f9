import TestSupport
import Testing

/// What documents name is there, in the numbers that they tell.
@Suite("Documents that name tests")
struct ConformanceDocumentTests {
  private static let fieldBugs = "Docs/Conformance/field-bugs.md"

  @Test(arguments: [
    ("Docs/Conformance/client.md", 150), (fieldBugs, 90), ("Docs/ThreatModel.md", 80),
  ])
  func `every test that a page names exists`(page: String, more: Int) throws {
    let project = ProjectText()
    let names = try project.testNames()
    let named = try project.tableRows(of: page).flatMap { ProjectText.quoted($0.last ?? "") }
    #expect(named.count > more)
    for name in named { #expect(names.contains(name), "\(name)") }
  }

  /// The rows of the page that are entries: entry, kind, inputs, rows, tests.
  private func entries() throws -> [(id: String, inputs: Int, rows: Int, tests: String)] {
    try ProjectText().tableRows(of: Self.fieldBugs).compactMap { cells in
      guard cells.count == 5, cells[0].hasPrefix("FB-") else { return nil }
      return (
        cells[0], try #require(Int(cells[2])), try #require(Int(cells[3])), cells[4]
      )
    }
  }

  @Test func `every entry of the field reports has its row, and no input is without a test`()
    throws
  {
    let entries = try entries()
    #expect(entries.map(\.id) == (1...25).map { "FB-\($0 < 10 ? "0" : "")\($0)" })
    for entry in entries {
      #expect(entry.inputs > 0 && entry.rows >= entry.inputs, "\(entry.id)")
      #expect(!ProjectText.quoted(entry.tests).isEmpty, "\(entry.id)")
    }
  }

  // Lists that suites play as they are; what a suite writes down itself is not reached from here.
  private static let lists: [(entry: String, inputs: Int, rows: Int)] = [
    (
      "FB-06", 1 + SignedVector.overOtherBytes.count + SignedVector.bodiesThatAreNoText.count,
      1 + SignedVector.overOtherBytes.count + SignedVector.bodiesThatAreNoText.count
    ),
    (
      "FB-07", SignedVector.offsets.count + SignedVector.stampsThatAreNone.count,
      SignedVector.offsets.count + SignedVector.stampsThatAreNone.count
    ),
    (
      "FB-08", SignedVector.headers.count,
      SignedVector.headers.count * SignedVector.secretLists.count
    ),
    ("FB-09", FieldBugRows.minorUnits.count, FieldBugRows.minorUnits.count),
    (
      "FB-10", exactAmountRows.count + FieldBugRows.refusedAmounts.count,
      exactAmountRows.count * 2 + FieldBugRows.refusedAmounts.count
    ),
    ("FB-11", 5, ItemTotalRow.all.count { $0.description.contains(":") }),
    ("FB-16", FieldBugRows.statuses.count, FieldBugRows.statuses.count),
    (
      "FB-17",
      FieldBugRows.returnSpellings.count + FieldBugRows.returnLookAlikes.count
        + FieldBugRows.returnSchemes.count + 1,
      FieldBugRows.returnSpellings.count + FieldBugRows.returnLookAlikes.count
        + FieldBugRows.returnSchemes.count + 1
    ),
    ("FB-22", FieldBugRows.senders.count - 1, FieldBugRows.senders.count),
    ("FB-24", FieldBugRows.phones.count, FieldBugRows.phones.count),
  ]

  @Test(arguments: lists)
  func `the page counts the lists as long as they are`(
    list: (entry: String, inputs: Int, rows: Int)
  ) throws {
    let entry = try #require(try entries().first { $0.id == list.entry })
    #expect(entry.inputs == list.inputs)
    #expect(entry.rows == list.rows)
  }
}

/// `make revert-fixes` takes long, and the list must not rot between two runs of it.
@Suite("Scripts/reverted-fixes")
struct RevertedFixesTests {
  private struct Fix {
    var text: String
    var file = ""
    var tests = ""
    var runs: [String] = []
  }

  private func fixes() throws -> [Fix] {
    var fixes: [Fix] = []
    var isInRun = false
    for line in try ProjectText().file("Scripts/reverted-fixes").split(separator: "\n") {
      let isMinus = line.hasPrefix("-")
      defer { isInRun = isMinus }
      if line.hasPrefix("fix ") { fixes.append(Fix(text: String(line.dropFirst(7)))) }
      guard let last = fixes.indices.last else { continue }
      if line.hasPrefix("file ") { fixes[last].file = String(line.dropFirst(7)) }
      if line.hasPrefix("tests ") { fixes[last].tests = String(line.dropFirst(7)) }
      if isMinus, !isInRun { fixes[last].runs.append("\n") }
      if isMinus { fixes[last].runs[fixes[last].runs.count - 1] += line.dropFirst() + "\n" }
    }
    return fixes
  }

  @Test func `each still stands in its file, once, and its tests are there`() throws {
    let project = ProjectText()
    let fixes = try fixes()
    #expect(fixes.count >= 10)
    for fix in fixes {
      #expect(fix.text.prefix(6).wholeMatch(of: #/FB-[0-9]{2} /#) != nil, "\(fix.text)")
      #expect(!fix.runs.isEmpty, "\(fix.text)")
      let text = try project.file(fix.file)
      for run in fix.runs { #expect(text.ranges(of: run).count == 1, "\(fix.text): \(run)") }
      let names = fix.tests.split(separator: ".")
      #expect(names.count == 2, "\(fix.tests)")
      let suites = try project.swiftFiles(in: "Tests/\(names[0])").map { try project.file($0) }
      #expect(suites.contains { $0.contains("struct \(names[1]) {") }, "\(fix.tests)")
    }
  }
}
