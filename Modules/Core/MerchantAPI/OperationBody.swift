public import PaymentModels
public import StrictJSON

/// Body of `POST /v1/payments/{id}/captures|refunds|close`.
public struct OperationBody: Hashable, Sendable {
  /// How much, decimal; nil for all that is left. Not for a close.
  public var amount: String?
  /// Why; kept in the order's journal and sent along to the provider, so no buyer's data.
  public var reason: String

  /// Longest amount: the most minor units, and room for a point.
  static let amountMax = 32

  /// Builds a body.
  public init(amount: String? = nil, reason: String) {
    self.amount = amount
    self.reason = reason
  }

  /// The JSON that ``init(json:)`` reads.
  public var json: JSONValue {
    .object(
      [("amount", amount), ("reason", reason)].compactMap { name, text in
        text.map { JSONMember(name: name, value: .string($0)) }
      })
  }

  /// Reads and checks a body. The amount is checked later, against the payment's currency.
  ///
  /// - Throws: ``BodyError``, which names the member.
  public init(json: JSONValue) throws(BodyError) {
    let body = try BodyReader(json, allowed: ["amount", "reason"])
    self.init(
      amount: try body.optionalText("amount", lengthMax: Self.amountMax), reason: try body.reason())
  }
}

/// Body of a step that an operator takes and that needs a reason alone, such as
/// `POST /v1/orders/{id}/cancel`.
public struct ReasonBody: Hashable, Sendable {
  /// Why; kept in the journal.
  public var reason: String

  /// Builds a body.
  public init(reason: String) { self.reason = reason }

  /// The JSON that ``init(json:)`` reads.
  public var json: JSONValue { .object(["reason": .string(reason)]) }

  /// Reads and checks a body.
  ///
  /// - Throws: ``BodyError``, which names the member.
  public init(json: JSONValue) throws(BodyError) {
    self.init(reason: try BodyReader(json, allowed: ["reason"]).reason())
  }
}

/// A capture, refund or close as the API shows it.
public struct OperationView: Hashable, Sendable {
  /// The kit's id of it, also the provider's dedupe reference.
  public var operationID: OperationID
  /// On which payment.
  public var paymentID: PaymentID
  /// `capture`, `refund` or `close`.
  public var kind: String
  /// How much.
  public var amount: Money
  /// `intent`, `unknown`, `accepted`, `done` or `refused`; the first three go on by themselves.
  public var state: String
  /// What the provider said when it refused.
  public var detail: String?

  /// Collects the view.
  public init(
    operationID: OperationID, paymentID: PaymentID, kind: String, amount: Money, state: String,
    detail: String?
  ) {
    self.operationID = operationID
    self.paymentID = paymentID
    self.kind = kind
    self.amount = amount
    self.state = state
    self.detail = detail
  }

  /// The JSON of the answer.
  public var json: JSONValue {
    .object([
      "operation_id": .string(operationID.rawValue),
      "payment_id": .string(paymentID.rawValue),
      "kind": .string(kind),
      "amount": .string(amount.decimal),
      "currency": .string(amount.currency.code),
      "state": .string(state),
      "detail": .optional(detail),
    ])
  }
}

extension OperationBody {
  /// What ``init(json:)`` takes.
  static var schema: JSONSchema {
    .object(
      [
        JSONSchema.Member(
          "amount",
          .text(1...amountMax).orNull
            .described("Decimal digits of the payment's currency; all that is left without it."),
          isRequired: false),
        JSONSchema.Member("reason", .reason),
      ], isClosed: true)
  }
}

extension ReasonBody {
  /// What ``init(json:)`` takes.
  static var schema: JSONSchema {
    .object([JSONSchema.Member("reason", .reason)], isClosed: true)
  }
}

extension OperationView {
  /// The form of ``json``.
  static var schema: JSONSchema {
    .object([
      JSONSchema.Member("operation_id", .uuid),
      JSONSchema.Member("payment_id", .uuid),
      JSONSchema.Member("kind", .words(["capture", "refund", "close"])),
      JSONSchema.Member("amount", .amount),
      JSONSchema.Member("currency", .currency),
      JSONSchema.Member(
        "state", .words(["intent", "unknown", "accepted", "done", "refused"])),
      JSONSchema.Member("detail", .text().orNull),
    ])
  }
}
