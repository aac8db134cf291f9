import HTTPListener
import KitEnvironment

extension KitMetrics {
  /// Takes note of what happens to a listener's connections.
  func note(_ event: ListenerEvent) {
    switch event {
    case .opened:
      add(to: .connections)
      add(to: .connects, "served")
    case .closed: add(-1, to: .connections)
    case .refused: add(to: .connects, "refused")
    case .refusedAddress: add(to: .connects, "refused_address")
    case .exhausted: add(to: .connects, "exhausted")
    case .deferred: add(to: .deferred)
    }
  }
}

extension Metric {
  fileprivate static let connections = Metric(
    "till_listener_connections", "Connections that are open.", .gauge)
  fileprivate static let connects = Metric(
    "till_listener_connects_total",
    "Connects by what became of them; exhausted counts times when descriptors had run out.",
    .counter, labels: ["outcome"])
  fileprivate static let deferred = Metric(
    "till_listener_deferred_total",
    "Requests answered 503 because more came than could be answered in time.", .counter)
  static let commitSeconds = Metric(
    "till_store_commit_seconds", "Time of a commit of the store, its sync of the disk included.",
    .histogram(bounds: Metric.callBounds))
}
