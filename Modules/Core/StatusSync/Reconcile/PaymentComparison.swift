public import PaymentModels
import PaymentStore
public import ProviderInterface

/// Compares what the book says about one payment with what its provider says. Pure: it reads
/// nothing and changes nothing.
///
/// An operation of ours that is under way explains what it may have done, until it has been under
/// way for too long.
public struct PaymentComparison: Sendable {
  /// The book's side.
  public let book: BookEntry
  /// What the provider answered about every payment of its own that belongs to this one; none if
  /// it knows no such payment.
  public let readings: [PaymentReading]
  /// What the provider's answers can show.
  public let capabilities: ProviderCapabilities
  /// When they were compared.
  public let now: Instant
  /// How long things may take.
  public let settings: ReconcileSettings
  /// How long an open payment is waited for.
  public let lapseAfter: Duration

  /// Prepares a comparison.
  public init(
    book: BookEntry, readings: [PaymentReading], capabilities: ProviderCapabilities, now: Instant,
    settings: ReconcileSettings = ReconcileSettings(),
    lapseAfter: Duration = SyncSettings().lapseAfter
  ) {
    self.book = book
    self.readings = readings
    self.capabilities = capabilities
    self.now = now
    self.settings = settings
    self.lapseAfter = lapseAfter
  }

  /// All points in which the two differ; none if they agree.
  public var differences: [Difference] {
    guard payment.createState != .intent else { return createDifferences }
    guard let last = current.last else { return unknownDifferences + twinDifferences }
    let told = state(last.status)
    return termDifferences + outcomeDifferences(told) + takenBackDifferences(told)
      + absentDifferences + waitDifferences(told) + twinDifferences
  }

  var payment: PaymentRow { book.payment }

  /// Answers about the payment that the book takes for the present one.
  var current: [PaymentReading] {
    readings.filter { $0.providerPaymentID == payment.providerPaymentID }
  }

  /// What the provider says, without what the settlement is known to leave as it is: after a
  /// refusal at the create, the payment behind it may still call itself created or expired.
  private func state(_ told: PaymentStatus) -> PaymentStatus {
    let isRefusedForGood =
      payment.status == .rejected && payment.checkoutURL == nil && payment.rejectionReason != nil
    let isNoNews = told.isFinalUnpaid || told == .created || told == .pending
    return isRefusedForGood && isNoNews ? payment.status : told
  }

  func difference(
    _ kind: Difference.Kind, booked: String, told: String, amount: Money? = nil,
    by settledBy: Difference.Settler
  ) -> Difference {
    Difference(kind, payment, booked: booked, told: told, amount: amount, by: settledBy)
  }

  /// An amount of so many minor units in the payment's own currency.
  func money(_ minorUnits: Int64) -> Money {
    Money(minorUnits: minorUnits, currency: payment.amount.currency)
  }

  // MARK: What the payment is about

  private var termDifferences: [Difference] {
    amountDifferences + foreignDifferences
  }

  private var amountDifferences: [Difference] {
    guard !book.decided.contains(.amountMismatch) else { return [] }
    let asked = payment.amount
    let told = current.compactMap(\.amount) + current.flatMap(\.items).map(\.amount)
    if let other = told.first(where: { $0.currency != asked.currency }) {
      return [
        difference(
          .currency, booked: "\(asked)", told: "\(other)", amount: other, by: .person)
      ]
    }
    guard let other = current.compactMap(\.amount).first(where: { $0 != asked }) else { return [] }
    return [
      difference(
        .amount, booked: "\(asked)", told: "\(other)",
        amount: money(other.minorUnits - asked.minorUnits), by: .person)
    ]
  }

  private var foreignDifferences: [Difference] {
    var found: [Difference] = []
    let namesOther = current.contains { reading in
      (reading.orderReference.map { $0 != payment.orderID.rawValue } ?? false)
        || (reading.paymentReference.map { $0 != payment.id.rawValue } ?? false)
        || reading.isForOtherGoods
    }
    if namesOther, !book.decided.contains(.wrongOrder) {
      found.append(
        difference(
          .foreign, booked: "order \(payment.orderID)", told: "another order, or other goods",
          by: .person))
    }
    let mode = current.compactMap(\.mode).first { $0 != payment.mode }
    if let mode, !book.decided.contains(.modeMismatch) {
      found.append(
        difference(
          .foreign, booked: "\(payment.mode.rawValue) mode", told: "\(mode.rawValue) mode",
          by: .person))
    }
    return found
  }

  // MARK: What cannot be read

  private var createDifferences: [Difference] {
    guard now.since(payment.createdAt) > settings.stuckAfter else { return [] }
    return [
      difference(
        .stuck, booked: "create under way since \(payment.createdAt)", told: "no answer",
        by: .schedule)
    ]
  }

  /// The provider was asked and knows no such payment. Where the book has no money either, that is
  /// no difference, and never an end.
  private var unknownDifferences: [Difference] {
    guard payment.status.holdsMoney || book.refundable > 0 else { return [] }
    return [
      difference(
        .absent, booked: "\(payment.status)", told: "no such payment", amount: payment.amount,
        by: .person)
    ]
  }

  /// Payments that lost creates left behind, and that hold money.
  private var twinDifferences: [Difference] {
    readings.filter { $0.providerPaymentID != payment.providerPaymentID && $0.status.holdsMoney }
      .map { reading in
        let isSecond = payment.status.holdsMoney
        return difference(
          isSecond ? .orphan : .missing, booked: "\(payment.status)",
          told: "\(reading.status), as \(reading.providerPaymentID)", amount: reading.amount,
          by: isSecond ? .person : .read)
      }
  }
}
