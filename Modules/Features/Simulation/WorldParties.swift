import KitEnvironment
import PaymentModels

/// Who is in a world, each with a clock as wrong as the seed wants.
struct WorldParties: Sendable {
  /// A payer's device with its disk and its browser, which is a process of its own.
  struct Device: Sendable {
    let app: Party
    let disk: Party
    let browser: Party
  }

  /// Its clock is the world's: the judge compares with times from its ledger.
  let provider: Party
  let shop: Party
  let server: Party
  let serverDisk: Party
  let person: Party
  let devices: [Device]

  init(seed: UInt64, devices: Int, scheduler: Scheduler, hashing: Hashing) {
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
    person = party("operator")
    self.devices = (1...devices).map { number in
      Device(
        app: party("device \(number)"), disk: party("disk of device \(number)", isExact: true),
        browser: party("payer at device \(number)", isExact: true))
    }
  }
}
