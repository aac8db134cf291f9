import MerchantAPI
import PaymentModels
import StrictJSON

extension TillRunner {
  func perform(_ request: OutboxRequest, _ asJSON: Bool) async throws(CommandFailure) {
    switch request {
    case .list(let state, let limit, let before):
      var query = "?limit=\(limit)"
      if let state { query += "&state=\(state)" }
      if let before { query += "&before=\(before)" }
      let json = try await read(.operator(.messages), query: query)
      if asJSON { printJSON(json) } else { printMessages(json) }
    case .show(let id):
      let json = try await read(.operator(.message(MessageID(id))))
      if asJSON { printJSON(json) } else { printMessage(json) }
    case .redeliver(let id, let reason):
      let json = try await post(
        .operator(.redeliver(MessageID(id))), body: ReasonBody(reason: reason).json, key: nil)
      if asJSON { printJSON(json) } else { printMessage(json) }
    }
  }

  private func printMessages(_ json: JSONValue) {
    let messages = json["messages"]?.elements ?? []
    guard !messages.isEmpty else {
      terminal.line("no messages")
      return
    }
    let heading = ["MESSAGE", "ORDER", "NUMBER", "KIND", "STATE"]
    let rows = messages.map { message in
      [
        text(message, "message_id"), text(message, "order_id"),
        message["sequence"]?.numberText ?? "?", text(message, "kind"), state(message),
      ]
    }
    terminal.table(rows, heading: heading)
    if let next = json["next_before"]?.text {
      terminal.line("more: \(program) outbox list --before \(printable(next))")
    }
  }

  private func printMessage(_ json: JSONValue) {
    var rows = [
      ["message", text(json, "message_id")], ["state", state(json)],
      ["order", "\(text(json, "order_id"))  number \(json["sequence"]?.numberText ?? "?")"],
      ["kind", text(json, "kind")],
      ["amount", "\(text(json, "amount")) \(text(json, "currency"))"],
      ["created", text(json, "created_at")],
    ]
    if let next = json["next_try_at"]?.text { rows.append(["next try", printable(next)]) }
    if let time = json["delivered_at"]?.text { rows.append(["delivered", printable(time)]) }
    if let ahead = json["waits_for"]?.text { rows.append(["waits for", printable(ahead)]) }
    terminal.table(rows)
    if (json["messages"]?.elements?.count ?? 0) > 1 { printMessages(json) }
  }

  private func state(_ json: JSONValue) -> String {
    let tries = json["tries"]?.numberText ?? "0"
    return terminal.state(text(json, "state"))
      + (tries == "0" ? "" : "  (\(tries) \(tries == "1" ? "try" : "tries"))")
  }
}
