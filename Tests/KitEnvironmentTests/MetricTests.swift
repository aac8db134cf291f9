import KitEnvironment
import TestSupport
import Testing

private let calls = Metric(
  "till_calls_total", "Calls.", .counter, labels: ["peer", "outcome"], seriesMax: 3)
private let depth = Metric("till_depth", "Depth.", .gauge)
private let seconds = Metric(
  "till_seconds", "Seconds.", .histogram(bounds: [0.5, 2]), labels: ["channel"])

@Suite("Metrics")
struct MetricTests {
  @Test func `they are written as Prometheus reads them, by name and label values`() {
    var table = MetricTable()
    table.record(seconds, ["poll"], .observe(0.25))
    table.record(seconds, ["poll"], .observe(2))
    table.record(seconds, ["poll"], .observe(2.5))
    table.record(depth, [], .set(4))
    table.record(depth, [], .add(-1))
    table.record(calls, ["tabby", "ok"], .add(1))
    table.record(calls, ["futa", "ok"], .add(2))
    table.record(calls, ["tabby", "ok"], .add(1))
    #expect(
      MetricsText.text(table.families) == """
        # HELP till_calls_total Calls.
        # TYPE till_calls_total counter
        till_calls_total{peer="futa",outcome="ok"} 2
        till_calls_total{peer="tabby",outcome="ok"} 2
        # HELP till_depth Depth.
        # TYPE till_depth gauge
        till_depth 3
        # HELP till_seconds Seconds.
        # TYPE till_seconds histogram
        till_seconds_bucket{channel="poll",le="0.5"} 1
        till_seconds_bucket{channel="poll",le="2"} 2
        till_seconds_bucket{channel="poll",le="+Inf"} 3
        till_seconds_sum{channel="poll"} 4.75
        till_seconds_count{channel="poll"} 3

        """)
  }

  @Test func `a metric keeps as many series as its limit, and one for all others`() {
    var table = MetricTable()
    for index in 1...3 { table.record(calls, ["p\(index)", "ok"], .add(1)) }
    #expect(
      table.families[0].series.map(\.labels) == [["p1", "ok"], ["p2", "ok"], ["p3", "ok"]])
    for index in 4...1_000 { table.record(calls, ["p\(index)", "ok"], .add(1)) }
    table.record(calls, ["p1", "ok"], .add(1))
    let series = table.families[0].series
    #expect(series.map(\.labels.first) == ["other", "p1", "p2", "p3"])
    #expect(series.map(\.value) == [.number(997), .number(2), .number(1), .number(1)])
  }

  @Test(arguments: [
    "01995000-0002-7000-8000-000000000001", "+971500000001", "payer@example.com", "Layla",
    "192.0.2.1", "", "1abc", "a b", "a\"b", "a\nb", "ä", String(repeating: "a", count: 33),
  ])
  func `an id, an address or a text never becomes a label value`(text: String) {
    var table = MetricTable()
    table.record(calls, [text, "ok"], .add(1))
    #expect(table.families[0].series.map(\.labels) == [["other", "ok"]])
  }

  @Test func `a word at the longest is a label value`() {
    var table = MetricTable()
    let word = String(repeating: "a", count: MetricTable.labelBytesMax)
    table.record(calls, [word, "not_sent"], .add(1))
    #expect(table.families[0].series.map(\.labels) == [[word, "not_sent"]])
  }

  @Test(arguments: [
    (0.0, "0"), (-1, "-1"), (0.001, "0.001"), (1_790_000_000.25, "1790000000.25"),
    (9_007_199_254_740_991, "9007199254740991"), (.infinity, "+Inf"), (-.infinity, "-Inf"),
    (.nan, "NaN"),
  ])
  func `numbers are written as they are`(number: Double, text: String) {
    let family = MetricFamily(depth, [MetricSeries(labels: [], value: .number(number))])
    #expect(MetricsText.text([family]).hasSuffix("\ntill_depth \(text)\n"))
  }

  @Test func `a duration is seconds`() {
    #expect(Duration.milliseconds(1_500).asSeconds == 1.5)
    #expect(Duration.nanoseconds(250).asSeconds == 0.00000025)
  }
}
