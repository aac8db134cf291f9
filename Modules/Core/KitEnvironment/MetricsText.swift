/// Metrics as text, in the exposition format of Prometheus, version 0.0.4.
public enum MetricsText {
  /// What an answer with this text is called.
  public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// Writes the families by name, each with its series by their label values.
  public static func text(_ families: [MetricFamily]) -> String {
    var text = ""
    for family in families.sorted(by: { $0.metric.name < $1.metric.name }) {
      let metric = family.metric
      text += "# HELP \(metric.name) \(metric.help)\n# TYPE \(metric.name) \(word(metric.kind))\n"
      for series in family.series { text += lines(metric, series) }
    }
    return text
  }

  private static func word(_ kind: Metric.Kind) -> String {
    switch kind {
    case .counter: "counter"
    case .gauge: "gauge"
    case .histogram: "histogram"
    }
  }

  private static func lines(_ metric: Metric, _ series: MetricSeries) -> String {
    let labels = zip(metric.labels, series.labels).map { "\($0)=\"\($1)\"" }
    switch series.value {
    case .number(let number): return line(metric.name, labels, number)
    case .histogram(let counts, let sum):
      guard case .histogram(let bounds) = metric.kind else { return "" }
      var text = ""
      var total: Int64 = 0
      for (index, count) in counts.enumerated() {
        total += count
        let bound = index < bounds.count ? number(bounds[index]) : "+Inf"
        text += line("\(metric.name)_bucket", labels + ["le=\"\(bound)\""], Double(total))
      }
      return text + line("\(metric.name)_sum", labels, sum)
        + line("\(metric.name)_count", labels, Double(total))
    }
  }

  private static func line(_ name: String, _ labels: [String], _ value: Double) -> String {
    let braces = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
    return "\(name)\(braces) \(number(value))\n"
  }

  /// A whole number without a fraction. By its text: rounding would link the system's mathematics.
  private static func number(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Inf" : "+Inf" }
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
