import PaymentModels

/// Every schema of the document by its name.
public enum APISchemas {
  /// The words for the states of a received delivery.
  public static let webhookStates = ["queued", "done", "unmatched", "rejected", "parked"]
  /// The words for the states of a message.
  public static let messageStates = ["waiting", "delivered", "dead"]

  /// Name and schema, bodies first.
  static let all: [(name: String, schema: JSONSchema)] = bodies + views + queueViews + bookViews

  private static let bodies = [
    ("CheckoutBody", CheckoutBody.schema), ("SignalBody", SignalBody.schema),
    ("ReasonBody", ReasonBody.schema), ("OperationBody", OperationBody.schema),
    ("ResolveBody", ResolveBody.schema), ("ReconcileBody", ReconcileBody.schema),
    ("ReplayBody", ReplayBody.schema), ("PauseBody", PauseBody.schema),
    ("EraseBody", EraseBody.schema),
  ]

  private static let views = [
    ("Payment", PaymentView.schema),
    ("PaymentList", page("payments", of: "Payment", next: "next_before", .uuid)),
    ("Order", OrderView.schema), ("Operation", OperationView.schema),
    ("Review", ReviewView.schema),
    ("ReviewList", page("reviews", of: "Review", next: "next_after", .integer(from: 1))),
    ("JournalEntry", JSONSchema.journalEntry),
    ("Journal", page("journal", of: "JournalEntry", next: "next_after", .integer(from: 1))),
    ("PaymentLookup", JSONSchema.lookup), ("ProviderAccount", JSONSchema.providerAccount),
    ("ProviderList", JSONSchema.list("providers", of: "ProviderAccount")),
    ("Erasure", JSONSchema.erasure), ("Health", JSONSchema.health),
    ("Readiness", JSONSchema.readiness), ("Problem", Problem.schema),
  ]

  private static let queueViews = [
    ("Webhook", JSONSchema.object(JSONSchema.webhookMembers)),
    ("WebhookList", page("webhooks", of: "Webhook", next: "next_before", .uuid)),
    ("WebhookDetail", JSONSchema.webhookDetail), ("WebhookReplay", JSONSchema.webhookReplay),
    ("Message", JSONSchema.object(JSONSchema.messageMembers)),
    ("MessageList", page("messages", of: "Message", next: "next_before", .uuid)),
    ("MessageDetail", JSONSchema.messageDetail),
  ]

  private static let bookViews = [
    ("MoneyTotals", JSONSchema.moneyTotals), ("Reconciliation", JSONSchema.reconciliation),
  ]

  private static func page(
    _ name: String, of schema: String, next: String, _ cursor: JSONSchema
  ) -> JSONSchema {
    .object([
      JSONSchema.Member(name, .array(of: .named(schema))),
      JSONSchema.Member(next, cursor.orNull.described("Where the next page begins; null: none.")),
    ])
  }
}

extension JSONSchema {
  /// The state of an order.
  static let orderState = words(OrderState.allCases.map(\.rawValue))

  /// All of a kind under one name.
  fileprivate static func list(_ name: String, of schema: String) -> JSONSchema {
    object([Member(name, .array(of: .named(schema)))])
  }
}
