/// Many worlds in this process, one seed after another.
public struct Campaign: Sendable {
  /// The first seed; each later world has the next.
  public var firstSeed: UInt64
  /// How many worlds.
  public var runs: Int
  /// The kinds of trouble that there may be.
  public var kinds: Set<WorldPart.Kind>
  /// Worlds at once, each on a thread of its own.
  public var width: Int
  /// What they are played with. Traces keep their hash alone.
  public var settings: WorldSettings
  /// Worlds with a violation after which no more are begun.
  public var failuresMax: Int
  /// As many as a person looks at.
  public static let failuresUsual = 5

  /// Collects the values.
  public init(
    firstSeed: UInt64, runs: Int, kinds: Set<WorldPart.Kind>, width: Int, settings: WorldSettings,
    failuresMax: Int = Self.failuresUsual
  ) {
    self.failuresMax = failuresMax
    self.firstSeed = firstSeed
    self.runs = runs
    self.kinds = kinds
    self.width = width
    self.settings = settings
    self.settings.keepsTrace = false
  }

  /// What came of the worlds so far.
  public struct Result: Sendable {
    /// Worlds played.
    public var worlds = 0
    /// What they have reached.
    public var coverage = CoverageTable()
    /// Those with a violation, by seed.
    public var failures: [WorldRegression] = []
    /// Jobs that their schedulers ran.
    public var jobs = 0
    /// Virtual time of all together.
    public var length: Duration = .zero
    /// Over the traces of all, in whatever order they were played.
    public var hash: UInt64 = 0

    /// Nothing played yet.
    public init() {}

    /// Counts one world.
    public mutating func add(_ outcome: WorldOutcome) {
      worlds += 1
      coverage.add(outcome.coverage)
      jobs += outcome.jobs
      length += outcome.length
      hash &+= outcome.hash
      if let failure = outcome.failure { failures.append(failure) }
    }
  }

  /// Plays them, ``width`` at once.
  ///
  /// - Parameter each: told of each world when it has ended, in whatever order they do.
  public func run(each: (WorldOutcome) async -> Void) async {
    var failures = 0
    var next = 0
    await withTaskGroup(of: WorldReport.self) { group in
      func begin() {
        guard next < runs, failures < failuresMax else { return }
        let plan = WorldPlan(seed: firstSeed &+ UInt64(next), kinds: kinds)
        next += 1
        group.addTask { [settings] in await World.play(plan, settings) }
      }
      for _ in 0..<max(1, width) { begin() }
      for await report in group {
        if !report.violations.isEmpty { failures += 1 }
        await each(WorldOutcome(report))
        begin()
      }
    }
  }
}
