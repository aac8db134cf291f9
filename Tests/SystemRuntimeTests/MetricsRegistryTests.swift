import KitEnvironment
import PaymentModels
import SystemRuntime
import Testing

private let counter = Metric("till_test_total", "Counts.", .counter, labels: ["word"])

@Suite("The registry of a process")
struct MetricsRegistryTests {
  @Test func `what many threads count is all there`() async {
    let metrics = KitMetrics.live()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<1_000 { metrics.add(to: counter, "a") } }
      }
    }
    let family = metrics.families.first { $0.metric == counter }
    #expect(family?.series == [MetricSeries(labels: ["a"], value: .number(8_000))])
  }

  @Test func `it says what memory the process has and when it started`() throws {
    let families = KitMetrics.live().families
    let memory = try #require(
      families.first { $0.metric.name == "process_resident_memory_bytes" }?.series.first)
    guard case .number(let bytes) = memory.value else {
      Issue.record("memory is no number")
      return
    }
    // A test process has more than a megabyte and less than a terabyte.
    #expect((1_000_000...1_000_000_000_000).contains(bytes))
    let start = try #require(
      families.first { $0.metric.name == "process_start_time_seconds" }?.series.first)
    guard case .number(let second) = start.value else {
      Issue.record("the start is no number")
      return
    }
    let now = Double(systemNow().milliseconds) / 1_000
    #expect(second <= now && second > now - 60)
  }
}
