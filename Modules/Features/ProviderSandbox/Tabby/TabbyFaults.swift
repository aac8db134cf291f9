/// Ways to misbehave, at large or for one payment.
public struct TabbyFaults: Sendable, Hashable {
  /// The page ends while the payment is CREATED; its outcome follows this much later.
  public var authorizeDelayMs: Int64 = 0
  /// Times that each webhook is sent.
  public var webhookCopies: Int64 = 1
  /// Send no webhook at all.
  public var dropsWebhooks = false
  /// Wait before the first, second, … webhook of a payment; the last value stands for the rest.
  /// `[5000, 0]` makes the second overtake the first.
  public var webhookDelaysMs: [Int64] = [0]
  /// The page's cancel link leaves the payment CREATED and the session open, so that the payer can
  /// go back and pay; otherwise it is EXPIRED.
  public var cancelLeavesCreated = false
  /// Amount that reads of the payment show instead of its own.
  public var readAmount: String?
  /// Currency that reads of the payment show instead of its own.
  public var readCurrency: String?
  /// Refunds answer 409: the payer disputes the payment.
  public var isDisputed = false
  /// Answers that go wrong, first match first.
  public var answers: [TabbyAnswerFault] = []

  /// No fault.
  public init() {}
}

/// Spoils the answer to some calls.
public typealias TabbyAnswerFault = AnswerFault<TabbyCall>

/// A call of the merchant's server, as counted in the ledger and aimed at by faults.
public enum TabbyCall: String, Sendable, CaseIterable {
  /// `POST /api/v2/checkout`
  case create
  /// `GET /api/v2/checkout/{id}`
  case readSession = "read_session"
  /// `POST /api/v2/checkout/{id}/cancel`
  case cancel
  /// `GET /api/v2/payments/{id}`
  case read
  /// `GET /api/v2/payments`
  case list
  /// `PUT /api/v2/payments/{id}`
  case update
  /// `POST /api/v2/payments/{id}/captures`
  case capture
  /// `POST /api/v2/payments/{id}/refunds`
  case refund
  /// `POST /api/v2/payments/{id}/close`
  case close
  /// Anything under `/api/v1/webhooks`
  case webhooks

  /// Those that name a payment or its session.
  static let aboutOnePayment: [TabbyCall] = [
    .readSession, .cancel, .read, .update, .capture, .refund, .close,
  ]
}
