/// A source of random 64-bit words: the system's live, a seed's in tests and simulated worlds.
public struct RandomSource: Sendable {
  /// The next word. Safe to call from any thread.
  public var next: @Sendable () -> UInt64

  /// Wraps a source.
  public init(next: @escaping @Sendable () -> UInt64) {
    self.next = next
  }

  /// A whole number below `bound`, every one equally likely to within 2⁻³².
  ///
  /// - Precondition: `bound` is 1 or more and below 2³².
  public func below(_ bound: UInt64) -> UInt64 {
    precondition(bound > 0 && bound < 1 << 32, "bound out of range")
    // A shift binds tighter than a product in Swift.
    return ((next() >> 32) * bound) >> 32
  }
}
