/// One thing that is counted or measured, as a constant of the module that records it.
///
/// Names and labels follow Prometheus: `till_provider_calls_total`, units last. A label's values
/// come from a closed list of words; what is told of one payment, order, buyer or key never
/// stands in one.
public struct Metric: Hashable, Sendable {
  /// How values come together.
  public enum Kind: Hashable, Sendable {
    /// Only grows; begins at 0 with the process.
    case counter
    /// Goes up and down.
    case gauge
    /// Durations, counted by these upper bounds in seconds, ascending.
    case histogram(bounds: [Double])
  }

  /// Combinations of label values that one metric keeps, unless told: five providers with all
  /// their calls and outcomes are 200.
  public static let usualSeriesMax = 256
  /// Upper bounds for what should take milliseconds: calls, commits.
  public static let callBounds = [
    0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
  ]
  /// Upper bounds for what is learned from others: seconds to days.
  public static let lagBounds: [Double] = [1, 2, 5, 10, 30, 60, 300, 900, 3_600, 21_600, 86_400]

  /// The name, without the labels.
  public let name: String
  /// One sentence for people, without line feeds and backslashes.
  public let help: String
  /// How values come together.
  public let kind: Kind
  /// Names of the labels, in the order in which values are given.
  public let labels: [String]
  /// Combinations of label values that are kept apart; later ones count together as `other`.
  public let seriesMax: Int

  /// Names a metric.
  public init(
    _ name: String, _ help: String, _ kind: Kind, labels: [String] = [],
    seriesMax: Int = Metric.usualSeriesMax
  ) {
    precondition(seriesMax > 0, "a metric has room for a series")
    self.name = name
    self.help = help
    self.kind = kind
    self.labels = labels
    self.seriesMax = seriesMax
  }
}

/// What happened to a metric.
public enum MetricChange: Hashable, Sendable {
  /// So much more; of a gauge also less.
  case add(Double)
  /// So much now.
  case set(Double)
  /// One more of that size, in seconds.
  case observe(Double)
}

/// What one combination of label values has come to.
public struct MetricSeries: Hashable, Sendable {
  /// A number, or the parts of a histogram.
  public enum Value: Hashable, Sendable {
    /// Of a counter or a gauge.
    case number(Double)
    /// How many were at most each bound and above the one before, the last without a bound, and
    /// the sum of all in seconds.
    case histogram(counts: [Int64], sum: Double)
  }

  /// Values of the metric's labels, in their order.
  public var labels: [String]
  /// What it has come to.
  public var value: Value

  /// A series.
  public init(labels: [String], value: Value) {
    self.labels = labels
    self.value = value
  }
}

/// A metric with all its series.
public struct MetricFamily: Hashable, Sendable {
  /// Which.
  public var metric: Metric
  /// Its series, by their label values.
  public var series: [MetricSeries]

  /// A metric with its series, in whatever order.
  public init(_ metric: Metric, _ series: [MetricSeries]) {
    self.metric = metric
    self.series = series.sorted { $0.labels.lexicographicallyPrecedes($1.labels) }
  }
}
