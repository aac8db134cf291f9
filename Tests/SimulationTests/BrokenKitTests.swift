import PaymentOracle
import Simulation
import SystemCrypto
import Testing

/// Each promise is broken on purpose, and the judge has to say so within a few worlds.
struct BrokenKitTests {
  /// Worlds after which a break must have been seen.
  private static let worldsMax: UInt64 = 12

  private func world(
    _ seed: UInt64, _ break: (inout WorldSettings) -> Void = { _ in }
  ) async -> WorldReport {
    var settings = WorldSettings(hashing: .openSSL)
    `break`(&settings)
    return await World.play(
      WorldPlan(seed: seed, kinds: [.moods, .network, .crashes, .clocks]), settings)
  }

  private func finds(
    _ invariant: PaymentOracle.Invariant, among: String = "",
    _ break: (inout WorldSettings) -> Void
  ) async -> Bool {
    for seed in 1...Self.worldsMax {
      let report = await world(seed, `break`)
      let found = report.violations.filter { $0.contains(invariant.rawValue) }
      if found.contains(where: { among.isEmpty || $0.contains(among) }) { return true }
    }
    return false
  }

  @Test func `the kit as it is passes the same worlds`() async {
    for seed in 1...Self.worldsMax { #expect(await world(seed).violations == [], "seed \(seed)") }
  }

  @Test func `a server that believes in money before it is there`() async {
    let isFound = await finds(.paidIffCaptured, among: "the provider took 0") {
      $0.provider = { BentProvider.credulous($0) }
    }
    #expect(isFound)
  }

  @Test func `a server that never hears how a payment ended`() async {
    let isFound = await finds(.paidIffCaptured, among: "does not settle") {
      $0.provider = { BentProvider.deaf($0) }
    }
    #expect(isFound)
  }

  @Test func `goods that go out before they are paid`() async {
    let isFound = await finds(.fulfilledOnce, among: "before it was paid") {
      $0.provider = { BentProvider.credulous($0) }
    }
    #expect(isFound)
  }

  @Test func `an outbox that makes a new message of each try`() async {
    let isFound = await finds(.fulfilledOnce, among: "more than once") {
      $0.serverTransport = { BentOutbox.forgetful($0) }
    }
    #expect(isFound)
  }

  @Test func `an outbox that takes silence for an answer`() async {
    let isFound = await finds(.fulfilledOnce, among: "not handed out") {
      $0.serverTransport = { BentOutbox.silent($0) }
    }
    #expect(isFound)
  }

  @Test func `a server that does not end when it is told to`() async {
    var found: [String] = []
    for seed in 1...Self.worldsMax where found.isEmpty {
      let report = await world(seed) { $0.serverTransport = { BentOutbox.endless($0) } }
      found = report.violations.filter { $0.contains("does not end when told to") }
    }
    #expect(found.contains { $0.hasPrefix("server") })
  }

  @Test func `an app that takes an error for a failure`() async {
    let isFound = await finds(.neverFalselyFailed) { $0.backend = { BentBackend.hasty($0) } }
    #expect(isFound)
  }

  @Test func `an app that is told nothing`() async {
    let isFound = await finds(.payerToldTheTruth) { $0.backend = { BentBackend.mute($0) } }
    #expect(isFound)
  }

  @Test(arguments: ["was answered a provider's key", "has written a key down"])
  func `a server that hands a provider's key to apps`(_ place: String) async {
    let isFound = await finds(.keysStayHome, among: place) {
      $0.provider = { BentProvider.leaky($0) }
    }
    #expect(isFound)
  }
}
