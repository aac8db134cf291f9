import KitEnvironment
import PaymentModels
import PaymentStore

/// What `till run` shows: a line for each event of provider, server and shop, as it happens.
struct EventLines: Sendable {
  /// Entries of an order that are read after a commit: more than any order of a demo has.
  private static let entriesMax = 1_000

  private let clock: KitClock
  private let commits: AsyncStream<[OrderID]>
  private let feed: AsyncStream<[OrderID]>.Continuation
  private let print: @Sendable (String) -> Void

  init(clock: KitClock, print: @escaping @Sendable (String) -> Void) {
    self.clock = clock
    self.print = print
    (commits, feed) = AsyncStream.makeStream()
  }

  /// To be told of each commit of the server's store, from any thread.
  func committed(_ changes: CommittedChanges) {
    if !changes.orders.isEmpty { feed.yield(changes.orders) }
  }

  /// A log that makes a line out of each event of the sandbox.
  var provider: KitLog {
    KitLog { _, message, facts in
      let words = facts.map { "\($0.0) \($0.1)" }.joined(separator: "  ")
      line(clock.now(), "provider", "", "\(message)  \(words)")
    }
  }

  /// What the shop did with a fulfilment message.
  func shop(_ type: String, _ order: String) {
    line(clock.now(), "shop", "", "\(type)  order \(order)")
  }

  /// Tells what the server's journal holds, until the task is cancelled.
  func run(_ store: any PaymentStore) async {
    var told: [OrderID: Int64] = [:]
    for await orders in commits {
      for order in orders {
        let last = told[order] ?? 0
        let entries = try? await store.read { transaction in
          try transaction.journal(of: order, limit: Self.entriesMax).filter { $0.sequence > last }
        }
        for entry in entries ?? [] {
          told[order] = entry.sequence
          tell(entry, order)
        }
      }
    }
  }

  private func tell(_ entry: JournalEntry, _ order: OrderID) {
    let about = entry.paymentID.map { "payment \($0)" } ?? "order \(order)"
    let channel = entry.channel.rawValue
    let words = [
      channel == entry.event ? channel : "\(channel): \(entry.event)", entry.change,
      entry.note.map { "(\($0))" },
      about,
    ]
    line(
      entry.at, "server", entry.trust.rawValue, words.compactMap(\.self).joined(separator: "  "))
  }

  private func line(_ at: Instant, _ who: String, _ trust: String, _ text: String) {
    let time = at.description.split(separator: "T").last?.prefix(8) ?? ""
    print("\(time)  \(padded(who, 8))  \(padded(trust, 12))  \(text)\n")
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
