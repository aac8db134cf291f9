import PaymentModels
import ProviderInterface
import StrictJSON

extension EndpointRunner {
  func lines(_ json: JSONValue) -> [String] { [String(decoding: json.serialized(), as: UTF8.self)] }

  func listLines(
    _ webhooks: [RegisteredWebhook], _ account: any WebhookRegistering
  ) -> [String] {
    let heading = ["WEBHOOK", "PAYMENTS", "HEADER", "URL"]
    let rows = webhooks.map { webhook in
      [
        printable(webhook.id), (webhook.mode ?? account.mode).rawValue, header(webhook),
        printable(webhook.url),
      ]
    }
    let count = "\(webhooks.count) of \(account.webhooksMax) webhooks, \(scope(account))"
    return (rows.isEmpty ? [] : fitted(rows, heading: heading)) + [count]
  }

  private func fitted(_ rows: [[String]], heading: [String] = []) -> [String] {
    TextTable(heading: heading, rows: rows).lines(columnsMax: terminal.columnsMax)
  }

  func changeLines(
    _ webhook: RegisteredWebhook, _ change: WebhookChange, _ account: any WebhookRegistering
  ) -> [String] {
    fitted([
      ["webhook", printable(webhook.id)], ["change", change.rawValue],
      ["url", printable(webhook.url)],
      ["header", header(webhook)], ["note", scope(account)],
    ])
  }

  /// A webhook belongs to the key, which is easily forgotten on the day of going live.
  private func scope(_ account: any WebhookRegistering) -> String {
    let other: PaymentMode = account.mode == .test ? .live : .test
    return "for the \(account.mode.rawValue) key of account \(account.account) alone; "
      + "a \(other.rawValue) key needs its own registration"
  }

  /// The title alone: the value is a secret, of which only its fitting is told.
  private func header(_ webhook: RegisteredWebhook) -> String {
    let title = webhook.headerTitle.map(printable) ?? "-"
    return webhook.isCurrent ? title : "\(title) (not as the settings say)"
  }

  func listJSON(
    _ webhooks: [RegisteredWebhook], _ account: any WebhookRegistering
  ) -> [String] {
    lines(
      .object(
        head(account) + [
          JSONMember(name: "webhooks_max", value: .integer(Int64(account.webhooksMax))),
          JSONMember(name: "webhooks", value: .array(webhooks.map(json))),
        ]))
  }

  func changeJSON(
    _ webhook: RegisteredWebhook, _ change: WebhookChange, _ account: any WebhookRegistering
  ) -> [String] {
    lines(
      .object(
        head(account) + [
          JSONMember(name: "change", value: .string(change.rawValue)),
          JSONMember(name: "webhook", value: json(webhook)),
        ]))
  }

  private func head(_ account: any WebhookRegistering) -> [JSONMember] {
    [
      JSONMember(name: "provider", value: .string(account.name.rawValue)),
      JSONMember(name: "account", value: .string(account.account.rawValue)),
      JSONMember(name: "key_mode", value: .string(account.mode.rawValue)),
    ]
  }

  private func json(_ webhook: RegisteredWebhook) -> JSONValue {
    .object([
      "webhook_id": .string(webhook.id), "url": .string(webhook.url),
      "mode": webhook.mode.map { .string($0.rawValue) } ?? .null,
      "header_title": webhook.headerTitle.map { .string($0) } ?? .null,
      "is_current": .bool(webhook.isCurrent),
    ])
  }
}
