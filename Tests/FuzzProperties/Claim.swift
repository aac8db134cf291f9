/// A claim about a parser that an input has shown to be wrong.
public struct BrokenClaim: Error, Sendable, CustomStringConvertible {
  /// What should have been true.
  public let description: String
}

/// Breaks off unless `claim` is true.
func hold(_ isTrue: Bool, _ claim: @autoclosure () -> String) throws(BrokenClaim) {
  guard isTrue else { throw BrokenClaim(description: claim()) }
}
