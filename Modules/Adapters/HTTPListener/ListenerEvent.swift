/// What happens to connections and their requests, for whoever counts.
public enum ListenerEvent: Sendable, Hashable, CaseIterable {
  /// One is served from now on.
  case opened
  /// One that was served is closed.
  case closed
  /// One was turned away at the limit on all connections.
  case refused
  /// One was turned away at the limit on connections of its address.
  case refusedAddress
  /// One waits because descriptors or memory have run out.
  case exhausted
  /// A request was refused because others went before it.
  case deferred
}
