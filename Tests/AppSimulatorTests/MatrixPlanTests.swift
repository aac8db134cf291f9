import CheckoutLifecycle
import CommandLineParser
import Testing

@testable import AppSimulator

@Suite("The plan of the matrix")
struct MatrixPlanTests {
  private let whole = MatrixPlan.whole

  @Test func `every supported pair is a row, and each plays 24 stories at least`() {
    #expect(MatrixRow.all.map(\.rule) == PresentationRule.all)
    for row in MatrixRow.all {
      #expect(whole.runs.count { $0.row.name == row.name } >= 24, "\(row.name)")
    }
  }

  @Test func `what is not played is excluded with a reason`() {
    let pairs = MatrixRow.all.count * MatrixStory.all.count
    #expect(whole.runs.count + whole.exclusions.count == pairs)
    #expect(whole.exclusions.allSatisfy { !$0.reason.isEmpty })
    #expect(Set(MatrixStory.all.map(\.name)).count == MatrixStory.all.count)
  }

  @Test func `the quick choice has every row and every story, and is always the same`() {
    let quick = whole.quick()
    let names = quick.runs.map(\.name)
    #expect(names.count == 40)
    #expect(Set(names).count == 40)
    #expect(Set(quick.runs.map(\.row.name)) == Set(MatrixRow.all.map(\.name)))
    #expect(Set(quick.runs.map(\.story.name)) == Set(MatrixStory.all.map(\.name)))
    // No run repeats a pair of provider and story, or of strategy and story.
    #expect(Set(quick.runs.map { "\($0.row.provider) \($0.story.name)" }).count == 40)
    #expect(Set(quick.runs.map { "\($0.row.strategy) \($0.story.name)" }).count == 40)
    for row in MatrixRow.all {
      #expect((2...4).contains(quick.runs.count { $0.row.name == row.name }), "\(row.name)")
    }
    #expect(whole.quick().runs.map(\.name) == names)
  }

  @Test func `the quick choice is a part of the whole`() {
    let all = Set(whole.runs.map(\.name))
    #expect(whole.quick().runs.allSatisfy { all.contains($0.name) })
  }

  @Test(arguments: [
    ("tabby/web_view/rotated", ["tabby/web_view/rotated"]),
    // Not "closed-while-provider-works" alone: a part of a name names all that have it.
    ("futa/web_view/closed-un", ["futa/web_view/closed-unpaid"]),
    ("no-such-run", []),
  ])
  func `a filter takes the run of that name, or those that contain it`(
    text: String, names: [String]
  ) {
    #expect(whole.filtered(by: text).runs.map(\.name) == names)
    #expect(whole.filtered(by: text).isEmpty == names.isEmpty)
  }

  @Test func `whoever names no run is told what there is, or why it is not played`() throws {
    let unknown = whole.filtered(by: "no-such-run").refusal(of: "no-such-run", isQuick: false)
    #expect(unknown.message == "no run contains “no-such-run”")
    #expect(unknown.hint?.hasSuffix(MatrixStory.all.map(\.name).joined(separator: ", ")) == true)
    let excluded = try #require(whole.exclusions.first)
    #expect(
      whole.filtered(by: excluded.run.name).refusal(of: excluded.run.name, isQuick: false).message
        == "\(excluded.run.name) is not applicable: \(excluded.reason)")
    let quick = whole.quick().filtered(by: "x/y").refusal(of: "x/y", isQuick: true)
    #expect(quick.message == "none of the 40 runs of --pairwise contains “x/y”")
  }

  @Test func `a filter by row keeps what that row does not play`() {
    let part = whole.filtered(by: "tebex/")
    #expect(Set(part.runs.map(\.row.name)) == ["tebex/auth_session", "tebex/web_view"])
    #expect(part.exclusions.contains { $0.run.story.name == "expired-then-paid" })
  }
}
