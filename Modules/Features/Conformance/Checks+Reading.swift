import HTTPExchange
import StrictJSON

extension ConformanceCheck {
  /// What the backend makes of the provider's answers.
  static let reading: [ConformanceCheck] = [
    broken("provider-html", "An HTML page of a proxy is not an answer", "html_502"),
    broken("provider-5xx", "An error of the provider is not a refusal", "server_error"),
    broken("provider-429", "Being asked to slow down is not a refusal", "too_many_requests"),
    broken("provider-cut", "An answer that breaks off says nothing", "truncated"),
    ConformanceCheck(
      "processing-waits", "A payment that is being processed is neither paid nor failed",
      loss: "You send goods for a bank order that fails, or drop one that is paid tomorrow.",
      [
        .futa("What your app hears, a state counts when it is final"),
        .seb("Custom schemes, the status is looked up afterwards; Pay by Bank takes its time"),
      ]
    ) { bench in
      let payment = try await bench.open()
      let heard = try await bench.heard(payment)
      try await bench.sandbox.setStatus(
        payment.entry, bench.provider == .seb ? "SENT_FOR_PROCESSING" : "processing")
      return "it said “\(try await bench.never(payment, [.paid, .failed], since: heard).words)”"
    },
    ConformanceCheck(
      "failed-try", "A try that was refused is not the end of the payment",
      loss: "The buyer takes another card and pays an order that you gave up.",
      [
        .rais("Handle every ending, “the attempt did not go through … may still be pending”"),
        .futa("What your app hears, a state counts when it is final"),
        .tebex("Confirming completion, the basket stays open until it is complete"),
        .seb("The page runs every method; a try is not the payment"),
      ]
    ) { bench in
      let payment = try await bench.open()
      let heard = try await bench.heard(payment)
      try await bench.tryInVain(payment)
      _ = try await bench.never(payment, [.failed, .paid], since: heard)
      try await bench.pay(payment)
      return "refused, then paid, it said “\(try await bench.until(payment, .paid).words)”"
    },
    ConformanceCheck(
      "refusal-shown", "What the provider refused for good is shown as failed",
      loss: "The buyer waits for ever for a payment that will never come.",
      [
        .tabby("Handling the payment status, terminal: AUTHORIZED, CLOSED, REJECTED, EXPIRED"),
        .futa("What your app hears, final"),
        .rais("Handle every ending, “create a new payment when it is no longer pending”"),
        .seb("Handling the result, failed"),
      ]
    ) { bench in
      let payment = try await bench.open()
      _ = try await bench.never(payment, [.failed])
      try await bench.refuse(payment)
      return "it said “\(try await bench.until(payment, .failed).words)”"
    },
    ConformanceCheck(
      "held-is-not-taken", "Money that is only held is not shown as taken",
      loss: "You book income that lapses, and the capture that is owed is forgotten.",
      [.advice(.tabby, "AUTHORIZED and CLOSED are two statuses, and what is held can lapse")]
    ) { bench in
      let payment = try await bench.open()
      try await bench.sandbox.setFaults(
        payment.entry, faults([("capture", "server_error", 1_000)]))
      let heard = try await bench.heard(payment)
      try await bench.approve(entry: payment.entry, payment.page)
      _ = try await bench.never(payment, [.paid, .failed], since: heard)
      let captured = try await bench.ledger(payment)["captured"]?.text ?? ""
      try await bench.sandbox.setFaults(payment.entry, faults([]))
      return "while \(captured) was captured it did not say paid"
    },
    wrongMoney(
      "wrong-amount", "A payment of another amount pays no order",
      ["read_amount": "1", "read_price": "1.00"],
      [
        .rais("Checklist, “The amount is computed on your server”"),
        .tabby("Handling the payment status, the payment is retrieved before you decide"),
        .futa("What your app hears, “confirm the payment on your server”"),
        .tebexWebhooks("Checkout webhooks: check what was bought against your order"),
        .seb("Configure, your own backend owns payment state"),
      ]),
    wrongMoney(
      "wrong-currency", "A payment in another currency pays no order", ["read_currency": "USD"],
      [
        .tabby("Handling the payment status, the payment is retrieved before you decide"),
        .futa("What your app hears, “confirm the payment on your server”"),
      ]),
  ]

  private static func broken(_ id: String, _ title: String, _ kind: String) -> ConformanceCheck {
    ConformanceCheck(
      id, title, loss: "An outage of minutes fails orders whose buyers have paid.",
      [
        .tabby("Handling the payment status, “Never finalize on a non-terminal status”"),
        .futa("What your app hears, only what is final is an end"),
        .rais("The server side of the app, “If the order is still pending, retrieve the payment”"),
        .tebex("Confirming completion, read the complete flag"),
        .seb("Present, unresolved: confirm with the backend"),
      ]
    ) { bench in
      let payment = try await bench.open()
      try await bench.sandbox.setFaults(payment.entry, faults([("read", kind, 1_000)]))
      let heard = try await bench.heard(payment)
      _ = try await bench.never(payment, [.paid, .failed], since: heard)
      try await bench.sandbox.setFaults(payment.entry, faults([]))
      try await bench.pay(payment)
      return "meanwhile it waited; then it said “\(try await bench.until(payment, .paid).words)”"
    }
  }

  private static func wrongMoney(
    _ id: String, _ title: String, _ members: KeyValuePairs<String, String>,
    _ rules: [DocumentRule]
  ) -> ConformanceCheck {
    ConformanceCheck(
      id, title, loss: "A payment of one unit buys anything.", rules
    ) { bench in
      // The fault is one of reads, so a webhook would tell the right amount.
      let payment = try await bench.openHeld()
      let wanted = bench.provider == .tebex ? "read_price" : "read_amount"
      let chosen = members.filter { members.count == 1 || $0.key == wanted }
      try await bench.sandbox.setFaults(
        payment.entry,
        .object(chosen.map { JSONMember(name: $0.key, value: .string($0.value)) }))
      let heard = try await bench.heard(payment)
      try await bench.pay(payment)
      await bench.opened.leaveOut(payment)
      let said = try await bench.never(payment, [.paid], since: heard)
      let counts = bench.adapter.fulfilment != nil
      return "it said “\(said.words)”" + (counts ? ", and no goods went out" : "")
    }
  }
}

/// Faults of the answers to some calls; none end those that there were.
func faults(_ answers: [(call: String, kind: String, times: Int)]) -> JSONValue {
  .object([
    "answers": .array(
      answers.map {
        .object([
          "call": .string($0.call), "kind": .string($0.kind), "times": .integer($0.times),
        ])
      })
  ])
}
