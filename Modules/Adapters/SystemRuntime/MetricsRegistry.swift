private import Glibc
public import KitEnvironment
import PaymentModels

extension KitMetrics {
  /// A registry for one process: what is recorded is kept in memory, and stands in the families
  /// beside what the system says about the process itself.
  public static func live() -> KitMetrics {
    let table = Locked(MetricTable())
    let startedAt = systemNow()
    return KitMetrics(
      record: { metric, labels, change in
        table.withLock { $0.record(metric, labels, change) }
      },
      families: { table.withLock { $0.families } + processFamilies(startedAt: startedAt) })
  }
}

extension Metric {
  // Names that every exporter for Prometheus uses.
  static let residentMemory = Metric(
    "process_resident_memory_bytes", "Memory of this process that is in RAM.", .gauge)
  static let startTime = Metric(
    "process_start_time_seconds", "When this process started, seconds since 1970.", .gauge)
}

private func processFamilies(startedAt: Instant) -> [MetricFamily] {
  var families = [
    MetricFamily(
      .startTime,
      [MetricSeries(labels: [], value: .number(Double(startedAt.milliseconds) / 1_000))])
  ]
  if let bytes = ProcessFacts.residentBytes() {
    families.append(
      MetricFamily(.residentMemory, [MetricSeries(labels: [], value: .number(Double(bytes)))]))
  }
  return families
}

extension ProcessFacts {
  /// Memory of this process that is in RAM, bytes; nil if the system does not say.
  public static func residentBytes() -> Int64? {
    // A line of seven numbers, in pages; the second is what is resident.
    guard let bytes = try? Files.read("/proc/self/statm", bytesMax: 256) else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    guard words.count > 1, let pages = Int64(words[1]) else { return nil }
    return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
  }
}
