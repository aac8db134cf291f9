import PaymentModels

/// The orders of the last commits, so that a page that asks again after a moment is told what it
/// has missed.
struct ChangeLog {
  /// Commits that are remembered; whoever is further behind counts as one that missed something.
  static let commitsMax = 512

  /// Commits so far, in this process.
  private(set) var position: Int64 = 0
  private var recent: [[OrderID]] = []

  /// Notes a commit.
  mutating func note(_ orders: [OrderID]) {
    position += 1
    // Dropped by halves: one by one would move the rest each time.
    if recent.count == Self.commitsMax { recent.removeFirst(Self.commitsMax / 2) }
    recent.append(orders)
  }

  /// Whether anything changed behind `known`, of one order if it is given. A position that is not
  /// reached yet is one of a process before, of which nothing is known; one below the first was
  /// never given.
  func isChanged(after known: Int64, of order: OrderID?) -> Bool {
    guard (0...position).contains(known) else { return true }
    guard let order else { return known < position }
    let missed = Int(clamping: position - known)
    return missed > recent.count || recent.suffix(missed).contains { $0.contains(order) }
  }
}
