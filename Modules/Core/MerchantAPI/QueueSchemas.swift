import PaymentModels

/// The forms of what the server shows of its inbox and outbox.
extension JSONSchema {
  static let journalEntry = object([
    Member("sequence", .integer(from: 1)), Member("at", .moment),
    Member("payment_id", .uuid.orNull), Member("webhook_id", .uuid.orNull),
    Member("channel", .words(Channel.allCases.map(\.rawValue))),
    Member("operator", .text().orNull),
    Member("trust", .words(TrustClass.allCases.map(\.rawValue))),
    Member("event", .text()), Member("change", .text().orNull), Member("note", .text().orNull),
  ])

  static let webhookMembers = [
    Member("webhook_id", .uuid), Member("provider", .text()), Member("account", .text()),
    Member("received_at", .moment), Member("state", .words(APISchemas.webhookStates)),
    Member("detail", .text().orNull), Member("provider_payment_id", .text().orNull),
    Member("payment_id", .text().orNull), Member("event_id", .text().orNull),
    Member("topic", .text().orNull), Member("signed", .boolean),
    Member("matched_secret", .integer(from: 0).orNull), Member("proof", .boolean),
    Member("deliveries", .integer(from: 0)), Member("tries", .integer(from: 0)),
    Member("next_try_at", .moment.orNull), Member("body_sha256", .text()),
    Member("body_erased_at", .moment.orNull),
  ]

  static let webhookDetail = object(
    webhookMembers + [
      Member("journal", .array(of: .named("JournalEntry"))),
      Member("headers", .text().orNull, isRequired: false),
      Member("body", .text().orNull, isRequired: false),
      Member("body_base64", .text().orNull, isRequired: false),
    ])

  static let webhookReplay = object([
    Member("webhook", .named("Webhook")), Member("check", .text()),
    Member("payment_id", .uuid.orNull), Member("changes", .array(of: .named("JournalEntry"))),
  ])

  static let messageMembers = [
    Member("message_id", .uuid), Member("order_id", .uuid),
    Member("sequence", .integer(from: 1)), Member("kind", .text()),
    Member("payment_id", .uuid.orNull), Member("amount", .amount), Member("currency", .currency),
    Member("created_at", .moment), Member("state", .words(APISchemas.messageStates)),
    Member("tries", .integer(from: 0)), Member("next_try_at", .moment.orNull),
    Member("delivered_at", .moment.orNull),
  ]

  static let messageDetail = object(
    messageMembers + [
      Member("waits_for", .uuid.orNull), Member("messages", .array(of: .named("Message"))),
    ])
}
