import PaymentModels

/// The standard plan: a quarter today, three more a month apart, no fee.
struct InstalmentPlan {
  /// The first part, due at once, and the three that follow.
  let parts: [Part]

  struct Part: Hashable {
    /// `2026-12-30`
    let dueDate: String
    let amount: Money
  }

  /// The last part takes what does not divide by four.
  init(amount: Money, start: Instant) {
    let quarter = amount.minorUnits / 4
    parts = (0..<4).map { index in
      Part(
        dueDate: dateText(start, monthsLater: index),
        amount: Money(
          minorUnits: index < 3 ? quarter : amount.minorUnits - 3 * quarter,
          currency: amount.currency))
    }
  }
}

/// The date `months` after `instant`, or the last day of its month where that day does not exist.
private func dateText(_ instant: Instant, monthsLater months: Int) -> String {
  let parts = instant.description.prefix(10).split(separator: "-").compactMap { Int($0) }
  let (year, month, day) = (parts[0], parts[1] - 1 + months, parts[2])
  let head = "\(year + month / 12)-\(twoDigits(month % 12 + 1))-"
  let last = stride(from: day, through: 28, by: -1).first {
    Instant(iso8601: head + twoDigits($0)) != nil
  }
  return head + twoDigits(last ?? day)
}

private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
