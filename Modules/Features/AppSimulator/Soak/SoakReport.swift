import KitEnvironment
import PaymentModels
import StrictJSON

/// Tells how far a soak is, and how it ended.
struct SoakReport: Sendable {
  private static let width = 40
  /// Orders whose timelines are told; more have one cause.
  private static let toldMax = 10

  let plan: SoakPlan
  let output: RunOutput
  let clock: KitClock
  let began: Duration

  // MARK: Meanwhile

  /// Draws a bar each second on a terminal, writes a line each minute elsewhere, and tells what is
  /// wrong as soon as it is seen, until it is cancelled.
  func follow(_ book: SoakBook) async {
    var (seconds, told) = (0, 0)
    while (try? await clock.sleep(for: .seconds(1))) != nil {
      seconds += 1
      let faults = await book.faults.dropFirst(told)
      told += faults.count
      for fault in faults where !output.isJSON {
        output.line("after \(seconds) s, order \(fault.order ?? "none"): \(fault.text)")
      }
      guard let draw = output.draw else {
        if seconds.isMultiple(of: 60), !output.isJSON { output.line(await standing(book)) }
        continue
      }
      let share = min(1, (clock.uptime() - began) / plan.duration)
      let filled = Int(share * Double(Self.width))
      let bar =
        String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
      draw("[\(bar)] \(await standing(book))")
    }
  }

  private func standing(_ book: SoakBook) async -> String {
    let seconds = (clock.uptime() - began).components.seconds
    let visits = await book.visits.values.reduce(0) { $0 + $1.count }
    return "\(seconds) of \(plan.duration.components.seconds) s, \(visits) payers, "
      + "\(await book.kills) kills, \(await book.faults.count) wrong"
  }

  // MARK: At the end

  /// Tells it all but the last line, which it gives.
  func close(_ verdict: SoakVerdict, _ book: SoakBook, _ stage: Stage) async -> SoakRunner.End {
    output.draw?("")
    var faults = await book.faults + verdict.faults + missed(verdict.books, await book.kills)
    faults = faults.enumerated().filter { faults.firstIndex(of: $1) == $0 }.map(\.element)
    let orders = Set(faults.compactMap(\.order)).sorted()
    for order in orders.prefix(Self.toldMax) {
      let own = faults.filter { $0.order == order }.map(\.text)
      await describe(order, own, await book.timeline(of: order), verdict.books, stage)
    }
    let general = faults.filter { $0.order == nil }.map(\.text)
    let wrong =
      verdict.books.payments.count { orders.contains($0.order) } + general.count
      + orders.count { order in !verdict.books.payments.contains { $0.order == order } }
    var closing = "\(verdict.books.payments.count) payments, \(wrong) wrong"
    if output.isJSON {
      closing = await summary(verdict, general, wrong, book)
    } else {
      for text in general { output.line("  WRONG  \(text)") }
      if wrong > 0 { output.line("  again: \(output.command)\n") }
      for line in await table(verdict.books, book) { output.line(line) }
      output.line(await events(verdict, book))
    }
    return SoakRunner.End(wrong: wrong, closing: closing)
  }

  /// A soak that never came to what it is for shows nothing.
  private func missed(_ books: SoakBooks, _ kills: Int) -> [SoakBook.Fault] {
    let unpaid = HostedPage.payers.map(\.facts.provider.rawValue).filter { provider in
      !books.payments.contains { $0.provider == provider && $0.captured > 0 }
    }
    let texts = unpaid.map { "no payment at \($0) was paid" }
    return (texts + (kills == 0 ? ["the server was never killed"] : [])).map {
      SoakBook.Fault(order: nil, text: $0)
    }
  }

  private func describe(
    _ order: String, _ problems: [String], _ people: Timeline, _ books: SoakBooks, _ stage: Stage
  ) async {
    var timeline = people
    if let journal = try? await stage.explainOrder(order) { timeline.add(journal: journal) }
    let ids = Set(books.payments.filter { $0.order == order }.compactMap(\.providerID))
    for payment in (try? await stage.control("/sandbox/ledger", nil))?["payments"]?.elements ?? []
    where payment["id"]?.text.map(ids.contains) == true { timeline.add(provider: payment) }
    guard !output.isJSON else {
      return output.line(
        text([
          "order": .string(order), "problems": .array(problems.map { .string($0) }),
          "timeline": .array(timeline.lines().map { .string($0) }),
        ]))
    }
    output.line("order \(order)")
    for line in timeline.lines() { output.line(line) }
    for problem in problems { output.line("  WRONG  \(problem)") }
    output.line("")
  }

  private func summary(
    _ verdict: SoakVerdict, _ general: [String], _ wrong: Int, _ book: SoakBook
  ) async -> String {
    text([
      "payments": .integer(verdict.books.payments.count), "wrong": .integer(wrong),
      "problems": .array(general.map { .string($0) }), "seed": .string("\(plan.seed)"),
      "kills": .integer(await book.kills), "reconciled": .integer(verdict.reconciled),
      "milliseconds": .integer((clock.uptime() - began).wholeMilliseconds),
    ])
  }

  private func table(_ books: SoakBooks, _ book: SoakBook) async -> [String] {
    func line(_ cells: [String]) -> String {
      cells.enumerated().map { index, cell in
        let gap = String(repeating: " ", count: max(1, (index == 0 ? 9 : 12) - cell.count))
        return index == 0 ? cell + gap : gap + cell
      }.joined()
    }
    var lines = [
      line([
        "provider", "payers", "no page", "broken off", "payments", "paid", "refunded", "unpaid",
        "in review",
      ])
    ]
    for provider in HostedPage.payers.map(\.facts.provider) {
      let own = books.payments.filter { $0.provider == provider.rawValue }
      let visits = await book.visits[provider] ?? SoakBook.Visits()
      let states = ["paid", "refunded", "", "needs_review"].map { state in
        own.count {
          state.isEmpty
            ? !["paid", "refunded", "needs_review"].contains($0.orderState)
            : $0.orderState == state
        }
      }
      let counts = [visits.count, visits.noPage, visits.brokenOff, own.count] + states
      lines.append(line([provider.rawValue] + counts.map(String.init)))
    }
    return lines
  }

  private func events(_ verdict: SoakVerdict, _ book: SoakBook) async -> String {
    let outages = await book.weathers[.outage] ?? 0
    let weathers = await book.weathers.values.reduce(0, +)
    let operations = await book.operations.sorted { $0.key < $1.key }
      .map { "\($0.value) \($0.key)s" }
    return "\(await book.kills) kills of the server, \(weathers) faults and calms (\(outages) "
      + "outages), \(await book.deeds.count) of \(SoakDeed.allCases.count) ways to behave, "
      + "\(operations.joined(separator: ", ")), \(verdict.books.cases.count) cases of "
      + "late or second money, \(verdict.reconciled) learned by reconcile alone; "
      + "seed \(plan.seed), \((clock.uptime() - began).components.seconds) s"
  }

  private func text(_ members: KeyValuePairs<String, JSONValue>) -> String {
    let members = members.map { JSONMember(name: $0.key, value: $0.value) }
    return String(decoding: JSONValue.object(members).serialized(), as: UTF8.self)
  }
}
