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
    ConformanceCheck(
      "webhook-hours-late", "A webhook that is hours late changes nothing that is known",
      loss: "An old delivery fails or repeats an order of this morning.",
      [
        .tabby("Checklist, “a webhook can be delayed”"),
        .futa("What your app hears, what is final stays final"),
        .rais("The server side of the app, webhook and retrieval both update the order"),
        .tebexWebhooks("A delivery that was not acknowledged is sent again"),
        .sebCallbacks("Repeated after hours and days"),
      ]
    ) { try await $0.hoursLate() },
  ]
}

extension CheckBench {
  /// Pays a payment whose create has not been answered yet, and hands its webhook over meanwhile.
  fileprivate func early() async throws -> String {
    let key = newKey()
    let known = Set(try await sandbox.payments(of: provider).compactMap { $0["id"]?.text })
    try await spoilNextCreate("slow")
    async let creating = timedCreate(key)
    let (entry, page) = try await newEntry(besides: known)
    let names = names(in: entry)
    await relay.hold(names)
    let id = entry["id"]?.text ?? ""
    try await pay(entry: id, page)
    let webhook = try await deliveries(naming: names)[0]
    let sentAt = uptime
    let answer = await deliver(webhook)
    let (first, createdAt) = try await creating
    var created = first
    guard sentAt < createdAt else {
      throw CheckEnd.notRun("the create was answered before the webhook could be handed over")
    }
    while created.payment == nil || created.order == nil {
      guard uptime - sentAt < ConformanceLimits.learnTime else {
        throw CheckEnd.failed("the create was answered \(created.status)")
      }
      try await pause(ConformanceLimits.pollTime)
      created = try await backend.create(account, key: key)
    }
    let payment = Payment(
      key: key, payment: created.payment ?? "", order: created.order ?? "", page: page, entry: id,
      names: names)
    await opened.add(payment)
    // Every provider sends again what was not taken; what was taken comes no second time.
    if answer.map({ !(200..<300).contains($0.status) }) ?? true { await deliver(webhook) }
    // No read before: it would find the money without the webhook.
    let goods = try await goodsOnce(payment)
    try await until(payment, .paid)
    return "answered \(word(answer)) before the create was; \(goods)"
  }

  private func timedCreate(_ key: String) async throws -> (BackendClient.Created, Duration) {
    let created = try await backend.create(account, key: key)
    return (created, uptime)
  }

  /// The payment that the backend is about to be told of, and its page.
  private func newEntry(besides known: Set<String>) async throws -> (JSONValue, page: String) {
    let start = uptime
    while true {
      let entry = try await sandbox.payments(of: provider).last {
        !known.contains($0["id"]?.text ?? "") && $0["amount"]?.text == account.amount
      }
      if let entry, let page = entry["web_url"]?.text { return (entry, page) }
      guard uptime - start < ConformanceLimits.learnTime else {
        throw CheckEnd.notRun("the backend asked the provider for nothing")
      }
      try await pause(ConformanceLimits.pollTime / 4)
    }
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
    if provider == .tabby { try await captureAtTabby(payment.entry) }
    let news = try await deliveries(payment, count: 2)
    await deliver(news[1])
    try await until(payment, .paid)
    await deliver(news[0])
    return "it said “\(try await never(payment, [.failed, .waiting], sendsGoods: true).words)”"
  }

  /// A first delivery that comes when the backend has long asked for itself. Its stamp is hours
  /// old where the provider stamps what it sends; that of the others tells no time.
  fileprivate func hoursLate() async throws -> String {
    let payment = try await openHeld()
    let isStamped = [.futa, .rais].contains(provider)
    if isStamped { try await stampWebhooks(ageMs: ConformanceLimits.lateMs) }
    try await pay(payment)
    let webhook = try await deliveries(payment)[0]
    if isStamped { try await stampWebhooks(ageMs: 0) }
    do {
      try await until(payment, .paid)
    } catch CheckEnd.failed(_) {
      throw CheckEnd.notRun("the backend did not ask, so it knew nothing that could be changed")
    }
    let answer = await deliver(webhook)
    _ = try await never(payment, [.failed, .waiting, .refunded], sendsGoods: true)
    let age = isStamped ? "stamped three hours ago" : "it carries no time"
    return "\(age), answered \(word(answer)), and \(try await goodsOnce(payment))"
  }

  /// Has the provider stamp its webhooks as if they had been on the way for so long.
  private func stampWebhooks(ageMs: Int64) async throws {
    try await sandbox.change(provider, .object(["webhook_age_ms": .integer(ageMs)]))
  }
}
