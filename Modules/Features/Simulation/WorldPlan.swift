import KitEnvironment
import CheckoutLifecycle
import PaymentModels

/// What happens to a world from outside, and when: drawn from the seed before it begins.
struct WorldPlan {
  private enum Event {
    case happening(Phone.Happening)
    case serverClock(Duration)
  }

  private var events: [(at: Duration, event: Event)] = []
  private var serverCrashes: [Crash] = []
  private var appCrashes: [Crash] = []

  /// A crash follows a message that the party sent or received: there is most to lose there.
  struct Crash {
    /// After so many messages of that party.
    var message: Int
    /// And then so many of its jobs.
    var jobs: Int
  }

  init(words: inout SeededWords, settings: WorldSettings) {
    // Time enough for the last purchase to be paid before the faults end.
    let end = Int(settings.faultsEnd.wholeMilliseconds)
    let purchases = 1 + words.below(2)
    for product in WorldShop.products.prefix(purchases) {
      let strategy: PresentationStrategy? = words.chance(70) ? nil : .webView
      let at = words.duration(500...end / 3)
      events.append((at, .happening(.buys(product: product, strategy))))
      // A second tap, soon or late.
      if words.chance(40) {
        let again = at + words.duration(10...(words.chance(50) ? 1_000 : end / 2))
        events.append((again, .happening(.buys(product: product, strategy))))
      }
    }
    let moods: [CheckoutEvent] = [.backgrounded, .foregrounded, .viewRecreated, .viewLeft]
    for _ in 0..<words.below(8) {
      let mood = moods[words.below(moods.count)]
      events.append((words.duration(500...end), .happening(.app(mood))))
    }
    if words.chance(30) {
      let step = Duration.milliseconds(words.below(120_001) - 60_000)
      events.append((words.duration(500...end), .serverClock(step)))
    }
    serverCrashes = Self.crashes(settings.serverCrashesMax, within: 80, &words)
    appCrashes = Self.crashes(settings.appCrashesMax, within: 30, &words)
  }

  private static func crashes(
    _ most: Int, within messages: Int, _ words: inout SeededWords
  ) -> [Crash] {
    (0..<words.below(most + 1)).map { _ in
      Crash(message: 1 + words.below(messages), jobs: 1 + words.below(60))
    }
  }

  func carryOut(scheduler: Scheduler, network: WorldNetwork, server: ServerParty, phone: Phone) {
    for (at, event) in events {
      scheduler.after(at) {
        switch event {
        case .happening(let happening): phone.happens(happening)
        case .serverClock(let step):
          server.party.note("has its clock set by \(step)")
          server.party.offset += step
        }
      }
    }
    network.watch(server.party) { [serverCrashes] count in
      for crash in serverCrashes where crash.message == count {
        server.crash(afterJobs: crash.jobs)
      }
    }
    network.watch(phone.app) { [appCrashes] count in
      for crash in appCrashes where crash.message == count { phone.crash(afterJobs: crash.jobs) }
    }
  }
}
