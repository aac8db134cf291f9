import KitEnvironment
import PaymentModels
import PaymentStore

/// How the store stands, as metrics. Every series is there from the start, with 0, so that an
/// alert has something to compare with.
struct StoreMetrics {
  let families: [MetricFamily]

  /// - Parameter providers: those that are configured; payments of others count as `other`.
  init(_ statistics: StoreStatistics, providers: [ProviderName], now: Instant) {
    let names = providers.map(\.rawValue).sorted() + [MetricTable.other]
    func word(_ provider: ProviderName) -> String {
      providers.contains(provider) ? provider.rawValue : MetricTable.other
    }
    var payments: [[String]: Double] = [:]
    for name in names { for state in Self.states { payments[[name, state]] = 0 } }
    for row in statistics.payments {
      payments[[word(row.provider), Self.state(row.status)], default: 0] += Double(row.count)
    }
    var stuck = Dictionary(uniqueKeysWithValues: names.map { ([$0], 0.0) })
    for row in statistics.waiting {
      let age = Self.age(row.queue.oldest, now)
      stuck[[word(row.provider)]] = max(stuck[[word(row.provider)]] ?? 0, age)
    }
    let kinds = ReviewKind.allCases.map(\.rawValue)
    var reviews = Dictionary(uniqueKeysWithValues: kinds.map { ([$0], StoreStatistics.Queue()) })
    for row in statistics.reviews { reviews[[row.kind.rawValue]] = row.queue }
    let inbox = [
      ["parked"]: statistics.parkedWebhooks, ["received"]: statistics.receivedWebhooks,
      ["rejected"]: statistics.rejectedWebhooks, ["unmatched"]: statistics.unmatchedWebhooks,
    ]
    let outbox = [["dead"]: statistics.deadMessages, ["waiting"]: statistics.messages]
    families =
      [
        Self.family(.payments, payments), Self.family(.stuck, stuck),
      ]
      + Self.families(.inbox, .inboxAge, inbox, now)
      + Self.families(.outbox, .outboxAge, outbox, now)
      + Self.families(.operations, .operationsAge, [[]: statistics.operations], now)
      + Self.families(.reviews, .reviewsAge, reviews, now)
  }

  private static let states = [
    "created", "pending", "authorized", "captured", "rejected", "expired", "cancelled", "unknown",
  ]

  /// The state without a provider's own word.
  private static func state(_ status: PaymentStatus) -> String {
    if case .unknown = status { "unknown" } else { status.description }
  }

  /// Seconds; 0 for none, and for what is ahead of a clock that was set back.
  private static func age(_ oldest: Instant?, _ now: Instant) -> Double {
    oldest.map { max(0, now.since($0).asSeconds) } ?? 0
  }

  private static func family(_ metric: Metric, _ values: [[String]: Double]) -> MetricFamily {
    MetricFamily(metric, values.map { MetricSeries(labels: $0.key, value: .number($0.value)) })
  }

  private static func families(
    _ depth: Metric, _ age: Metric, _ queues: [[String]: StoreStatistics.Queue], _ now: Instant
  ) -> [MetricFamily] {
    [
      family(depth, queues.mapValues { Double($0.count) }),
      family(age, queues.mapValues { Self.age($0.oldest, now) }),
    ]
  }
}

extension Metric {
  fileprivate static let payments = Metric(
    "till_payments", "Payments by provider and state.", .gauge, labels: ["provider", "state"])
  fileprivate static let stuck = Metric(
    "till_payments_stuck_seconds",
    "Longest time since a payment whose end is not known was last proven.", .gauge,
    labels: ["provider"])
  fileprivate static let inbox = Metric(
    "till_inbox_webhooks", "Stored webhooks that are not done, by state.", .gauge,
    labels: ["state"])
  fileprivate static let inboxAge = Metric(
    "till_inbox_oldest_seconds", "Age of the oldest of them.", .gauge, labels: ["state"])
  fileprivate static let outbox = Metric(
    "till_outbox_messages", "Messages that were not acknowledged, by state.", .gauge,
    labels: ["state"])
  fileprivate static let outboxAge = Metric(
    "till_outbox_oldest_seconds", "Age of the oldest of them.", .gauge, labels: ["state"])
  fileprivate static let operations = Metric(
    "till_operations_open", "Captures, refunds and closes without an end.", .gauge)
  fileprivate static let operationsAge = Metric(
    "till_operations_oldest_seconds", "Age of the oldest of them.", .gauge)
  fileprivate static let reviews = Metric(
    "till_reviews_open", "Reviews that wait for a person, by kind.", .gauge, labels: ["kind"])
  fileprivate static let reviewsAge = Metric(
    "till_reviews_oldest_seconds", "Age of the oldest of them.", .gauge, labels: ["kind"])
}
