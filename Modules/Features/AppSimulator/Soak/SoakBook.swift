import PaymentModels
import StrictJSON

/// What the people of a soak did and saw. Written while it goes on, read by its judge.
actor SoakBook {
  /// Something that is wrong, and the order that it is about, if it is about one.
  struct Fault: Hashable, Sendable {
    let order: String?
    let text: String
  }

  /// What became of the visits at one provider.
  struct Visits: Hashable, Sendable {
    var count = 0
    var noPage = 0
    var brokenOff = 0
  }

  private(set) var faults: [Fault] = []
  private(set) var visits: [ProviderName: Visits] = [:]
  private(set) var deeds: [SoakDeed: Int] = [:]
  private(set) var weathers: [SoakWeather: Int] = [:]
  private(set) var operations: [String: Int] = [:]
  private(set) var kills = 0
  /// Orders that an operator asked to cancel.
  private(set) var cancelled: Set<String> = []
  /// Orders of which a payment may have been paid after it had ended, beside another one.
  private(set) var late: Set<String> = []
  private var timelines: [String: [Timeline.Event]] = [:]

  func note(_ weather: SoakWeather) { weathers[weather, default: 0] += 1 }
  func note(_ deed: SoakDeed) { deeds[deed, default: 0] += 1 }
  func note(operation: String) { operations[operation, default: 0] += 1 }
  func noteKill() { kills += 1 }

  func noteVisit(at provider: ProviderName) { visits[provider, default: Visits()].count += 1 }
  func noteNoPage(at provider: ProviderName) { visits[provider, default: Visits()].noPage += 1 }
  func noteBrokenOff(at provider: ProviderName) {
    visits[provider, default: Visits()].brokenOff += 1
  }

  func noteCancel(of order: String) { cancelled.insert(order) }
  func noteLate(_ order: String) { late.insert(order) }

  func blame(_ order: String?, _ text: String) { faults.append(Fault(order: order, text: text)) }

  /// Keeps what payers and devices did about an order.
  func keep(_ timeline: Timeline, of order: String) {
    timelines[order, default: []] += timeline.events
  }

  func timeline(of order: String) -> Timeline {
    var timeline = Timeline()
    for event in timelines[order] ?? [] {
      timeline.add(event.at, event.lane, event.text, trust: event.trust)
    }
    return timeline
  }
}
