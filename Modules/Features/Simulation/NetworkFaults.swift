/// What the network between the parties does to messages, each by the seed's chance.
public struct NetworkFaults: Sendable, Hashable {
  /// How long one way takes, in milliseconds.
  public var latencyMs = 1...80
  /// Requests that nobody receives, in a hundred; the sender learns it at its deadline.
  public var lostRequestPercent = 0
  /// Answers that nobody receives, in a hundred: the receiver has done its work all the same.
  public var lostAnswerPercent = 0
  /// Requests that arrive twice, in a hundred.
  public var duplicatePercent = 0
  /// Messages that take up to ``lateMs`` instead, and so are overtaken by others, in a hundred.
  public var latePercent = 0
  /// How long a late message takes at most, in milliseconds.
  public var lateMs = 30_000

  /// A network that only takes its time.
  public init() {}

  /// One that does it all.
  public static var hostile: NetworkFaults {
    var faults = NetworkFaults()
    faults.lostRequestPercent = 6
    faults.lostAnswerPercent = 6
    faults.duplicatePercent = 6
    faults.latePercent = 5
    return faults
  }
}
