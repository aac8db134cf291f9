import HTTPExchange
import PaymentModels
import StrictJSON

extension ConformanceCheck {
  /// Goods, refunds and cancels.
  static let endings: [ConformanceCheck] = [
    ConformanceCheck(
      "goods-once", "Goods go out once, and not before the money is there",
      loss: "You ship what nobody paid, or the same thing twice.",
      [
        .tabby("Checklist, “a webhook, a push, and your polling can all fire”"),
        .futa("What your app hears, confirm the payment on your server"),
        .rais("The flow, step 5, the server knows the answer"),
        .tebex("Confirming completion, the complete flag"),
        .seb("“Reaching the return URL does not mean the payment succeeded”"),
      ]
    ) { bench in
      let payment = try await bench.open()
      _ = try await bench.staysUnpaid(payment)
      try await bench.pay(payment)
      try await bench.until(payment, .paid)
      for _ in 0..<3 { _ = try await bench.said(payment) }
      return try await bench.goodsOnce(payment)
    },
    ConformanceCheck(
      "partial-refund", "A refund of a part that was made at the provider is shown",
      loss: "Support tells the buyer that nothing was given back, and gives it back again.",
      [.tabby("Checklist, let your backend reconcile what the provider says")]
    ) { bench in
      guard let pointer = bench.adapter.places.refunded else {
        throw CheckEnd.notRun("the adapter has no answers.refunded")
      }
      let payment = try await bench.openPaid()
      try await bench.refund(payment, amount: "10.00")
      let said = try await bench.until(payment, .paid) {
        sameAmount($0.json.text(pointer: pointer) ?? "", "10.00")
      }
      return "it said \(said.json.text(pointer: pointer) ?? "") of \(bench.account.amount)"
    },
    ConformanceCheck(
      "refund-shown", "A refund that was made at the provider is shown",
      loss: "You go on with an order whose money has gone back.",
      [
        .tabby("Checklist, let your backend reconcile what the provider says"),
        .futa("What your app hears, the signed webhook"), .tebexWebhooks("payment.refunded"),
        .sebCallbacks("REFUNDED"),
      ]
    ) { bench in
      let payment = try await bench.openPaid()
      try await bench.refund(payment)
      return "it said “\(try await bench.until(payment, .refunded).words)”"
    },
    ConformanceCheck(
      "cancel-needs-proof", "A cancelled order is not called cancelled while it can be paid",
      loss: "The buyer pays a page that is still open, for an order that is gone.",
      [
        .tabby("Checklist, “always confirm with getPayment first”"),
        .rais("Handle every ending, “The payment may still be pending”"),
        .futa("What your app hears, what is not final may still be paid"),
      ]
    ) { bench in
      let payment = try await bench.open()
      try await bench.cancel(payment)
      let said = try await bench.said(payment)
      let entry = try await bench.ledger(payment)["status"]?.text ?? ""
      let isOpen = ["CREATED", "created", "pending"].contains(entry)
      guard said.standing != .failed || !isOpen else {
        throw CheckEnd.failed("it says “\(said.words)”, and the provider says \(entry)")
      }
      return "it said “\(said.words)”, and the provider \(entry)"
    },
    ConformanceCheck(
      "cancel-then-paid", "Money that comes after a cancel is not hidden",
      loss: "You keep money for an order that you cancelled, and nobody knows.",
      [
        .tabby("Checklist, “let your backend reconcile the late webhook”"),
        .rais("Handle every ending, “let them try again by reopening the same checkout_url”"),
        .tebex("Confirming completion, the basket stays open"),
        .seb("Handling the result, unresolved"),
      ]
    ) { bench in
      let payment = try await bench.open()
      try await bench.cancel(payment)
      try await bench.pay(payment)
      await bench.opened.leaveOut(payment)
      return try await bench.hidesNoMoney(payment)
    },
    ConformanceCheck(
      "retry-after-refusal", "After a refusal the same order gets a new payment",
      loss: "A buyer whose card was refused cannot buy.",
      [
        .rais("Handle every ending, “create a new payment when it is no longer pending”"),
        .futa("Create the payment for an app, the key binds its terms"),
      ]
    ) { bench in
      guard let retry = bench.adapter.retry else {
        throw CheckEnd.notRun("the adapter has no call retry")
      }
      let first = try await bench.open()
      try await bench.refuse(first)
      try await bench.until(first, .failed)
      let key = bench.newKey()
      let values = first.values.merging(
        ["key": key, "provider": bench.provider.rawValue, "product": bench.account.product]
      ) { $1 }
      let created = await bench.backend.created(try await bench.backend.send(retry, values))
      guard (200..<300).contains(created.status) else {
        throw CheckEnd.failed("another try at the order was answered \(created.status)")
      }
      let second = try await bench.payment(created, key: key)
      guard second.order == first.order, second.entry != first.entry else {
        throw CheckEnd.failed("the second try is the first payment or another order")
      }
      // What the backend says of its order is said of both.
      await bench.opened.leaveOut(first)
      try await bench.pay(second)
      return "the second try was paid: “\(try await bench.until(second, .paid).words)”"
    },
    ConformanceCheck(
      "seb-lookup", "SEB's app SDK finds the payment where it asks for it",
      loss: "SEB's app SDK cannot tell any buyer how the payment ended.",
      [.seb("Configure, “appends /checkout/api/egw/v1/payments/{paymentId}”")]
    ) { bench in
      guard let lookup = bench.adapter.lookup else {
        throw CheckEnd.notRun("the adapter has no call lookup")
      }
      let payment = try await bench.open()
      let response = try await bench.backend.send(lookup, payment.values)
      guard response.status == 200 else { throw CheckEnd.failed("answered \(response.status)") }
      return "answered 200"
    },
  ]

