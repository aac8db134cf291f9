import HTTPExchange
import StrictJSON

extension ConformanceCheck {
  private static let repeats: [DocumentRule] = [
    .tabby("Checklist, “dedupe by payment_id … delivered more than once”"),
    .futa("What your app hears, the webhook is one of two proofs of the same payment"),
    .rais("The server side of the app, webhook and retrieval both update the order"),
    .tebexWebhooks("A delivery that was not acknowledged is sent again; dedupe by id"),
    .sebCallbacks("A delivery that was not acknowledged is sent again"),
  ]

  /// What the number and order of deliveries must not change.
  static let orderOfWebhooks: [ConformanceCheck] = [
    ConformanceCheck(
      "webhook-twice", "A webhook that comes three times sends the goods once",
      loss: "You ship twice what was paid once.", repeats
    ) { bench in
      let (payment, webhook) = try await bench.paidAndHeld()
      for _ in 0..<3 { await bench.deliver(webhook) }
      return try await bench.goodsOnce(payment)
    },
    ConformanceCheck(
      "webhook-at-once", "Five copies at the same moment send the goods once",
      loss: "You ship twice what was paid once, on busy days.", repeats
    ) { bench in
      let (payment, webhook) = try await bench.paidAndHeld()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<5 { group.addTask { await bench.deliver(webhook) } }
      }
      return try await bench.goodsOnce(payment)
    },
    ConformanceCheck(
      "webhook-early", "A webhook that overtakes the create's answer is not lost",
      loss: "The fastest payers pay and get nothing.",
      [
        .tabby("Checklist, a webhook and your own calls can come in any order"),
        .futa("What your app hears, the signed webhook"),
        .rais("The server side of the app, attachPayment comes after the create"),
        .tebexWebhooks("Sent when the payment is complete, whoever has been told yet"),
        .sebCallbacks("Sent when the status changes, whoever has been told yet"),
      ]
    ) { try await $0.early() },
    ConformanceCheck(
      "webhook-reordered", "News in the wrong order ends at what is true now",
      loss: "A paid order falls back to “processing” and is never sent.",
      [
        .tabby("Checklist, “a webhook can be delayed”"),
        .futa("What your app hears, what is final stays final"),
        .sebCallbacks("Repeated for days: an old one may come after a new one"),
      ]
    ) { try await $0.reordered() },
    ConformanceCheck(
      "webhook-never", "Without any webhook the app's question finds the money",
      loss: "One lost delivery is one buyer who paid and gets nothing.",
      [
        .tabby("Confirm the status from Tabby, “Poll getPayment (default)”"),
        .futa("What your app hears, “or GET /v1/payments/{id}”"),
        .rais("The server side of the app, “If the order is still pending, retrieve the payment”"),
        .tebex("The checkout flow, step 4, “re-fetches the basket”"),
        .seb("Configure, the backend is asked “once the shopper is done”"),
      ]
    ) { bench in
      let payment = try await bench.openHeld()
      try await bench.pay(payment)
      return "it said “\(try await bench.until(payment, .paid).words)”"
    },
    ConformanceCheck(
      "webhook-after-refund", "An old “paid” after the refund pays nothing again",
      loss: "Goods go out whose money has gone back.",
      [
        .tabby("Checklist, “a webhook can be delayed”"),
        .futa("What your app hears, the webhook is news of a payment, not an order"),
        .tebexWebhooks("payment.refunded follows payment.completed; either may be late"),
        .sebCallbacks("Repeated for days: an old one may come after a new one"),
      ]
    ) { bench in
      let (payment, webhook) = try await bench.paidAndHeld()
      await bench.deliver(webhook)
      try await bench.until(payment, .paid)
      _ = try await bench.goodsOnce(payment)
      let before = await bench.relay.deliveries(naming: payment.names).count
      try await bench.refund(payment)
      let news = try await bench.deliveries(payment, count: before + 1)
      await bench.deliver(news[before])
      try await bench.until(payment, .refunded)
      await bench.deliver(webhook)
      let said = try await bench.never(payment, [.paid, .authorized], sendsGoods: true)
      let count = await bench.relay.fulfilments(of: payment.order)
      guard count == 1 else { throw CheckEnd.failed("goods went out \(count) times") }
      return "it still said “\(said.words)”"
    },
  ]
}

extension CheckBench {
  /// Pays a payment whose create has not been answered yet, and hands its webhook over.
  fileprivate func early() async throws -> String {
    let key = newKey()
    let known = Set(try await sandbox.payments(of: provider).compactMap { $0["id"]?.text })
    try await spoilNextCreate("slow")
    async let creating = backend.create(account, key: key)
    let start = uptime
    var entry: JSONValue?
    while entry == nil {
      entry = try await sandbox.payments(of: provider).last {
        !known.contains($0["id"]?.text ?? "") && $0["amount"]?.text == account.amount
      }
      guard uptime - start < ConformanceLimits.learnTime else {
        throw CheckEnd.notRun("the backend asked the provider for nothing")
      }
      if entry == nil { try await pause(ConformanceLimits.pollTime / 4) }
    }
    guard let id = entry?["id"]?.text, let page = entry?["web_url"]?.text else {
      throw CheckEnd.notRun("the ledger does not show the payment")
    }
    try await pay(entry: id, page)
    var created = try await creating
    while created.payment == nil || created.order == nil {
      guard uptime - start < ConformanceLimits.learnTime else {
        throw CheckEnd.failed("the create was answered \(created.status)")
      }
      try await pause(ConformanceLimits.pollTime)
      created = try await backend.create(account, key: key)
    }
    let payment = Payment(
      key: key, payment: created.payment ?? "", order: created.order ?? "", page: page, entry: id,
      names: [id])
    await opened.add(payment)
    try await until(payment, .paid)
    return try await goodsOnce(payment)
  }

  /// Two pieces of news, the newer one first.
  fileprivate func reordered() async throws -> String {
    let payment = try await openHeld()
    switch provider {
    case .futa: try await sandbox.setStatus(payment.entry, "processing")
    case .seb: try await sandbox.setStatus(payment.entry, "SENT_FOR_PROCESSING")
    case .tabby, .rais, .tebex: break
    }
    try await pay(payment)
    // Tabby sends a second one once the money was taken.
    if provider == .tabby { try await captureAtTabby(payment) }
    for webhook in try await deliveries(payment, count: 2).reversed() {
      await deliver(webhook)
      try await pause(ConformanceLimits.pollTime)
    }
    try await until(payment, .paid)
    return "it said “\(try await never(payment, [.failed, .waiting], sendsGoods: true).words)”"
  }
}
