import PaymentModels
import ProviderInterface
import TestSupport
import Testing

@Suite("Integer amounts")
struct IntegerAmountsTests {
  @Test(arguments: [Int64.min, .max, Money.minorUnitsMax + 1, -Money.minorUnitsMax - 1])
  func `an amount that no order has is none on the wire`(minorUnits: Int64) {
    let amounts = IntegerAmounts(currency: Sample.aed, exponent: 2)
    #expect(amounts.wire(Money(minorUnits: minorUnits, currency: Sample.aed)) == nil)
  }

  @Test(arguments: [(Money.minorUnitsMax / 100, true), (Money.minorUnitsMax / 100 + 1, false)])
  func `an integer that could not be read in the answer is not sent`(
    minorUnits: Int64, isSent: Bool
  ) {
    let amounts = IntegerAmounts(currency: Sample.aed, exponent: 4)
    #expect((amounts.wire(Money(minorUnits: minorUnits, currency: Sample.aed)) != nil) == isSent)
  }

  @Test(arguments: [0, 1, Money.minorUnitsMax])
  func `every other one is its own integer`(minorUnits: Int64) {
    let amounts = IntegerAmounts(currency: Sample.aed, exponent: 2)
    let money = Money(minorUnits: minorUnits, currency: Sample.aed)
    #expect(amounts.wire(money) == minorUnits)
    #expect(amounts.money(minorUnits, code: "AED") == money)
  }
}
