import PaymentModels
import PaymentStore

/// When a payment is to be read next. A payment that is not final follows its provider's own
/// schedule; one that is keeps a slow one, so that refunds, charge-backs and late money that
/// come from elsewhere are learned.
struct ReadPlan {
  /// Waits between reads of a payment that may still be paid, counted from its creation; the
  /// last one repeats.
  let waits: [Duration]
  /// After how long an open payment may lapse; its reads for late money count from then.
  var lapseAfter: Duration = .zero

  /// Paid payments: daily for a week, then weekly to the end of the refund window (180 days at
  /// Tabby). Money held and not captured is looked at more often.
  static let heldWait: Duration = .seconds(3_600)
  static let day: Duration = .seconds(86_400)
  static let dailyReadsEnd: Duration = .seconds(7 * 86_400)
  static let paidReadsEnd: Duration = .seconds(180 * 86_400)
  /// Final without money: daily for 30 days, for late money.
  static let unpaidReadsEnd: Duration = .seconds(30 * 86_400)

  /// How long a slow schedule may wait after reads in a row that brought nothing: an hour, doubled
  /// up to a day. The day's look is not lost to one bad minute, and a provider that is out for long
  /// is not asked about all that was ever paid there.
  static func retryWait(afterFailures count: Int) -> Duration {
    min(day, heldWait * (1 << min(max(0, count - 1), 5)))
  }

  /// The time of the next read after one at `now`; nil if there is none any more.
  func nextRead(of payment: PaymentRow, now: Instant) -> Instant? {
    let next = usual(payment, now)
    guard !payment.isModeProven, let end = payment.fulfilmentHeldUntil, end > now else {
      return next
    }
    // The goods wait until then, and somebody is to know how it ended.
    return min(next ?? end, end)
  }

  private func usual(_ payment: PaymentRow, _ now: Instant) -> Instant? {
    #if FaultInjection
      if SeededFault.active == .forgetsLapsed, payment.lapsed { return nil }
    #endif
    let age = max(.zero, now.since(payment.createdAt))
    switch payment.status {
    case .created, .pending, .unknown:
      return payment.lapsed
        ? daily(age, now, until: lapseAfter + Self.unpaidReadsEnd) : waiting(payment, now)
    case .authorized:
      return now + Self.heldWait
    case .captured:
      if age < Self.dailyReadsEnd { return now + Self.day }
      return age < Self.paidReadsEnd ? now + .seconds(7 * 86_400) : nil
    case .rejected, .expired, .cancelled:
      return daily(age, now, until: Self.unpaidReadsEnd)
    }
  }

  private func daily(_ age: Duration, _ now: Instant, until end: Duration) -> Instant? {
    age < end ? now + Self.day : nil
  }

  private func waiting(_ payment: PaymentRow, _ now: Instant) -> Instant {
    var due = payment.createdAt
    for wait in waits {
      due = due + wait
      // Never later than the wait itself: the clock may have been ahead at the creation.
      if due > now { return min(due, now + wait) }
    }
    return now + (waits.last ?? .seconds(120))
  }
}
