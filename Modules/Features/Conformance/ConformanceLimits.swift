/// How long the suite waits, and how much it sends. Real time, so each is short; a delivery that
/// is hours late is one whose stamp is hours old.
enum ConformanceLimits {
  /// A backend may take so long to know what its provider knows: a read that failed is tried again
  /// within it.
  static let learnTime: Duration = .seconds(10)
  /// What must not happen is watched for so long.
  static let settleTime: Duration = .milliseconds(1_200)
  /// Between two reads.
  static let pollTime: Duration = .milliseconds(200)
  /// A webhook must have left the sandbox within it.
  static let deliveryTime: Duration = .seconds(5)
  /// An answer to a webhook that comes later counts as none: providers give up and repeat.
  static let acknowledgeTime: Duration = .seconds(5)
  /// How late the provider's answer to a create is, for what overtakes it.
  static let slowCreateMs: Int64 = 5_000
  /// How old the stamp of a webhook is that is hours late.
  static let lateMs: Int64 = 3 * 3_600_000
  /// More than any provider sends: its whole document of one payment is a few KiB.
  static let oversizeBytes = 4 << 20
  /// How often a call is repeated that was answered with 429.
  static let throttledTriesMax = 10
  /// Deliveries that the relay remembers; a run makes a few hundred.
  static let deliveriesMax = 10_000
}
