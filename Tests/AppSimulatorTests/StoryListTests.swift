import AppSimulator
import Testing

@Suite("The stories of the demo")
struct StoryListTests {
  @Test func `each provider has five at least, each with a name of its own`() {
    let names = StoryRunner.names
    #expect(Set(names).count == names.count)
    let prefixes = ["futa-", "rais-", "tebex-", "seb-"]
    for prefix in prefixes { #expect(names.count { $0.hasPrefix(prefix) } >= 5, "\(prefix)") }
    // The first provider's have no prefix.
    let tabby = names.filter { name in !prefixes.contains { name.hasPrefix($0) } }
    #expect(tabby.count >= 5)
  }
}
