/// Something that the network does to messages, each by the seed's chance.
public enum NetworkFault: String, Sendable, Hashable, CaseIterable {
  /// A request that nobody receives; the sender learns it at its deadline.
  case lostRequest = "lost request"
  /// An answer that nobody receives: the receiver has done its work all the same.
  case lostAnswer = "lost answer"
  /// A request that arrives twice.
  case duplicate = "doubled request"
  /// A message that takes up to ``NetworkFaults/lateMs``, and so is overtaken by others.
  case late = "late message"
  /// A proxy answers with an HTML page in the place of what was answered.
  case proxyPage = "proxy's page"
  /// An answer that breaks off in the middle.
  case truncated = "truncated answer"
}

/// What the network between the parties does to messages.
public struct NetworkFaults: Sendable, Hashable {
  /// How long one way takes, in milliseconds.
  public var latencyMs = 1...80
  /// How long a late message takes at most, in milliseconds.
  public var lateMs = 30_000
  private var percents: [NetworkFault: Int] = [:]

  /// A network that only takes its time.
  public init() {}

  /// How many of a hundred messages meet a fault.
  public subscript(fault: NetworkFault) -> Int {
    get { percents[fault, default: 0] }
    set { percents[fault] = newValue }
  }

  /// One that does it all.
  public static var hostile: NetworkFaults {
    var faults = NetworkFaults()
    for fault in NetworkFault.allCases { faults[fault] = 5 }
    return faults
  }
}
