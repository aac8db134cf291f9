import HTTPExchange
import KitEnvironment
import MerchantAPI
import StrictJSON

extension TillRunner {
  /// A page reads for ten seconds, and its last read may take as long as a provider's deadline.
  private static let pageDeadline: Duration = .seconds(120)
  private static let pageTriesMax = 4
  private static let pageWaits = RetryPolicy(first: .seconds(1), cap: .seconds(15))

  /// Asks for one page after the other and tells what they found.
  func reconcile(
    _ sinceSeconds: Int64, _ applies: Bool, _ asJSON: Bool
  ) async throws(CommandFailure) {
    var summary = ReconcileSummary()
    var cursor: String?
    let showsBar = terminal.isInteractive && !asJSON
    repeat {
      let page = try await page(
        ReconcileBody(sinceSeconds: sinceSeconds, applies: applies, cursor: cursor))
      if asJSON { printJSON(page) }
      summary.add(page)
      let next = page["next_cursor"]?.text
      guard next == nil || next != cursor else {
        throw CommandFailure(.unavailable, "the server gave the same page twice")
      }
      cursor = next
      if showsBar { terminal.write("\r\u{1B}[K\(summary.bar)") }
    } while cursor != nil
    if showsBar { terminal.write("\r\u{1B}[K") }
    if asJSON {
      printJSON(summary.json)
    } else {
      summary.lines(applies: applies, columnsMax: terminal.columnsMax).forEach {
        terminal.line($0)
      }
    }
    if let failure = summary.failure { throw failure }
  }

  /// One page; a server that is out for a moment is asked again, since a page may be repeated.
  private func page(_ body: ReconcileBody) async throws(CommandFailure) -> JSONValue {
    var tries = 0
    while true {
      do throws(CommandFailure) {
        return try json(
          await connection.send(
            .operator(.reconcile), as: .merchant, body: body.json, deadline: Self.pageDeadline))
      } catch {
        tries += 1
        guard error.kind == .unavailable, body.cursor != nil, tries < Self.pageTriesMax else {
          throw error
        }
        let wait = Self.pageWaits.delay(
          afterAttempt: tries, random: environment.random, retryAfter: error.retryAfter)
        guard (try? await environment.clock.sleep(for: wait)) != nil else {
          throw CommandFailure(.notKnownYet, "stopped; nothing was left half done")
        }
      }
    }
  }
}
