import StrictJSON
import Testing

@testable import AppSimulator

@Suite("What the matrix prints")
struct MatrixTextTests {
  private func results(_ count: Int, wrong: Int) -> [MatrixResult] {
    MatrixPlan.whole.runs.prefix(count).enumerated().map { index, run in
      MatrixResult(
        run: run, problems: index < wrong ? ["it ended wrong"] : [], timeline: [], printed: [],
        milliseconds: 1_500)
    }
  }

  @Test func `the table has a line a row and fits 100 columns`() {
    let lines = MatrixTable(plan: .whole, results: results(3, wrong: 1)).lines
    #expect(lines.count == 1 + MatrixRow.all.count)
    #expect(lines.allSatisfy { $0.count <= 100 })
    #expect(
      lines[1].split(separator: " ").map(String.init)
        == ["tabby", "system_browser", "2", "1", "0", "4"])
    let part = MatrixPlan.whole.filtered(by: "tebex/")
    #expect(MatrixTable(plan: part, results: []).lines.count == 3)
  }

  @Test func `a result is one object a program can read`() throws {
    let json = results(1, wrong: 1)[0].json(kept: "/kept/here")
    #expect(json["provider"]?.text == "tabby")
    #expect(json["strategy"]?.text == "system_browser")
    #expect(json["story"]?.text == MatrixStory.all[0].name)
    #expect(json["right"]?.boolean == false)
    #expect(json["problems"]?.elements?.map(\.text) == ["it ended wrong"])
    #expect(json["kept"]?.text == "/kept/here")
    #expect(json["milliseconds"]?.int64 == 1_500)
    let exclusion = try #require(MatrixPlan.whole.exclusions.first).json
    #expect(exclusion["not_applicable"]?.text?.isEmpty == false)
  }

  @Test func `without a terminal a line comes for each fifth but the last`() {
    var progress = MatrixProgress(total: 10)
    let notes = (1...10).map { progress.add(isRight: $0 != 3) }
    #expect(
      notes.compactMap(\.self) == [
        "2 of 10 runs, 0 wrong", "4 of 10 runs, 1 wrong", "6 of 10 runs, 1 wrong",
        "8 of 10 runs, 1 wrong",
      ])
    #expect(progress.bar == "[\(String(repeating: "#", count: 40))] 10 of 10 runs, 1 wrong")
  }
}
