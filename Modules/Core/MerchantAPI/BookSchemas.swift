import PaymentModels

/// The forms of what the server shows of sums and of comparisons.
extension JSONSchema {
  private static let account = [Member("provider", .text()), Member("account", .text())]
  private static let money = [
    Member("currency", .currency), Member("exponent", .integer(from: 0, to: 4)),
  ]

  static let moneyTotals = object([
    Member("from", .moment), Member("to", .moment),
    Member(
      "totals",
      .array(
        of: .object(
          account + money
            + ["captured", "refunded", "charged_back", "in_review"].map { Member($0, .amount) }))),
  ])

  static let reconciliation = object([
    Member("payments", .integer(from: 0)), Member("examined", .integer(from: 0)),
    Member("totals", .array(of: comparedTotal)), Member("differences", .array(of: difference)),
    Member(
      "not_read",
      .array(
        of: .object(account + [Member("payment_id", .uuid.orNull), Member("reason", .text())]))
    ),
    Member("learned", .array(of: learned)),
    Member(
      "cannot_find",
      .array(of: .object(account + [Member("cannot_find", .array(of: .text()))]))),
    Member("next_cursor", .text().orNull),
  ])

  private static let sides = object([
    Member("booked_minor_units", .integer()), Member("told_minor_units", .integer()),
  ])

  private static let comparedTotal = object(
    account + money + [
      Member("compared", .integer(from: 0)), Member("captured", sides), Member("gone_back", sides),
    ])

  private static let difference = object(
    account + [
      Member("kind", .text()), Member("payment_id", .uuid.orNull),
      Member("provider_payment_id", .text().orNull), Member("booked", .text()),
      Member("told", .text()), Member("amount", .amount.orNull),
      Member("currency", .currency.orNull),
      Member("settled_by", .words(["read", "schedule", "person"])), Member("settled", .boolean),
    ])

  private static let learned = object(
    account + [
      Member("outcome", .text()), Member("channel", .words(Channel.allCases.map(\.rawValue))),
      Member("late_ms", .integer(from: 0).orNull),
    ])
}
