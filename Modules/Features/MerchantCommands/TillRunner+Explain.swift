import MerchantAPI
import PaymentModels
import StrictJSON

/// How a journal is shown.
public enum ExplainFormat: Hashable, Sendable {
  /// Sentences.
  case text
  /// The server's pages, one a line.
  case json
  /// One page for a browser.
  case html
}

extension TillRunner {
  /// Lines of a journal that are shown as text or as a page; a device alone writes 500 at the most.
  static let journalMax = 10_000

  /// Tells what happened to a payment: every signal, how far it was trusted and what it changed.
  func explainPayment(_ id: String, _ format: ExplainFormat) async throws(CommandFailure) {
    let payment = try await read(.payment(id))
    let ours = PaymentID(payment["payment_id"]?.text ?? id)
    var sentences: [JournalSentence] = []
    let isCut = try await eachJournalPage(.paymentJournal(ours)) { page in
      if format == .json { printJSON(page) }
      sentences += (page["journal"]?.elements ?? []).map { JournalSentence($0) }
      return format == .json || sentences.count < Self.journalMax
    }
    switch format {
    case .json: return
    case .html:
      terminal.write(
        ExplainPage(payment: payment, sentences: sentences, isCut: isCut).html)
    case .text:
      printPayment(payment)
      terminal.line("")
      terminal.table(sentences.map { [$0.at, $0.trust, printable($0.text)] })
      if isCut { terminal.line("there are more lines; --json gives them all") }
    }
  }

  /// Tells what happened to an order and all its payments, as rows.
  func explainOrder(_ id: String, _ asJSON: Bool) async throws(CommandFailure) {
    var entries: [JSONValue] = []
    let isCut = try await eachJournalPage(.orderJournal(OrderID(id))) { page in
      if asJSON { printJSON(page) }
      entries += page["journal"]?.elements ?? []
      return asJSON || entries.count < Self.journalMax
    }
    if asJSON { return }
    printJournal(entries)
    if isCut { terminal.line("there are more lines; --json gives them all") }
  }

  /// Hands over one page after the other, oldest first, until `take` has enough. Returns whether
  /// there were more.
  private func eachJournalPage(
    _ route: Route, _ take: (JSONValue) -> Bool
  ) async throws(CommandFailure) -> Bool {
    var after: Int64 = 0
    while true {
      let page = try await read(route, query: "?after=\(after)")
      let wantsMore = take(page)
      guard let next = page["next_after"]?.int64, next > after else { return false }
      if !wantsMore { return true }
      after = next
    }
  }
}
