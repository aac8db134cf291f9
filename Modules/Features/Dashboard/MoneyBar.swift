import PaymentModels
import PaymentStore
import WebPages

/// How much of a payment's amount was captured, and how much of that went back, drawn as one bar.
/// The sums beside it say the same in words.
struct MoneyBar {
  private let whole: Int64
  private let held: Int64
  private let captured: Int64
  private let gone: Int64

  init(_ file: PaymentFile) {
    self.init(
      asked: file.payment.amount.minorUnits, captured: file.sum(.capture).minorUnits,
      refunded: file.sum(.refund).minorUnits, chargedBack: file.sum(.chargeback).minorUnits,
      held: file.payment.status == .authorized ? file.limit.capturable : 0)
  }

  /// Amounts in minor units. What does not fit the amount that was asked for is data of a provider:
  /// the bar ends where it ends.
  init(asked: Int64, captured: Int64, refunded: Int64, chargedBack: Int64, held: Int64) {
    self.captured = max(0, captured)
    let back = refunded.addingReportingOverflow(chargedBack)
    gone = min(max(0, back.overflow ? .max : back.partialValue), self.captured)
    self.held = max(0, held)
    whole = max(asked, self.captured, 1)
  }

  var html: HTML {
    let (kept, left) = (captured - gone, min(held, whole - captured))
    return """
      <svg class="money-bar" viewBox="0 0 1000 1" preserveAspectRatio="none" aria-hidden="true" \
      focusable="false"><rect class="bar-open" width="1000" height="1"/>\
      \(part("bar-kept", from: 0, kept))\(part("bar-gone", from: kept, gone))\
      \(part("bar-held", from: captured, left))</svg>
      """
  }

  private func part(_ name: String, from start: Int64, _ length: Int64) -> HTML? {
    guard length > 0 else { return nil }
    let (from, to) = (share(start), share(start + length))
    return "<rect class=\"\(name)\" x=\"\(from)\" width=\"\(to - from)\" height=\"1\"/>"
  }

  /// In thousandths of the bar, at most the whole of it. Whole numbers alone: rounding a binary
  /// float needs the mathematical library, which who takes this module alone does not link.
  private func share(_ amount: Int64) -> Int64 {
    let (thousandths, rest) = whole.dividingFullWidth(amount.multipliedFullWidth(by: 1_000))
    return thousandths + (rest >= whole - rest ? 1 : 0)
  }
}
