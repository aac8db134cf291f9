public import PaymentModels
public import StrictJSON

/// Body of `POST /v1/reviews/{number}/resolve`.
public struct ResolveBody: Hashable, Sendable {
  /// What is decided.
  public var decision: ReviewDecision
  /// Why; kept in the order's journal. With `refund` it goes along to the provider, so no buyer's
  /// data.
  public var reason: String

  /// Builds a body.
  public init(decision: ReviewDecision, reason: String) {
    self.decision = decision
    self.reason = reason
  }

  /// The JSON that ``init(json:)`` reads.
  public var json: JSONValue {
    .object(["decision": .string(decision.rawValue), "reason": .string(reason)])
  }

  /// Reads and checks a body.
  ///
  /// - Throws: ``BodyError``, which names the member.
  public init(json: JSONValue) throws(BodyError) {
    let body = try BodyReader(json, allowed: ["decision", "reason"])
    let word = try body.text("decision", lengthMax: BodyReader.nameMax)
    guard let decision = ReviewDecision(rawValue: word) else {
      let words = ReviewDecision.allCases.map(\.rawValue).joined(separator: ", ")
      throw BodyError(path: "decision", "must be one of \(words)")
    }
    self.init(decision: decision, reason: try body.reason())
  }
}

/// A case for a person as the API shows it.
public struct ReviewView: Hashable, Sendable {
  /// The last decision about it.
  public struct Decided: Hashable, Sendable {
    /// What was decided.
    public var decision: ReviewDecision
    /// By whom; nil for the merchant's own policy.
    public var operatorName: OperatorName?
    /// Why.
    public var reason: String

    /// Collects a decision.
    public init(decision: ReviewDecision, operatorName: OperatorName?, reason: String) {
      self.decision = decision
      self.operatorName = operatorName
      self.reason = reason
    }
  }

  /// Its number.
  public var number: Int64
  /// What it is.
  public var kind: ReviewKind
  /// About which order.
  public var orderID: OrderID
  /// Where that order stands now.
  public var orderState: OrderState
  /// About which payment, if about one.
  public var paymentID: PaymentID?
  /// Both values, where two disagree.
  public var detail: String
  /// Since when.
  public var openedAt: Instant
  /// For how long, in whole seconds; until its end, if it has one.
  public var ageSeconds: Int64
  /// When it was closed.
  public var resolvedAt: Instant?
  /// What was decided last.
  public var decided: Decided?
  /// What may be decided now.
  public var decisions: [ReviewDecision]

  /// Collects the view.
  public init(
    number: Int64, kind: ReviewKind, orderID: OrderID, orderState: OrderState,
    paymentID: PaymentID?, detail: String, openedAt: Instant, ageSeconds: Int64,
    resolvedAt: Instant?, decided: Decided?, decisions: [ReviewDecision]
  ) {
    self.number = number
    self.kind = kind
    self.orderID = orderID
    self.orderState = orderState
    self.paymentID = paymentID
    self.detail = detail
    self.openedAt = openedAt
    self.ageSeconds = ageSeconds
    self.resolvedAt = resolvedAt
    self.decided = decided
    self.decisions = decisions
  }

  /// The JSON of the answer.
  public var json: JSONValue {
    .object([
      "review": .integer(number),
      "kind": .string(kind.rawValue),
      "order_id": .string(orderID.rawValue),
      "order_state": .string(orderState.rawValue),
      "payment_id": .optional(paymentID?.rawValue),
      "detail": .string(detail),
      "opened_at": .string(openedAt.description),
      "age_seconds": .integer(ageSeconds),
      "resolved_at": .optional(resolvedAt?.description),
      "decision": .optional(decided?.decision.rawValue),
      "decided_by": .optional(decided.map { $0.operatorName?.rawValue ?? "policy" }),
      "decision_reason": .optional(decided?.reason),
      "decisions": .array(decisions.map { .string($0.rawValue) }),
    ])
  }
}

extension ResolveBody {
  /// What ``init(json:)`` takes.
  static var schema: JSONSchema {
    .object(
      [
        JSONSchema.Member("decision", .words(ReviewDecision.allCases.map(\.rawValue))),
        JSONSchema.Member("reason", .reason),
      ], isClosed: true)
  }
}

extension ReviewView {
  /// The form of ``json``.
  static var schema: JSONSchema {
    let decisions = ReviewDecision.allCases.map(\.rawValue)
    return .object([
      JSONSchema.Member("review", .integer(from: 1)),
      JSONSchema.Member("kind", .words(ReviewKind.allCases.map(\.rawValue))),
      JSONSchema.Member("order_id", .uuid),
      JSONSchema.Member("order_state", .orderState),
      JSONSchema.Member("payment_id", .uuid.orNull),
      JSONSchema.Member("detail", .text()),
      JSONSchema.Member("opened_at", .moment),
      JSONSchema.Member("age_seconds", .integer(from: 0)),
      JSONSchema.Member("resolved_at", .moment.orNull),
      JSONSchema.Member("decision", .words(decisions).orNull),
      JSONSchema.Member("decided_by", .text().orNull),
      JSONSchema.Member("decision_reason", .text().orNull),
      JSONSchema.Member(
        "decisions", .array(of: .words(decisions)).described("What may be decided now.")),
    ])
  }
}
