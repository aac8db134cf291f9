import KitEnvironment
import PaymentModels

/// What happened in a world, line by line, and a hash over every single choice of its scheduler.
public struct WorldTrace: Sendable, Hashable {
  /// One line an event: virtual milliseconds, jobs run so far, who, what. Empty where a campaign
  /// keeps the hash alone.
  public private(set) var lines: [String] = []
  /// Covers the lines and which job was run at every step, so two worlds that did the same in
  /// another order differ.
  public private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  /// Jobs run so far.
  public private(set) var jobs = 0

  private let keepsLines: Bool

  init(keepsLines: Bool) { self.keepsLines = keepsLines }

  mutating func ran(_ choice: Int, of count: Int) {
    jobs += 1
    hash = (hash ^ UInt64(choice)) &* 0x0000_0100_0000_01B3
    hash = (hash ^ UInt64(count)) &* 0x0000_0100_0000_01B3
  }

  mutating func note(_ who: String, _ what: String, at now: Duration) {
    let line = "\(now.wholeMilliseconds) #\(jobs) \(who): \(what)"
    hash = hash64(line.utf8, from: hash)
    if keepsLines { lines.append(line) }
  }

  /// The whole trace as text, the hash at its end.
  public var text: String {
    lines.joined(separator: "\n") + "\n\(jobs) jobs, hash \(String(hash, radix: 16))\n"
  }
}
