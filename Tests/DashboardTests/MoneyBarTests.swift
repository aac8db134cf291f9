import Testing
import WebPages

@testable import Dashboard

@Suite("The bar of a payment's money")
struct MoneyBarTests {
  struct Row: Sendable {
    var captured: Int64 = 0
    var refunded: Int64 = 0
    var chargedBack: Int64 = 0
    var held: Int64 = 0
    /// Where each part begins and how long it is, in thousandths.
    let parts: [String]
  }

  private static let rows = [
    Row(parts: []),
    Row(held: 100, parts: ["held 0 1000"]),
    Row(captured: 40, held: 60, parts: ["kept 0 400", "held 400 600"]),
    Row(captured: 100, parts: ["kept 0 1000"]),
    Row(captured: 100, refunded: 25, parts: ["kept 0 750", "gone 750 250"]),
    Row(captured: 100, refunded: 25, chargedBack: 75, parts: ["gone 0 1000"]),
    // More than there was to give back, to take or to hold.
    Row(captured: 100, refunded: 70, chargedBack: 70, parts: ["gone 0 1000"]),
    Row(captured: 100, refunded: .max, chargedBack: 1, parts: ["gone 0 1000"]),
    Row(captured: 200, refunded: 50, parts: ["kept 0 750", "gone 750 250"]),
    Row(captured: 40, held: 90, parts: ["kept 0 400", "held 400 600"]),
    Row(captured: -1, refunded: -1, held: -1, parts: []),
  ]

  @Test(arguments: rows)
  func `its parts are the sums, one behind the other, and stay within it`(row: Row) {
    let bar = MoneyBar(
      asked: 100, captured: row.captured, refunded: row.refunded, chargedBack: row.chargedBack,
      held: row.held)
    let parts = bar.html.text.split(separator: "<rect class=\"bar-").compactMap { part -> String? in
      let values = part.split(separator: "\"")
      guard values.count > 4, values[1] == " x=" else { return nil }
      return "\(values[0]) \(values[2]) \(values[4])"
    }
    #expect(parts == row.parts)
  }

  @Test func `a payment of nothing has a bar`() {
    let bar = MoneyBar(asked: 0, captured: 0, refunded: 0, chargedBack: 0, held: 0)
    #expect(bar.html.text.contains("bar-open"))
  }
}
