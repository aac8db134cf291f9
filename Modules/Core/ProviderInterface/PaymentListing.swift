public import PaymentModels

/// A provider whose API lists payments, by which one is found that the local book does not know.
/// What its list holds stands in ``ProviderCapabilities/listing``; with the others such payments
/// cannot be found.
public protocol PaymentListing: PaymentProvider {
  /// One page of the account's payments, newest first; one request.
  ///
  /// - Parameters:
  ///   - since: made at this moment or later. A provider that counts in days lists the whole day.
  ///   - cursor: ``PaymentPage/next`` of the page before; nil for the first.
  /// - Throws: ``ProviderError``; of kind `refused` if the cursor is none of this provider's.
  func payments(
    since: Instant, cursor: String?
  ) async throws(ProviderError) -> PaymentPage
}

/// One page of a provider's list.
public struct PaymentPage: Hashable, Sendable {
  /// Those that could be read.
  public var readings: [PaymentReading]
  /// How many could not: one odd payment does not hide the others.
  public var unreadableCount: Int
  /// What to ask the next page with; nil after the last.
  public var next: String?

  /// Collects a page.
  public init(readings: [PaymentReading], unreadableCount: Int, next: String?) {
    self.readings = readings
    self.unreadableCount = unreadableCount
    self.next = next
  }
}
