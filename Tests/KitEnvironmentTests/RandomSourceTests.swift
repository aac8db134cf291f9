import KitEnvironment
import SystemRuntime
import TestSupport
import Testing

@Suite("Random numbers")
struct RandomSourceTests {
  @Test(arguments: [1, 2, 3, 7, 1_000, (1 << 32) - 1] as [UInt64])
  func `a number is below its bound, whatever the word`(bound: UInt64) {
    #expect(RandomSource { 0 }.below(bound) == 0)
    #expect(RandomSource { .max }.below(bound) == bound - 1)
    let random = seededRandom(bound)
    #expect((0..<1_000).allSatisfy { _ in random.below(bound) < bound })
  }

  @Test func `every number is about equally likely`() {
    let random = seededRandom(11)
    var counts = [Int](repeating: 0, count: 7)
    for _ in 0..<70_000 { counts[Int(random.below(7))] += 1 }
    // Ten standard deviations of 92.6 around the mean.
    #expect(counts.allSatisfy { (9_074...10_926).contains($0) }, "\(counts)")
  }

  @Test func `the same seed gives the same words, another seed others`() {
    let (first, second, third) = (seededRandom(1), seededRandom(1), seededRandom(2))
    let words = (0..<10).map { _ in first.next() }
    #expect(words == (0..<10).map { _ in second.next() })
    #expect(words != (0..<10).map { _ in third.next() })
  }

  @Test func `a bound out of range is a bug of the caller`() async {
    await #expect(processExitsWith: .failure) { _ = seededRandom(1).below(0) }
    await #expect(processExitsWith: .failure) { _ = seededRandom(1).below(1 << 32) }
  }
}

@Suite("Log")
struct KitLogTests {
  @Test func `a line is a constant message with facts beside it`() {
    let lines = Locked<[String]>([])
    let log = KitLog { level, message, facts in
      lines.withLock { $0.append("\(level) \(message) \(facts.map { "\($0.0)=\($0.1)" })") }
    }
    log(.warning, "provider slow", ("provider", "tabby"), ("ms", "1200"))
    KitLog.silent(.error, "nobody hears this")
    #expect(lines.withLock { $0 } == [#"warning provider slow ["provider=tabby", "ms=1200"]"#])
  }

  @Test func `levels are ordered`() {
    #expect(LogLevel.debug < .info && .info < .warning && LogLevel.warning < .error)
  }
}