  /// What is judged of everything that happened before.
  static let closing: [ConformanceCheck] = [
    ConformanceCheck(
      "no-secret-told", "No answer to an app holds a key of the provider's",
      loss: "Whoever opens your app gives himself refunds from your account.",
      [
        .tabby("Confirm the status from Tabby, the secret key: “never from the app”"),
        .futa("Create the payment for an app, “the app never holds your secret key”"),
        .rais("Checklist, “No Raïs key, and no key-like string, anywhere in the app”"),
        .tebexWebhooks("The secret of the endpoint stays on the server"),
      ]
    ) { bench in
      let secrets = bench.account.secrets
      guard !secrets.isEmpty else { throw CheckEnd.notRun("the adapter names no secret") }
      for secret in secrets where await bench.backend.hasTold(secret.reveal()) {
        throw CheckEnd.failed("an answer to an app held one")
      }
      return "none of \(secrets.count) was in any answer"
    },
    ConformanceCheck(
      "books-agree", "Backend and provider agree about every payment of this run",
      loss: "Money is in one book and not in the other.",
      [
        .tabby("“the status lives on Tabby’s backend”"),
        .futa("What your app hears, confirm the payment on your server"),
        .rais("Checklist, “the order is confirmed by your server”"),
        .tebex("Confirming completion, the complete flag"),
        .seb("Configure, the backend owns payment state"),
      ]
    ) { try await $0.compareBooks() },
  ]
}

extension CheckBench {
  fileprivate func cancel(_ payment: Payment) async throws {
    guard let cancel = adapter.cancel else {
      throw CheckEnd.notRun("the adapter has no call cancel")
    }
    let response = try await backend.send(cancel, payment.values)
    guard response.status < 500 else {
      throw CheckEnd.failed("a cancel was answered \(response.status)")
    }
  }

  /// Paid if and only if the provider has the money, and has not given all of it back.
  fileprivate func compareBooks() async throws -> String {
    var wrong: [String] = []
    let payments = await opened.all
    guard !payments.isEmpty else { throw CheckEnd.notRun("no payment was opened in this run") }
    for payment in payments {
      if let difference = try await difference(payment) { wrong.append(difference) }
    }
    guard let first = wrong.first else { return "they agreed about all \(payments.count)" }
    throw CheckEnd.failed("of \(payments.count), \(wrong.count) differ: \(first)")
  }

  private func difference(_ payment: Payment) async throws -> String? {
    let entry = try await ledger(payment)
    let (captured, refunded) = (entry["captured"]?.text ?? "0", entry["refunded"]?.text ?? "0")
    let standing = try await said(payment).standing
    let isGivenBack = !isZero(refunded) && sameAmount(captured, refunded)
    switch standing {
    case .paid where isZero(captured): return "paid without money"
    case .paid where isGivenBack: return "paid, and the money was given back"
    case .failed, .waiting:
      return isZero(captured) || isGivenBack ? nil : "money that it does not show"
    case .paid, .authorized, .refunded: return nil
    }
  }
}

/// Whether a decimal amount is nothing.
private func isZero(_ decimal: String) -> Bool {
  decimal.utf8.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
}

/// Whether two decimal amounts are the same, however many zeros they end with.
private func sameAmount(_ one: String, _ other: String) -> Bool {
  func short(_ text: String) -> Substring {
    guard text.contains(".") else { return text[...] }
    var text = text[...]
    while text.last == "0" { text = text.dropLast() }
    return text.last == "." ? text.dropLast() : text
  }
  return short(one) == short(other)
}

extension CheckBench {
  /// Watches for a while that the backend does not say that a payment has come to nothing while the
  /// provider has its money. The ledger is read after the words: whoever lets money go first, and
  /// says so then, is right.
  fileprivate func hidesNoMoney(_ payment: Payment) async throws -> String {
    let end = uptime + ConformanceLimits.settleTime * 2
    while true {
      let said = try await said(payment)
      let entry = try await ledger(payment)
      let isTaken = entry["captured"]?.text.map { !isZero($0) } ?? false
      let isKept =
        (isTaken || entry["status"]?.text == "AUTHORIZED")
        && entry["refunded"]?.text.map(isZero) ?? true
      if isKept, said.standing == .failed { throw CheckEnd.failed("it says “\(said.words)”") }
      guard uptime < end else {
        return "the provider has \(isKept ? "the" : "no") money, and it said “\(said.words)”"
      }
      try await pause(ConformanceLimits.pollTime)
    }
  }
}
