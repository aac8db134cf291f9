/// The forms of what the server shows of itself, its accounts and a buyer's erasure.
extension JSONSchema {
  static let lookup = object([
    Member("paymentId", .text()), Member("orderNumber", .uuid), Member("paymentStatus", .text()),
  ])

  static let providerAccount = object([
    Member("provider", .text()), Member("account", .text()), Member("paused", .boolean),
    Member("pause_of", .text().orNull), Member("paused_at", .moment.orNull),
    Member("paused_by", .text().orNull), Member("reason", .text().orNull),
  ])

  static let erasure = object([
    Member("subject", .text()), Member("orders", .integer(from: 1)),
    Member(
      "erased",
      .object(["webhook_bodies", "requests", "pages"].map { Member($0, .integer(from: 0)) })),
    Member("waiting", .integer(from: 0)), Member("gone_from_disk", .boolean),
    Member("kept", .array(of: .text())),
  ])

  static let health = object([
    Member("status", .words(["ok"])), Member("instance", .text(), isRequired: false),
  ])

  static let readiness = object([
    Member("status", .words(["ready"])),
    Member(
      "workers",
      .array(
        of: .object([Member("worker", .text()), Member("silent_ms", .integer(from: 0))]))),
    Member("disk_free_bytes", .integer(from: 0).orNull),
    Member("paused", .array(of: .text())),
  ])
}

extension Problem {
  /// The form of ``response``.
  static let schema = JSONSchema.object([
    JSONSchema.Member(
      "type", .text().described("Also the address of a page for people.")),
    JSONSchema.Member("title", .text()), JSONSchema.Member("status", .integer(from: 400, to: 599)),
    JSONSchema.Member("detail", .text().described("What happened and what to do next.")),
    JSONSchema.Member(
      "path", .text().described("The member of the body that is to blame."), isRequired: false),
  ])
}
