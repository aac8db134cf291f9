public import KitEnvironment
public import PaymentModels

/// Where messages go and how.
public struct OutboxSettings: Sendable {
  /// Absolute URL of the merchant's receiver.
  public var url: String
  /// The signing secret's bytes.
  public var secret: Secret
  /// Waits after a try that was not acknowledged.
  public var backoff = RetryPolicy(first: .seconds(1), cap: .seconds(900))
  /// Tries before a message is given up: with the waits above some three days, so that a receiver
  /// may be out over a weekend. A person then has it sent again.
  public var triesMax = 400
  /// The receiver has this long to answer.
  public var deadline: Duration = .seconds(15)
  /// How long one process keeps a message to itself: longer than a try can take, so that no other
  /// process sends it meanwhile.
  public var lease: Duration { deadline + .seconds(5) }
  /// How often the store is looked at for messages that are due.
  public var tick: Duration = .milliseconds(200)
  /// Messages sent at once, each of another order.
  public var batchMax = 16

  /// Sends to `url`, signed with `secret`.
  public init(url: String, secret: Secret) {
    self.url = url
    self.secret = secret
  }
}
