import PaymentModels

/// Everything that varies, as one value: time, ids, randomness, logs, metrics, hashing.
///
/// Code of the kit takes what it needs from here and never asks the system, so the same code
/// runs live, in a test with a clock set by hand, and in a simulated world.
public struct KitEnvironment: Sendable {
  /// Wall time and waiting.
  public var clock: KitClock
  /// Source of random bits for ids and jitter.
  public var random: RandomSource
  /// Where log lines go.
  public var log: KitLog
  /// SHA-256, HMAC and constant-time comparison.
  public var hashing: Hashing
  /// Where counts and measurements go; nowhere unless told.
  public var metrics = KitMetrics.silent

  /// Told at each point where a kill must lose nothing; does nothing unless a test stops there.
  public var reached: @Sendable (Checkpoint) -> Void = { _ in }

  /// Told by each worker of the backend when it begins a turn; does nothing unless one watches.
  public var beat: @Sendable (Worker) -> Void = { _ in }

  /// Collects the parts. Live ones come from `SystemRuntime` and `SystemCrypto`.
  public init(clock: KitClock, random: RandomSource, log: KitLog, hashing: Hashing) {
    self.clock = clock
    self.random = random
    self.log = log
    self.hashing = hashing
  }

  /// A new id: a lower-case UUID of version 7, so that later ids sort after earlier ones.
  ///
  /// Time-ordered keys keep the newest rows on the newest pages of a database.
  public func newUUID() -> String {
    makeUUIDv7(at: clock.now(), random: (random.next(), random.next()))
  }
}

/// Lays out a UUID of version 7 (RFC 9562): 48 bits of milliseconds, then random bits.
func makeUUIDv7(at instant: Instant, random: (UInt64, UInt64)) -> String {
  let time = UInt64(clamping: max(0, instant.milliseconds)) & 0xFFFF_FFFF_FFFF
  let high = time << 16 | 0x7000 | random.0 & 0x0FFF
  let low = 0x8000_0000_0000_0000 | random.1 & 0x3FFF_FFFF_FFFF_FFFF
  var text: [UInt8] = []
  text.reserveCapacity(36)
  for nibble in 0..<32 {
    if [8, 12, 16, 20].contains(nibble) { text.append(UInt8(ascii: "-")) }
    let half = nibble < 16 ? high : low
    text.append(hexDigit(UInt8(half >> UInt64(60 - nibble % 16 * 4) & 0xF)))
  }
  return String(decoding: text, as: UTF8.self)
}
