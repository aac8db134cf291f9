extension RouteID {
  /// Of what a payer's app uses.
  var checkoutContract: RouteContract? {
    switch self {
    case .createCheckout:
      RouteContract(
        summary: "Begin a checkout: a new order, another try at one, or one with another cart.",
        access: .payer, parameters: [.idempotencyKey], body: .json("CheckoutBody"),
        answers: [
          .json("Payment", "The payment, with the page to open.", status: 201),
          .json("Payment", "Stored; whether the provider has it is found out.", status: 202),
        ],
        problems: [
          .notFound, .idempotencyMismatch, .beingPaid, .conflict, .providerRefused,
          .operationNotOffered, .providerPaused,
        ])
    case .order:
      RouteContract(
        summary: "An order with all of its payments, as their providers have them now.",
        access: .own, answers: [.json("Order", "The order.")])
    case .payment:
      RouteContract(
        summary: "A payment as its provider has it now; waits for a change if asked to.",
        access: .own,
        parameters: [
          RouteContract.Parameter(
            name: "wait",
            note: "Seconds to wait for a version other than that of If-None-Match; the server "
              + "waits for 30 at the most.", schema: .integer(from: 0, to: .max)),
          RouteContract.Parameter(
            name: "If-None-Match", note: "The ETag of what is known.", schema: .text(),
            isHeader: true),
        ],
        answers: [
          RouteContract.Answer(
            status: 200, note: "The payment.", schema: .named("Payment"), headers: ["ETag"]),
          .empty(304, "Nothing has changed.", headers: ["ETag"]),
        ])
    case .signals:
      RouteContract(
        summary: "Tell what the payer's device saw. A hint: it causes a read, never more.",
        access: .own, body: .json("SignalBody"), answers: [.empty(202, "Noted.")])
    default: nil
    }
  }
}
