import CheckoutLifecycle
import CheckoutSession
import StrictJSON

/// What a web view of the app sees of the page in it.
extension AppProcess {
  /// The page goes to an address: it loads, goes nowhere, or opens outside, which ends the
  /// session unless it is a receipt.
  func navigate(to url: String, _ session: CheckoutSession) async {
    for turn in await pages.navigate(to: url) {
      let words: (decision: String, end: PageSessionEnd?) =
        switch turn.decision {
        case .load: ("load", nil)
        case .block: ("block", nil)
        case .openOutside(_, _, let end): ("outside", end)
        }
      report.line(
        "navigated", turn.key,
        [
          JSONMember(name: "url", value: .string(url)),
          JSONMember(name: "decision", value: .string(words.decision)),
          JSONMember(name: "ends", value: .optional(words.end?.rawValue)),
        ])
      tell(turn)
      switch words.end {
      case .returned: await follow(url, session)
      case .left, .closed: await session.send(.closed, to: turn.key)
      case nil: break
      }
    }
  }

  /// The page says what it shows: `PAYMENT STATE true|false URL`. It is news for the screen and
  /// changes nothing.
  func hear(_ message: PageMessage, from url: String) async {
    for (key, isTaken) in await pages.hear(message, from: url) {
      report.line(
        "page_state", key,
        [
          JSONMember(name: "state", value: .string(message.state)),
          JSONMember(name: "final", value: .bool(message.isFinal)),
          JSONMember(name: "taken", value: .bool(isTaken)),
        ])
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
