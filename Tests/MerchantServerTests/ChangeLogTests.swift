import PaymentModels
import TestSupport
import Testing

@testable import MerchantServer

@Suite("What changed since a page was made")
struct ChangeLogTests {
  private func log(_ commits: Int) -> ChangeLog {
    var log = ChangeLog()
    for number in 0..<commits { log.note([Sample.orderID(number % 3)]) }
    return log
  }

  @Test func `each commit is a step, and whoever is behind is told`() {
    let log = log(4)
    #expect(log.position == 4)
    #expect(log.isChanged(after: 3, of: nil) && !log.isChanged(after: 4, of: nil))
    #expect(log.isChanged(after: 3, of: Sample.orderID(0)))
    #expect(!log.isChanged(after: 3, of: Sample.orderID(1)))
    #expect(log.isChanged(after: 1, of: Sample.orderID(1)))
    #expect(!log.isChanged(after: 0, of: Sample.orderID(7)))
    #expect(log.isChanged(after: 5, of: nil))
  }

  @Test(arguments: [-1, Int64.min, Int64.max])
  func `a place that no page was given counts as one that missed something`(known: Int64) {
    #expect(log(4).isChanged(after: known, of: Sample.orderID(7)))
    #expect(log(0).isChanged(after: known, of: nil))
  }

  @Test func `what is no longer remembered counts as a change`() {
    let log = log(ChangeLog.commitsMax)
    #expect(!log.isChanged(after: 0, of: Sample.orderID(7)))
    var longer = log
    longer.note([Sample.orderID(1)])
    #expect(longer.isChanged(after: 0, of: Sample.orderID(7)))
    #expect(!longer.isChanged(after: Int64(ChangeLog.commitsMax), of: Sample.orderID(7)))
  }
}
