public import PaymentModels
public import ProviderInterface

/// FB-11's orders, for a provider that is told the total: checked in minor units before anything
/// is sent.
public struct ItemTotalRow: Sendable, CustomStringConvertible {
  /// What the order is.
  public let description: String
  private let lines: [(quantity: Int64, price: Int64)]
  private let total: Int64
  private let isRight: Bool

  /// Every order. Tax and shipping are lines of their own here; a line has no negative price.
  public static let all = [
    ItemTotalRow(
      description: "a, b: 3 x 9.67, total 29.00", lines: [(3, 967)], total: 2_900, isRight: false),
    ItemTotalRow(
      description: "3 x 9.67, total 29.02", lines: [(3, 967)], total: 2_902, isRight: false),
    ItemTotalRow(
      description: "3 x 9.67, total 29.01", lines: [(3, 967)], total: 2_901, isRight: true),
    ItemTotalRow(
      description: "c: a discount of 0.01 off one piece", lines: [(2, 967), (1, 966)],
      total: 2_900, isRight: true),
    ItemTotalRow(
      description: "c: a discount as a line below nothing", lines: [(3, 967), (1, -1)],
      total: 2_900, isRight: false),
    ItemTotalRow(
      description: "d: tax and shipping beside them", lines: [(3, 967), (1, 145), (1, 500)],
      total: 3_546, isRight: true),
    ItemTotalRow(description: "e: no items, total 29.00", lines: [], total: 2_900, isRight: false),
    ItemTotalRow(
      description: "a quantity of 0", lines: [(0, 100), (1, 100)], total: 100, isRight: false),
    ItemTotalRow(
      description: "more than fits", lines: [(1, 1), (.max, 2)], total: 1, isRight: false),
  ]

  /// The terms, in that currency.
  public func terms(_ currency: Currency) -> CheckoutTerms {
    .sample(
      Money(minorUnits: total, currency: currency),
      lines: lines.map { line in
        OrderLine(
          productID: "6276316", title: "P", category: "c", quantity: line.quantity,
          unitPrice: Money(minorUnits: line.price, currency: currency))
      })
  }

  /// What is wrong with how a client took `terms`.
  public func violations(of error: ProviderError?, _ terms: CheckoutTerms) -> [String] {
    var found = Violations()
    found.expect((error == nil) == isRight, isRight ? "it was refused" : "it passed")
    guard let error else { return found.found }
    found.equal(error.kind, .refused, "the kind")
    found.expect(error.detail.contains(terms.orderID.rawValue), "the order is not named")
    let sum = lines.first.map {
      Money(minorUnits: $0.quantity &* $0.price, currency: terms.total.currency)
    }
    if lines.count == 1, let sum {
      found.expect(error.detail.contains("\(sum)"), "the sum is not named")
      found.expect(error.detail.contains("\(terms.total)"), "the total is not named")
    }
    return found.found
  }
}
