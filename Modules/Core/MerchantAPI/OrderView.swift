public import PaymentModels
public import StrictJSON

/// An order as the API shows it: the answer to `GET /v1/orders/{id}`.
public struct OrderView: Hashable, Sendable {
  /// A message to the merchant's systems.
  public struct Message: Hashable, Sendable {
    /// Position among the order's messages, from 1.
    public var sequence: Int64
    /// `fulfil`, `revoke`, `refunded`, `disputed` or `needs_review`.
    public var kind: String
    /// Whether a receiver acknowledged it.
    public var isDelivered: Bool

    /// Builds a message.
    public init(sequence: Int64, kind: String, isDelivered: Bool) {
      self.sequence = sequence
      self.kind = kind
      self.isDelivered = isDelivered
    }
  }

  /// Something that a person should decide.
  public struct Review: Hashable, Sendable {
    /// Its number, by which it is decided.
    public var number: Int64
    /// What it is.
    public var kind: String
    /// Both values, where two disagree.
    public var detail: String
    /// Since when.
    public var openedAt: Instant

    /// Builds a review.
    public init(number: Int64, kind: String, detail: String, openedAt: Instant) {
      self.number = number
      self.kind = kind
      self.detail = detail
      self.openedAt = openedAt
    }
  }

  /// The order.
  public var orderID: OrderID
  /// Where it stands.
  public var state: OrderState
  /// What it asks for.
  public var total: Money
  /// Minor units that it asks for now: less than the total once the merchant was content with less.
  public var due: Int64
  /// Minor units captured.
  public var captured: Int64
  /// Minor units refunded or charged back.
  public var refunded: Int64
  /// Whether the merchant asked to cancel it.
  public var isCancelRequested: Bool
  /// Whether the goods were ordered out, and not called back since.
  public var isFulfilled: Bool
  /// The priced lines.
  public var lines: [OrderLine]
  /// Its payments, by attempt.
  public var payments: [PaymentView]
  /// Its open reviews.
  public var reviews: [Review]
  /// Messages to the merchant's systems.
  public var messages: [Message]

  /// Collects the view.
  public init(
    orderID: OrderID, state: OrderState, total: Money, due: Int64, captured: Int64,
    refunded: Int64, isCancelRequested: Bool, isFulfilled: Bool, lines: [OrderLine],
    payments: [PaymentView],
    reviews: [Review], messages: [Message]
  ) {
    self.orderID = orderID
    self.state = state
    self.total = total
    self.due = due
    self.captured = captured
    self.refunded = refunded
    self.isCancelRequested = isCancelRequested
    self.isFulfilled = isFulfilled
    self.lines = lines
    self.payments = payments
    self.reviews = reviews
    self.messages = messages
  }

  /// The JSON of the answer.
  public var json: JSONValue {
    .object([
      "order_id": .string(orderID.rawValue),
      "state": .string(state.rawValue),
      "total": .string(total.decimal),
      "currency": .string(total.currency.code),
      "due": .string(decimal(due)),
      "captured": .string(decimal(captured)),
      "refunded": .string(decimal(refunded)),
      "cancel_requested": .bool(isCancelRequested),
      "fulfilled": .bool(isFulfilled),
      "lines": .array(
        lines.map {
          .object([
            "product_id": .string($0.productID), "title": .string($0.title),
            "quantity": .integer($0.quantity), "unit_price": .string($0.unitPrice.decimal),
          ])
        }),
      "payments": .array(payments.map(\.json)),
      "reviews": .array(
        reviews.map {
          .object([
            "review": .integer($0.number), "kind": .string($0.kind),
            "detail": .string($0.detail),
            "opened_at": .string($0.openedAt.description),
          ])
        }),
      "messages": .array(
        messages.map {
          .object([
            "sequence": .integer($0.sequence), "kind": .string($0.kind),
            "delivered": .bool($0.isDelivered),
          ])
        }),
    ])
  }

  private func decimal(_ minorUnits: Int64) -> String {
    Money(minorUnits: minorUnits, currency: total.currency).decimal
  }
}

extension OrderView {
  /// The form of ``json``.
  static var schema: JSONSchema {
    .object([
      JSONSchema.Member("order_id", .uuid),
      JSONSchema.Member("state", .orderState),
      JSONSchema.Member("total", .amount),
      JSONSchema.Member("currency", .currency),
      JSONSchema.Member("due", .amount.described("Less than the total once that is enough.")),
      JSONSchema.Member("captured", .amount),
      JSONSchema.Member("refunded", .amount.described("By the merchant, or charged back.")),
      JSONSchema.Member("cancel_requested", .boolean),
      JSONSchema.Member("fulfilled", .boolean),
      JSONSchema.Member(
        "lines",
        .array(
          of: .object([
            JSONSchema.Member("product_id", .text()), JSONSchema.Member("title", .text()),
            JSONSchema.Member("quantity", .integer(from: 1)),
            JSONSchema.Member("unit_price", .amount),
          ]))),
      JSONSchema.Member("payments", .array(of: .named("Payment")).described("By attempt.")),
      JSONSchema.Member(
        "reviews",
        .array(
          of: .object([
            JSONSchema.Member("review", .integer(from: 1)), JSONSchema.Member("kind", .text()),
            JSONSchema.Member("detail", .text()), JSONSchema.Member("opened_at", .moment),
          ]))),
      JSONSchema.Member(
        "messages",
        .array(
          of: .object([
            JSONSchema.Member("sequence", .integer(from: 1)),
            JSONSchema.Member("kind", .text()), JSONSchema.Member("delivered", .boolean),
          ]))),
    ])
  }
}
