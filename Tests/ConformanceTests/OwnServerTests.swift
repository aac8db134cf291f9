import Conformance
import Testing

@Suite("The providers' checklists, against the kit's own server")
struct OwnServerTests {
  @Test func `the kit's own server has full marks`() async throws {
    let card = try await ConformanceWorld.play()
    for row in card.rows where row.result.word != "pass" {
      Issue.record("\(row.check.id) \(row.rule.provider): \(row.result.word) \(row.result.seen)")
    }
    #expect(card.isPerfect)
    #expect(Set(card.rows.map(\.rule.provider)).count == 5)
  }
}
