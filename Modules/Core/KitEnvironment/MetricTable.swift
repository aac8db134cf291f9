/// Everything that was counted and measured so far, as a value with bounds.
///
/// A label value that is not a word, and every combination beyond a metric's
/// ``Metric/seriesMax``, counts as `other`: neither a peer's text nor a fault of ours makes the
/// table grow or puts an id, a name or an address into it.
public struct MetricTable: Sendable {
  /// What takes the place of a label value that may not stand there.
  public static let other = "other"
  /// Longest label value, bytes.
  public static let labelBytesMax = 32

  private struct Entry: Sendable {
    let metric: Metric
    var series: [[String]: MetricSeries.Value] = [:]

    mutating func record(_ labels: [String], _ change: MetricChange) {
      if let value = series[labels] {
        series[labels] = MetricTable.changed(value, by: change, metric.kind)
        return
      }
      let isFull = series.count >= metric.seriesMax
      let labels = isFull ? labels.map { _ in MetricTable.other } : labels
      series[labels] = MetricTable.changed(series[labels], by: change, metric.kind)
    }
  }

  private var entries: [String: Entry] = [:]

  /// Nothing yet.
  public init() {}

  /// Takes a change.
  ///
  /// - Precondition: as many values as the metric has labels, and a change that its kind takes.
  public mutating func record(_ metric: Metric, _ values: [String], _ change: MetricChange) {
    precondition(values.count == metric.labels.count, "each label has a value")
    let labels = values.map { Self.isWord($0) ? $0 : Self.other }
    // In place: a copy of the entry would copy its whole table at each count.
    entries[metric.name, default: Entry(metric: metric)].record(labels, change)
  }

  /// All metrics by name, each with its series by their label values.
  public var families: [MetricFamily] {
    entries.values.map { entry in
      MetricFamily(
        entry.metric, entry.series.map { MetricSeries(labels: $0.key, value: $0.value) })
    }.sorted { $0.metric.name < $1.metric.name }
  }

  private static func changed(
    _ value: MetricSeries.Value?, by change: MetricChange, _ kind: Metric.Kind
  ) -> MetricSeries.Value {
    switch (kind, change) {
    case (.counter, .add(let amount)):
      precondition(amount >= 0, "a counter only grows")
      return .number(number(value) + amount)
    case (.gauge, .add(let amount)): return .number(number(value) + amount)
    case (.gauge, .set(let amount)): return .number(amount)
    case (.histogram(let bounds), .observe(let seconds)):
      var counts = [Int64](repeating: 0, count: bounds.count + 1)
      var sum = 0.0
      if case .histogram(let before, let total) = value { (counts, sum) = (before, total) }
      counts[bounds.firstIndex { seconds <= $0 } ?? bounds.count] += 1
      return .histogram(counts: counts, sum: sum + seconds)
    case (.counter, .set), (.counter, .observe), (.gauge, .observe), (.histogram, .add),
      (.histogram, .set):
      preconditionFailure("a change that the metric does not take")
    }
  }

  private static func number(_ value: MetricSeries.Value?) -> Double {
    if case .number(let number) = value { number } else { 0 }
  }

  /// Lower-case ASCII letters, digits and `_`, beginning with a letter: no id, address or amount
  /// of the kit has that form.
  private static func isWord(_ text: String) -> Bool {
    guard let first = text.utf8.first, (97...122).contains(first) else { return false }
    return text.utf8.count <= labelBytesMax
      && text.utf8.allSatisfy {
        (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "_")
      }
  }
}
