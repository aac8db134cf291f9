import StrictJSON

extension TillRunner {
  func printPayment(_ json: JSONValue) {
    let fresh = json["fresh"]?.boolean == true ? "" : "  (not fresh: the provider was not read)"
    var rows = [
      ["payment", text(json, "payment_id")],
      ["state", terminal.state(text(json, "state")) + fresh],
      ["order", "\(text(json, "order_id"))  \(terminal.state(text(json, "order_state")))"],
      ["provider", "\(text(json, "provider"))  \(text(json, "provider_payment_id"))"],
      ["amount", "\(text(json, "amount")) \(text(json, "currency"))"],
      ["captured", "\(text(json, "captured")), refunded \(text(json, "refunded"))"],
      ["attempt", json["attempt"]?.numberText ?? "?"],
    ]
    if let reason = json["rejection_reason"]?.text { rows.append(["reason", printable(reason)]) }
    terminal.table(rows)
  }

  /// What to do after a checkout was created: commands and addresses to paste.
  func printNextSteps(_ json: JSONValue) {
    terminal.line("")
    if let url = json["checkout_url"]?.text { terminal.line("open     \(printable(url))") }
    if text(json, "state") != "rejected" {
      terminal.line("watch    \(program) payment watch \(text(json, "payment_id"))")
    }
    let page = PageToOpen.payment(text(json, "payment_id")).url(server: connection.server)
    terminal.line("see      \(page)")
    terminal.line("explain  \(program) order explain \(text(json, "order_id"))")
  }

  func printOperation(_ operation: TillAction.Operation, _ json: JSONValue) {
    var cells = [operation.rawValue, terminal.state(text(json, "state"))]
    // A close releases what is held; it has no amount of its own.
    if operation != .close { cells.append("\(text(json, "amount")) \(text(json, "currency"))") }
    terminal.line(cells.joined(separator: "  "))
  }

  func printOrder(_ json: JSONValue) {
    let money = text(json, "currency")
    let state = text(json, "state")
    let isEnding = json["cancel_requested"]?.boolean == true && state != "cancelled"
    terminal.table([
      ["order", text(json, "order_id")],
      ["state", terminal.state(state) + (isEnding ? "  (a cancel was asked for)" : "")],
      ["total", "\(text(json, "total")) \(money)\(due(json))"],
      ["captured", "\(text(json, "captured")), refunded \(text(json, "refunded"))"],
      ["fulfilled", json["fulfilled"]?.boolean == true ? "yes" : "no"],
    ])
    printPayments(json)
    for review in json["reviews"]?.elements ?? [] {
      let number = review["review"]?.numberText ?? "?"
      terminal.line("case \(number)  \(text(review, "kind"))  \(text(review, "detail"))")
    }
  }

  /// What is due, where the merchant was content with less than the total.
  private func due(_ json: JSONValue) -> String {
    guard let due = json["due"]?.text, due != json["total"]?.text else { return "" }
    return ", due \(printable(due))"
  }

  func printPayments(_ json: JSONValue) {
    let payments = json["payments"]?.elements ?? []
    guard !payments.isEmpty else {
      terminal.line("no payments")
      return
    }
    let heading = ["PAYMENT", "PROVIDER", "ATTEMPT", "AMOUNT", "ORDER", "STATE"]
    let rows = payments.map { payment in
      [
        text(payment, "payment_id"), text(payment, "provider"),
        payment["attempt"]?.numberText ?? "?",
        "\(text(payment, "amount")) \(text(payment, "currency"))", text(payment, "order_state"),
        terminal.state(text(payment, "state")),
      ]
    }
    terminal.table(rows, heading: heading)
    if let next = json["next_before"]?.text {
      terminal.line("more: \(program) payment list --before \(printable(next))")
    }
  }

  func printJournal(_ entries: [JSONValue]) {
    let rows = entries.map { entry in
      [
        text(entry, "at"),
        [text(entry, "channel"), entry["operator"]?.text.map(printable)].compactMap(\.self)
          .joined(separator: " "), text(entry, "trust"), text(entry, "event"),
        printable(
          [entry["change"]?.text, entry["note"]?.text].compactMap(\.self).joined(separator: " · ")),
      ]
    }
    terminal.table(rows, heading: ["WHEN", "FROM", "TRUST", "WHAT", "CHANGED"])
  }

  func text(_ json: JSONValue, _ name: String) -> String {
    printable(json[name]?.text ?? "-")
  }
}
