import KitEnvironment
import PaymentModels
import ProviderSandbox

/// Who is in a world, each with a clock as wrong as the seed wants.
struct WorldParties: Sendable {
  /// Its clock is the world's: the judge compares with times from its ledger.
  let provider: Party
  let shop: Party
  let server: Party
  let serverDisk: Party
  let app: Party
  let appDisk: Party
  /// The payer with the phone's browser.
  let payer: Party

  init(seed: UInt64, scheduler: Scheduler, hashing: Hashing) {
    var words = SeededWords(seed: seed, name: "clocks")
    func party(_ name: String, isExact: Bool = false) -> Party {
      // A minute off and a second a day: what machines without a time service come to.
      let offset = Duration.milliseconds(words.below(120_001) - 60_000)
      let drift = words.below(401) - 200
      return Party(
        name, scheduler, seed: seed, hashing: hashing, offset: isExact ? .zero : offset,
        drift: isExact ? 0 : drift)
    }
    provider = party("provider", isExact: true)
    shop = party("shop")
    server = party("server")
    serverDisk = party("server disk", isExact: true)
    app = party("app")
    appDisk = party("app disk", isExact: true)
    payer = party("payer", isExact: true)
  }
}

extension TabbySandboxSettings {
  /// A provider with some faults, fewer words in its document than one would like, and sessions
  /// that end within a world.
  static func drawn(_ words: inout SeededWords) -> TabbySandboxSettings {
    var settings = TabbySandboxSettings(keys: [WorldShop.tabbyKey])
    settings.sessionLifeMs = 300_000
    settings.expiryDelayMs = 60_000
    settings.sendsExpireEvent = words.chance(50)
    settings.prescoreRejectedStatus = words.chance(50) ? .created : .rejected
    settings.faults.webhookCopies = Int64(1 + words.below(2))
    settings.faults.dropsWebhooks = words.chance(20)
    settings.faults.webhookDelaysMs = [Int64(words.below(60_000)), Int64(words.below(5_000))]
    settings.faults.cancelLeavesCreated = words.chance(30)
    settings.faults.authorizeDelayMs = words.chance(50) ? 0 : Int64(words.below(60_000))
    let kinds = TabbyAnswerFault.Kind.allCases
    settings.faults.answers = (0..<words.below(5)).map { _ in
      TabbyAnswerFault(
        call: [.create, .read, .capture][words.below(3)], kind: kinds[words.below(kinds.count)],
        times: Int64(1 + words.below(3)), delayMs: Int64(words.below(20_000)))
    }
    return settings
  }
}
