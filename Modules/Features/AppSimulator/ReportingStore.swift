import CheckoutLifecycle
import CheckoutSession
import StrictJSON

/// A device store that tells what it kept, and stops where a script wants the process killed.
struct ReportingStore: DeviceStore {
  let inner: any DeviceStore
  let report: AppReport
  let reached: @Sendable (CrashPoint) async -> Void

  func save(_ record: CheckoutRecord) async throws {
    try await inner.save(record)
    report.line(
      "stored", record.key,
      [JSONMember(name: "stage", value: .string(record.stage.rawValue))]
        + (record.payment.map(report.members) ?? []))
    switch record.stage {
    case .intent: await reached(.intentStored)
    case .created: await reached(.idStoredPageNotOpen)
    case .opened: await reached(.pageOpen)
    case .settled: break
    }
  }

  func load(_ key: CheckoutKey) async throws -> CheckoutRecord? { try await inner.load(key) }
  func all() async throws -> [CheckoutRecord] { try await inner.all() }
  func remove(_ key: CheckoutKey) async throws { try await inner.remove(key) }
}
