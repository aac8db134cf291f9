public import KitEnvironment
import SystemRuntime

/// A source of random words that is the same for the same seed (SplitMix64).
public func seededRandom(_ seed: UInt64) -> RandomSource {
  let state = Locked(seed)
  return RandomSource {
    state.withLock { state in
      state &+= 0x9E37_79B9_7F4A_7C15
      var word = state
      word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
      return word ^ (word >> 31)
    }
  }
}

extension Hashing {
  /// Hash functions that are the same everywhere and worth nothing against an attacker, for
  /// tests that must not link a crypto library.
  public static let weakForTests = Hashing(
    sha256: { weakHash($0) }, hmacSHA256: { weakHash($0 + [0] + $1) }, areEqual: { $0 == $1 })
}

extension KitEnvironment {
  /// An environment on a manual clock, with seeded ids, silent, with weak hashes.
  public static func test(_ clock: ManualClock, seed: UInt64 = 1) -> KitEnvironment {
    KitEnvironment(
      clock: clock.clock, random: seededRandom(seed), log: .silent, hashing: .weakForTests)
  }
}

private func weakHash(_ bytes: [UInt8]) -> [UInt8] {
  (0..<4).flatMap { lane -> [UInt8] in
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 &+ UInt64(lane)
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return (0..<8).map { UInt8(truncatingIfNeeded: hash >> ($0 * 8)) }
  }
}
