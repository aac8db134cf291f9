/// The words that a seed stands for (SplitMix64): each part of a simulation draws from its own, so
/// that what one draws does not change what another gets.
public struct SeededWords: Sendable {
  private var state: UInt64

  /// The words of a seed.
  public init(seed: UInt64) { state = seed }

  /// The words of one drawer; the name keeps two drawers of one seed apart.
  public init(seed: UInt64, name: String) {
    var mixed = SeededWords(seed: seed)
    state = mixed.next() ^ hash64(name)
  }

  /// The next word.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// A whole number from 0 up to and without `bound`.
  ///
  /// - Precondition: `bound` is 1 or more.
  public mutating func below(_ bound: Int) -> Int {
    precondition(bound > 0, "nothing to draw from")
    return Int(next() % UInt64(bound))
  }

  /// True so many times in a hundred.
  public mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  /// A duration of whole milliseconds in the range.
  public mutating func duration(_ range: ClosedRange<Int>) -> Duration {
    .milliseconds(range.lowerBound + below(range.count))
  }
}

/// FNV-1a: the same in each process, unlike the hashes of the standard library.
public func hash64(_ text: String) -> UInt64 { hash64(text.utf8, from: 0xCBF2_9CE4_8422_2325) }

/// FNV-1a of bytes that follow others, whose hash is `start`.
public func hash64(_ bytes: some Sequence<UInt8>, from start: UInt64) -> UInt64 {
  bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
}
