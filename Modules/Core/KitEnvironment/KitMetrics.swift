/// Where counts and measurements go, and where they are read.
public struct KitMetrics: Sendable {
  private let record: @Sendable (Metric, [String], MetricChange) -> Void
  private let read: @Sendable () -> [MetricFamily]

  /// Wraps a registry. Both are called from any thread and must not block.
  public init(
    record: @escaping @Sendable (Metric, [String], MetricChange) -> Void,
    families: @escaping @Sendable () -> [MetricFamily]
  ) {
    self.record = record
    read = families
  }

  /// Counts; label values in the order of the metric's labels.
  public func add(_ amount: Double = 1, to metric: Metric, _ labels: String...) {
    record(metric, labels, .add(amount))
  }

  /// Says what a gauge is at now.
  public func set(_ metric: Metric, to value: Double, _ labels: String...) {
    record(metric, labels, .set(value))
  }

  /// Measures one duration.
  public func observe(_ duration: Duration, in metric: Metric, _ labels: String...) {
    record(metric, labels, .observe(duration.asSeconds))
  }

  /// Everything so far, by name.
  public var families: [MetricFamily] { read() }

  /// Drops everything.
  public static let silent = KitMetrics(record: { _, _, _ in }, families: { [] })
}

extension Duration {
  /// Seconds as the nearest number that metrics are written in.
  public var asSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
