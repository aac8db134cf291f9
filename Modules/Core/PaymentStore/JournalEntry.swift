public import PaymentModels

/// One line of what happened, who said so, and what it changed.
public struct JournalEntry: Hashable, Sendable {
  /// Given by the store, growing by time of commit; 0 before.
  public var sequence: Int64
  /// When it happened.
  public var at: Instant
  /// About which order.
  public var orderID: OrderID?
  /// About which payment.
  public var paymentID: PaymentID?
  /// About which delivery, where one is behind it.
  public var webhookID: WebhookID?
  /// Which way it reached us.
  public var channel: Channel
  /// Which operator asked for it, if one did.
  public var operatorName: OperatorName?
  /// How far it was trusted.
  public var trust: TrustClass
  /// What happened, in one or two words: `webhook`, `read`, `closed`, `capture`.
  public var event: String
  /// What it changed, its parts apart by `, `; nil if nothing.
  ///
  /// From these parts alone follows where each row stands:
  /// - of a payment that was told of (`answer`, `read`, `signed webhook`, `create ended`):
  ///   `created → authorized`, and `42.50 AED captured in all`, `… refunded in all` and
  ///   `… charged back in all` for each sum that is another now;
  /// - of an order (`order`): `pending → paid`;
  /// - of its total, once another cart is put in (`cart`): `42.50 AED → 85.00 AED`; what it was for
  ///   at first is in its row alone;
  /// - of a case (`review`): its kind when it is opened, `late_money resolved` when a proof answers
  ///   it, `late_money: refund` when somebody decides; all but `keep` close it;
  /// - of a message (`message`): `fulfil delivered` or `fulfil given up`, and, once it is put back
  ///   (`redeliver`), `fulfil dead → waiting`.
  public var change: String?
  /// Why the rest was ignored, or what else a person should know. No buyer data.
  public var note: String?

  /// A new entry without a sequence number.
  public init(
    at: Instant, orderID: OrderID?, paymentID: PaymentID?, channel: Channel,
    operatorName: OperatorName? = nil, trust: TrustClass, event: String, change: String? = nil,
    note: String? = nil, webhookID: WebhookID? = nil
  ) {
    sequence = 0
    self.at = at
    self.orderID = orderID
    self.paymentID = paymentID
    self.channel = channel
    self.operatorName = operatorName
    self.trust = trust
    self.event = event
    self.change = change
    self.note = note
    self.webhookID = webhookID
  }
}
