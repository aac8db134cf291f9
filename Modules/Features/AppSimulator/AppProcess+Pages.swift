import CheckoutLifecycle
import CheckoutSession
import StrictJSON

/// What a web view of the app sees of the page in it.
extension AppProcess {
  /// The page goes to an address: it loads, goes nowhere, returns, or opens outside. The address is
  /// not told: a payer may have typed any part of it.
  func navigate(to url: String, _ session: CheckoutSession) async {
    for turn in await pages.navigate(to: url) {
      report.line(
        "navigated", turn.key,
        [
          JSONMember(name: "decision", value: .string(turn.decision.word)),
          JSONMember(name: "ends", value: .optional(turn.closing?.reason.rawValue)),
        ])
      tell(turn)
      switch turn.closing?.reason {
      case .returned: await follow(url, session)
      case .left, .closed: await session.send(.closed, to: turn.key)
      case nil: await session.openOutside(turn.decision, of: turn.key)
      }
    }
  }

  /// The page says what it shows: `PAYMENT STATE true|false URL`. It is news for the screen and
  /// at most a reason to ask.
  func hear(_ message: PageMessage, from url: String, _ session: CheckoutSession) async {
    for (key, isTaken) in await pages.hear(message, from: url) {
      report.line(
        "page_state", key,
        [
          JSONMember(name: "state", value: .string(message.word)),
          JSONMember(name: "final", value: .bool(message.isFinal)),
          JSONMember(name: "taken", value: .bool(isTaken)),
        ])
      if isTaken { await session.send(.pageSpoke(isFinal: message.isFinal), to: key) }
    }
  }

  /// Tells how a page's session ended.
  func tell(_ turn: EmbeddedPages.Turn) {
    guard let closing = turn.closing else { return }
    report.line(
      "page_closed", turn.key,
      [
        JSONMember(name: "reason", value: .string(closing.reason.rawValue)),
        JSONMember(name: "final", value: .bool(closing.isFinal)),
      ])
  }
}

extension NavigationDecision {
  /// The word in the line.
  fileprivate var word: String {
    switch self {
    case .load: "load"
    case .loadInPlace: "load_in_place"
    case .block: "block"
    case .openOutside, .openReceipt: "outside"
    case .interceptReturn: "return"
    case .openChild: "child"
    }
  }
}
