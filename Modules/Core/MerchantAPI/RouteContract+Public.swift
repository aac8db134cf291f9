extension RouteID {
  /// Of what providers, browsers, phones and monitoring use.
  var publicContract: RouteContract? {
    switch self {
    case .takeWebhook:
      RouteContract(
        summary: "Take a provider's webhook, in the provider's own form and signed as agreed.",
        access: .provider, body: .delivery,
        answers: [.empty(200, "Stored; a provider's own handshake is answered in its form.")],
        problems: [.notFound])
    case .lookup:
      RouteContract(
        summary: "The state of a payment, for SEB's own app SDK; 404 where that is not configured.",
        access: .open, answers: [.json("PaymentLookup", "The payment.")])
    case .returnTrampoline:
      RouteContract(
        summary: "A page that leads on to the app, query as it came. Proves nothing.",
        access: .open, answers: [.page("The page.")])
    case .problemPage:
      RouteContract(
        summary: "What an error means and what to do next, for people.", access: .open,
        answers: [.page("The page.")])
    case .appleAssociation:
      association("Which apps Apple's systems open links in; 404 where none is configured.")
    case .androidAssociation:
      association("Which apps Android opens links in; 404 where none is configured.")
    case .openAPI:
      RouteContract(
        summary: "This document.", access: .open,
        answers: [RouteContract.Answer(status: 200, note: "It.", schema: .object([]))])
    case .ready:
      RouteContract(
        summary: "Whether requests can be served: the store answers and every worker moves.",
        access: .open, answers: [.json("Readiness", "They can.")])
    case .metrics:
      RouteContract(
        summary: "Counts for monitoring, as Prometheus reads them.", access: .monitoring,
        answers: [
          RouteContract.Answer(
            status: 200, note: "The counts.", type: "text/plain", schema: .text())
        ])
    case .health:
      RouteContract(
        summary: "Whether the process runs.", access: .open,
        answers: [.json("Health", "It does.")])
    default: nil
    }
  }

  private func association(_ summary: String) -> RouteContract {
    RouteContract(
      summary: summary, access: .open,
      answers: [RouteContract.Answer(status: 200, note: "The file.", schema: .anything)],
      problems: [.notFound])
  }
}

extension RouteContract.Answer {
  fileprivate static func page(_ note: String) -> Self {
    Self(status: 200, note: note, type: "text/html", schema: .text())
  }
}
