package import KitEnvironment

/// A bucket of tokens for each peer, in a table that is bounded.
///
/// A bucket is one number: when it will be full again. The table is two halves; when the newer is
/// full, the older is dropped and the newer takes its place, so a peer that was not heard of for a
/// while is forgotten, without a search.
package actor TokenBuckets<Peer: Hashable & Sendable> {
  private let clock: KitClock
  private let limit: RateLimit
  private let halfMax: Int
  private var newer: [Peer: Duration] = [:]
  private var older: [Peer: Duration] = [:]

  /// - Parameter peersMax: 2 or more.
  package init(_ limit: RateLimit, peersMax: Int, clock: KitClock) {
    precondition(peersMax >= 2, "two halves have room")
    self.limit = limit
    self.clock = clock
    halfMax = peersMax / 2
  }

  /// Takes a token; if there is none, how long until there is one.
  package func wait(_ peer: Peer) -> Duration? {
    let now = clock.uptime()
    let fullAt = max(newer[peer] ?? older[peer] ?? now, now)
    let wait = fullAt - now - limit.interval * (limit.burst - 1)
    if wait > .zero {
      keep(peer, fullAt)
      return wait
    }
    keep(peer, fullAt + limit.interval)
    return nil
  }

  /// Peers that are remembered.
  var count: Int { newer.count + older.count }

  private func keep(_ peer: Peer, _ fullAt: Duration) {
    if newer[peer] == nil {
      if newer.count == halfMax { (newer, older) = ([:], newer) }
      older[peer] = nil
    }
    newer[peer] = fullAt
  }
}
