import HTTPExchange
import StrictJSON

extension ConformanceCheck {
  /// What a way back from the page must not decide.
  static let returning: [ConformanceCheck] = [
    ConformanceCheck(
      "return-is-no-proof", "A forged success return pays nothing",
      loss: "Whoever types the return address gets the goods without paying.",
      [
        .tabby("Handling the payment status, “The client is never proof of payment”"),
        .futa("What your app hears, “advisory, so confirm the payment on your server”"),
        .rais("Checklist, “The deep link carries no authority … not by ?status=paid”"),
        .tebex("The checkout flow, “A client side redirect is not proof of payment”"),
        .seb("“Reaching the return URL does not mean the payment succeeded”"),
      ]
    ) { bench in
      let payment = try await bench.open()
      try await bench.comeBack(payment, "success")
      return try await bench.staysUnpaid(payment)
    },
    ConformanceCheck(
      "cancel-return-is-no-end", "A cancel return does not fail the payment",
      loss: "The buyer goes back to the page and pays an order that you gave up.",
      [
        .tabby("Checklist, “Never map a checkout close, back-press … to reject/cancel”"),
        .rais("Handle every ending, cancel deep link: “The payment may still be pending”"),
        .tebex("Confirming completion, re-fetch the basket when the browser closes"),
      ]
    ) { bench in
      let payment = try await bench.open()
      try await bench.comeBack(payment, "cancel")
      return "it said “\(try await bench.never(payment, [.failed, .paid]).words)”"
    },
    ConformanceCheck(
      "cancelled-then-paid", "Who cancels, goes back and pays has paid",
      loss: "You have the money and tell the buyer that the order was cancelled.",
      [
        .tabby("Checklist, “Wait for a terminal status”"),
        .rais("Handle every ending, “let them try again by reopening the same checkout_url”"),
        .tebex("Confirming completion, read the basket's complete flag"),
        .seb("“Reaching the return URL does not mean the payment succeeded”"),
      ]
    ) { bench in
      let payment = try await bench.open()
      try await bench.comeBack(payment, "cancel")
      _ = try await bench.said(payment)
      try await bench.pay(payment)
      return "it said “\(try await bench.until(payment, .paid).words)”"
    },
    ConformanceCheck(
      "closed-then-paid", "A page that was closed can still have been paid",
      loss: "The buyer's money is taken and the app says that nothing happened.",
      [
        .tabby(
          "Handling the payment status, closing “is a navigation event, not a payment result”"),
        .futa("What your app hears, closed, returned and left are reasons, not results"),
        .rais("Handle every ending, the payer closes the browser: “may have succeeded”"),
        .tebex("Confirming completion, “When it closes, dismiss and confirm the outcome”"),
      ]
    ) { bench in
      guard let closed = bench.adapter.closed else {
        throw CheckEnd.notRun("the adapter has no call closed")
      }
      let payment = try await bench.open()
      let answer = try await bench.backend.send(closed, payment.values)
      guard (200..<300).contains(answer.status) else {
        throw CheckEnd.notRun("the call closed was answered \(answer.status)")
      }
      _ = try await bench.never(payment, [.failed, .paid])
      try await bench.pay(payment)
      return "it said “\(try await bench.until(payment, .paid).words)”"
    },
    ConformanceCheck(
      "app-killed", "The webhook alone sends the goods, when no app comes back",
      loss: "Buyers who lose their connection pay and get nothing.",
      [
        .tabby("Handling the payment status, “receives the AUTHORIZED webhook even if …”"),
        .rais("Handle every ending, the app is killed: “The webhook still reaches your server”"),
        .futa("What your app hears, confirm “by its signed webhook”"),
        .tebexWebhooks("payment.completed"),
        .sebCallbacks("sent when a payment's status changes"),
      ]
    ) { bench in
      let payment = try await bench.open()
      try await bench.pay(payment)
      return try await bench.goodsOnce(payment)
    },
  ]
}

extension CheckBench {
  /// The payer's browser follows the return address of the backend.
  fileprivate func comeBack(_ payment: Payment, _ outcome: String) async throws {
    guard let returned = adapter.returned else {
      throw CheckEnd.notRun("the adapter has no call returned")
    }
    let values = payment.values.merging(
      ["outcome": outcome, "status": outcome == "success" ? "paid" : "cancelled"]
    ) { $1 }
    _ = try await backend.send(returned, values)
  }
}
