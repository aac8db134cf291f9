public import CheckoutLifecycle

/// A device store that lives as long as the process. It goes through the stored form of a record,
/// so what it gives back is what a durable store would.
public actor InMemoryDeviceStore: DeviceStore {
  private var rows: [CheckoutKey: [CheckoutRecord.Field: String]] = [:]

  /// An empty store.
  public init() {}

  /// Keeps the record until the process ends.
  public func save(_ record: CheckoutRecord) {
    rows[record.key] = Dictionary(uniqueKeysWithValues: record.fields.map { ($0.field, $0.value) })
  }

  /// The record of a key; nil if there is none.
  public func load(_ key: CheckoutKey) throws -> CheckoutRecord? {
    try rows[key].map { try CheckoutRecord(fields: $0) }
  }

  /// All records, in the order of their keys.
  public func all() throws -> [CheckoutRecord] {
    try rows.sorted { $0.key < $1.key }.map { try CheckoutRecord(fields: $0.value) }
  }

  /// Forgets a record.
  public func remove(_ key: CheckoutKey) {
    rows[key] = nil
  }
}
