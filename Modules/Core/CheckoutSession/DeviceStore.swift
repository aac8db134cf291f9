public import CheckoutLifecycle

/// The device's durable memory of checkouts. `SQLiteDeviceStore` is the one for apps;
/// ``InMemoryDeviceStore`` is for tests and previews.
public protocol DeviceStore: Sendable {
  /// Puts a record in place of an earlier one with the same key.
  ///
  /// Returns only when the record would survive the end of the process and a loss of power: the
  /// page is opened on the strength of this return.
  ///
  /// - Throws: if the record may not have been kept.
  func save(_ record: CheckoutRecord) async throws

  /// The record of a key; nil if there is none.
  ///
  /// - Throws: if the store or this record cannot be read.
  func load(_ key: CheckoutKey) async throws -> CheckoutRecord?

  /// All records, in the order of their keys, which is the order in which they were started. One
  /// that cannot be read is left out, so that it does not hide the others.
  ///
  /// - Throws: if the store cannot be read.
  func all() async throws -> [CheckoutRecord]

  /// Forgets a record; does nothing if there is none.
  ///
  /// - Throws: if the record may still be there.
  func remove(_ key: CheckoutKey) async throws
}
