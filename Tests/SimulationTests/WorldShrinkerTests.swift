import Simulation
import StrictJSON
import SystemCrypto
import Testing

/// What becomes of a world that goes wrong: it is made smaller, told, and kept.
struct WorldShrinkerTests {
  private static let settings: WorldSettings = {
    var settings = WorldSettings(hashing: .openSSL)
    settings.provider = { BentProvider.credulous($0) }
    return settings
  }()

  @Test func `a world that goes wrong is made smaller, told, and goes wrong again`() async throws {
    let kinds: Set<WorldPart.Kind> = [.moods, .network, .crashes, .clocks]
    var seed: UInt64 = 1
    var whole = await World.play(WorldPlan(seed: seed, kinds: kinds), Self.settings)
    while whole.violations.isEmpty, seed < 12 {
      seed += 1
      whole = await World.play(WorldPlan(seed: seed, kinds: kinds), Self.settings)
    }
    let violation = try #require(whole.violations.first)

    var shrinker = WorldShrinker(whole, settings: Self.settings)
    let small = await shrinker.shrink()
    #expect(small.plan.parts.count < whole.plan.parts.count)
    #expect(small.plan.faultsEnd <= whole.plan.faultsEnd)
    #expect(!small.plan.parts.isEmpty)
    let wrong = Set(small.violations.map(Violation.kind(of:)))
    #expect(wrong.contains(Violation.kind(of: violation)), "\(small.violations)")

    let story = WorldStory(small).sentences
    // What the world is like, its parts, what was found.
    #expect(story.count == 1 + small.plan.parts.count + small.violations.count)
    #expect(story.first?.hasPrefix("The world of seed \(seed) has ") == true)
    #expect(story.contains { $0.contains(" buys ") })
    for sentence in story { #expect(sentence.hasSuffix(".") && sentence.contains(" ")) }
    for violation in small.violations { #expect(story.contains("Found: \(violation).")) }
    #expect(!WorldStory(small).moments.isEmpty)

    let file = WorldRegression(small)
    let read = try WorldRegression(json: JSONValue(parsing: file.json.serialized()))
    #expect(read.plan == small.plan)
    let again = await World.play(read.plan, Self.settings)
    #expect(again.violations == small.violations)
    #expect(again.trace.hash == small.trace.hash)
  }

  @Test func `a campaign begins no more worlds once enough went wrong`() async {
    let campaign = Campaign(
      firstSeed: 1, runs: 50, kinds: [], width: 1, settings: Self.settings, failuresMax: 2)
    var result = Campaign.Result()
    await campaign.run { result.add($0) }
    #expect(result.failures.count == 2)
    #expect(result.worlds < 50)
    #expect(result.failures.allSatisfy { !$0.found.isEmpty })
  }

  @Test(arguments: [
    ("paid iff captured: order 7: unpaid", "paid iff captured"),
    ("does not settle: paid iff captured: order 7: unpaid", "paid iff captured"),
    ("stalled: server", "stalled"), ("does not settle", "does not settle"),
  ])
  func `a violation is of what its text begins with`(_ text: String, _ kind: String) {
    #expect(Violation.kind(of: text) == kind)
    #expect(Violation.invariant(of: text) == (kind.hasPrefix("paid") ? kind : nil))
  }
}
