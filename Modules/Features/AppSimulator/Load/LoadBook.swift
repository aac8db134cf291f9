import KitEnvironment
import PaymentModels

/// A write that a server has acknowledged.
enum LoadWrite: Hashable, Sendable {
  case checkout(key: String, payment: String, order: String)
  case refund(key: String, refund: String, payment: String)
  case webhook(hash: String)
}

/// What the servers acknowledged and refused during a load.
actor LoadBook {
  /// The words of SQLite for a lock that was not to be had, as in logs and answers.
  static let lockWords = "database is locked"

  private(set) var writes: [LoadWrite: Int] = [:]
  private(set) var reads = 0
  private(set) var longPolls = 0
  private(set) var locked = 0
  /// Payments that are there to be read, newest last.
  private(set) var payments: [(payment: String, order: String)] = []
  /// Answers that acknowledge nothing, by status; 0 for none at all.
  private(set) var refusals: [Int: Int] = [:]
  /// How long acknowledged writes took.
  private var times: [Duration] = []

  func note(_ write: LoadWrite, took time: Duration) {
    writes[write, default: 0] += 1
    times.append(time)
    if case .checkout(_, let payment, let order) = write { payments.append((payment, order)) }
  }

  func noteRead(isLongPoll: Bool) {
    if isLongPoll { longPolls += 1 } else { reads += 1 }
  }

  func noteRefusal(_ status: Int) { refusals[status, default: 0] += 1 }
  func noteLocked() { locked += 1 }

  var acknowledged: Int { writes.values.reduce(0, +) }

  /// The time within which so many in a hundred were acknowledged.
  func time(of percent: Int) -> Duration {
    guard !times.isEmpty else { return .zero }
    return times.sorted()[min(times.count - 1, times.count * percent / 100)]
  }

  /// A payment to look at.
  func payment(_ words: inout SeededWords) -> (payment: String, order: String)? {
    payments.isEmpty ? nil : payments[words.below(payments.count)]
  }
}

/// How acknowledged writes compare with what the store holds.
struct LoadVerdict: Hashable, Sendable {
  var lost: [String] = []
  /// The same key acknowledged with two ids, or a delivery kept more often than it came.
  var doubled: [String] = []
  /// Log lines that tell of a lock.
  var locked: [String] = []

  /// - Parameter writes: how often each was acknowledged.
  init(_ writes: [LoadWrite: Int], in store: LoadStore) {
    var byKey: [String: Set<String>] = [:]
    for (write, count) in writes {
      switch write {
      case .checkout(let key, let payment, let order):
        byKey["checkout \(key)", default: []].insert(payment)
        if store.payments[payment] != order { lost.append("payment \(payment) of key \(key)") }
      case .refund(let key, let refund, let payment):
        byKey["refund \(key)", default: []].insert(refund)
        if store.refunds[refund] != payment { lost.append("refund \(refund) of key \(key)") }
      case .webhook(let hash):
        let kept = store.deliveries[hash] ?? 0
        if kept < count { lost.append("\(count - kept) deliveries of \(hash)") }
        if kept > count { doubled.append("\(kept - count) deliveries of \(hash)") }
      }
    }
    doubled += byKey.filter { $0.value.count > 1 }.map {
      "\($0.key): \($0.value.sorted().joined(separator: ", "))"
    }
    locked = store.log.filter { $0.contains(LoadBook.lockWords) }
    lost.sort()
    doubled.sort()
  }
}
