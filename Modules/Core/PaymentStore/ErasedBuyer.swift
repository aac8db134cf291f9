public import PaymentModels

/// What was erased of a buyer, and what was not yet.
public struct ErasedBuyer: Hashable, Sendable {
  /// Their orders, ascending; all stay, with their sums.
  public var orders: [OrderID]
  /// Deliveries whose bytes were erased.
  public var bodies = 0
  /// Payments whose create request was erased.
  public var requests = 0
  /// Payments whose page or secret was erased.
  public var pages = 0
  /// Deliveries and creates that are still worked on, and stay until then.
  public var waiting = 0

  /// Whether anything was erased.
  public var isChange: Bool { bodies + requests + pages > 0 }

  /// Nothing erased so far.
  public init(orders: [OrderID]) { self.orders = orders }
}
