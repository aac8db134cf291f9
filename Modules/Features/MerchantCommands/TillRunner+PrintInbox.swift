import StrictJSON

extension TillRunner {
  func printWebhooks(_ json: JSONValue) {
    let webhooks = json["webhooks"]?.elements ?? []
    guard !webhooks.isEmpty else {
      terminal.line("no webhooks")
      return
    }
    let heading = ["WEBHOOK", "RECEIVED", "PROVIDER", "NAMES", "STATE"]
    let rows = webhooks.map { webhook in
      [
        text(webhook, "webhook_id"), text(webhook, "received_at"), text(webhook, "provider"),
        named(webhook), stateText(webhook),
      ]
    }
    terminal.table(rows, heading: heading)
    if let next = json["next_before"]?.text {
      terminal.line("more: \(program) webhook list --before \(printable(next))")
    }
  }

  func printWebhook(_ json: JSONValue, withBody: Bool) {
    var rows = [
      ["webhook", text(json, "webhook_id")], ["state", stateText(json)],
      ["from", "\(text(json, "provider"))  \(text(json, "account"))"],
      ["received", text(json, "received_at")], ["names", named(json)], ["checked", check(json)],
      [
        "deliveries",
        "\(json["deliveries"]?.numberText ?? "?"), tries \(json["tries"]?.numberText ?? "?")",
      ],
    ]
    if let event = json["event_id"]?.text {
      rows.append(["event", "\(printable(event))  \(text(json, "topic"))"])
    }
    if let next = json["next_try_at"]?.text { rows.append(["next try", printable(next)]) }
    let erased = json["body_erased_at"]?.text.map { ", erased \($0)" } ?? ""
    rows.append(["sha256", text(json, "body_sha256") + printable(erased)])
    terminal.table(rows)
    if json["journal"]?.elements?.isEmpty == false { printJournal(json["journal"]?.elements ?? []) }
    guard withBody else { return }
    terminal.line("")
    for line in (json["headers"]?.text ?? "").split(separator: "\n") {
      terminal.line(printable(String(line)))
    }
    terminal.line("")
    terminal.line(printable(json["body"]?.text ?? json["body_base64"]?.text ?? ""))
  }

  func printReplay(_ json: JSONValue) {
    let webhook = json["webhook"] ?? .null
    let changes = json["changes"]?.elements ?? []
    var rows = [
      ["webhook", text(webhook, "webhook_id")], ["state", stateText(webhook)],
      ["checked", text(json, "check")], ["payment", text(json, "payment_id")],
    ]
    rows += changes.map { ["changed", printable("\($0["event"]?.text ?? "?"): \(change($0))")] }
    if changes.isEmpty { rows.append(["changed", "nothing"]) }
    terminal.table(rows)
  }

  private func change(_ entry: JSONValue) -> String { entry["change"]?.text ?? "-" }

  private func stateText(_ json: JSONValue) -> String {
    terminal.state(text(json, "state"))
      + (json["detail"]?.text.map { "  (\(printable($0)))" } ?? "")
  }

  private func named(_ json: JSONValue) -> String {
    [json["payment_id"]?.text, json["provider_payment_id"]?.text].compactMap(\.self).first
      .map(printable) ?? "-"
  }

  private func check(_ json: JSONValue) -> String {
    guard json["signed"]?.boolean == true else { return "nobody signs it" }
    let secret = json["matched_secret"]?.numberText.map { "fits secret \($0)" } ?? "fitted"
    return secret + (json["proof"]?.boolean == true ? ", may be proof" : ", causes a read")
  }
}
