/// Numbers of calls that are tried one after another, from a first one up until nothing comes of
/// them any more.
struct SweepNumbers: Sendable {
  /// So many numbers in a row of which nothing came end a series. One alone may be luck: which
  /// thread makes a call differs from run to run, and `strace` counts by thread.
  static let missesMax = 2
  /// No thread makes as many calls of a kind in one payment.
  static let numberMax = 1_000

  private let step: Int
  private let last: Int
  private var next: Int
  private var hits: [Int: Bool] = [:]

  init(from first: Int = 1, step: Int, through last: Int = numberMax) {
    self.step = step
    self.last = last
    next = first
  }

  /// The next number; nil once the series is at its end.
  mutating func take() -> Int? {
    guard next <= last, !isOver else { return nil }
    defer { next += step }
    return next
  }

  /// Takes in whether something came of a number that was taken.
  mutating func note(_ number: Int, isHit: Bool) { hits[number] = isHit }

  private var isOver: Bool {
    let misses = hits.filter { !$0.value }.map(\.key).sorted()
    return misses.contains { first in
      (0..<Self.missesMax).allSatisfy { hits[first + $0 * step] == false }
    }
  }
}
