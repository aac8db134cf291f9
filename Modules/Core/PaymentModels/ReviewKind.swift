/// Something about an order that a person should look at, beside its state.
public enum ReviewKind: String, Hashable, Sendable, CaseIterable {
  /// A second payment holds money for an order that another one pays.
  case extraPayment = "extra_payment"
  /// The provider reports another amount or currency than the order's.
  case amountMismatch = "amount_mismatch"
  /// The provider's payment names another order, or was not made for this one.
  case wrongOrder = "wrong_order"
  /// A test payment on a live order, or the reverse.
  case modeMismatch = "mode_mismatch"
  /// Money came for an order that the merchant had cancelled, or whose money had gone back.
  case lateMoney = "late_money"
  /// Closed elsewhere after only a part was captured.
  case shortCapture = "short_capture"
  /// The provider reported a step that is not in the table of legal edges.
  case unexpectedTransition = "unexpected_transition"
  /// An operation was refused, or its end cannot be told.
  case operationFailed = "operation_failed"
  /// The payer's bank or the provider took money back.
  case disputed
  /// Money has been held for days, and nobody has taken it or let it go.
  case uncapturedHold = "uncaptured_hold"

  /// Whether it says that a payment is not the one that was asked for, so that it pays nothing.
  public var isMismatch: Bool {
    switch self {
    case .amountMismatch, .wrongOrder, .modeMismatch: true
    case .extraPayment, .lateMoney, .shortCapture, .unexpectedTransition, .operationFailed,
      .disputed, .uncapturedHold:
      false
    }
  }

  /// Whether the payment that it is about counts for nothing once the case is dismissed: what
  /// became of its money is settled outside the kit.
  public var setsAsideOnceDismissed: Bool {
    switch self {
    case .extraPayment, .lateMoney, .shortCapture: true
    case .amountMismatch, .wrongOrder, .modeMismatch: true
    case .unexpectedTransition, .operationFailed, .disputed, .uncapturedHold: false
    }
  }
}

/// What the merchant decided about a case.
public enum ReviewDecision: String, Hashable, Sendable, CaseIterable {
  /// The money pays the order, as far as it goes: a cancelled order is revived, a short one is
  /// content with what was captured.
  case accept
  /// The money goes back: what is held is let go, what was captured is refunded.
  case refund
  /// Somebody has looked and decides later; the case stays open.
  case keep
  /// The case was looked at and needs nothing more from the kit.
  case dismiss
}
