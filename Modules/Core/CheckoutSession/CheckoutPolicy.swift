public import KitEnvironment

/// Times and bounds of a device's checkouts.
public struct CheckoutPolicy: Hashable, Sendable {
  /// Waits after a read that failed, or that a server answered without waiting: 1 s doubled to
  /// 30 s, so that a server in trouble hears from a device twice a minute.
  public var readRetry = RetryPolicy(first: .seconds(1), cap: .seconds(30))
  /// Waits after a create without an answer.
  public var createRetry = RetryPolicy(first: .seconds(1), cap: .seconds(15))
  /// How long a read may be held by the server; below the 30 s after which many proxies cut.
  public var longPoll: Duration = .seconds(25)
  /// A run of reads ends after this long. A payer rarely looks at "confirming" longer, and the
  /// next event starts another run.
  public var watchCap: Duration = .seconds(300)
  /// A create is given up after this long; its key stays good.
  public var createCap: Duration = .seconds(120)
  /// A create without an answer is not sent again by a process that starts this much later, nor is
  /// a page opened that was not yet: the payer no longer expects one.
  public var intentAgeMax: Duration = .seconds(86_400)
  /// One process tells the server so often of a checkout that one kind of thing was seen; from
  /// then on it reads instead. More than a payer does, and all kinds together stay below what a
  /// server notes of an order: a page that sends the payer away for ever hides nothing there.
  public var signalRepeatsMax = 20
  /// Settled checkouts are kept this long, so that their late return links are still known; so are
  /// those of which the server knows nothing.
  public var settledAgeMax: Duration = .seconds(30 * 86_400)
  /// An outcome that was proven this recently is shown again at launch, however long ago its
  /// checkout was started: long enough for a payer who came back late, too short for old news.
  public var retellAgeMax: Duration = .seconds(86_400)
  /// Most checkouts kept; the oldest settled ones go first, one that is open never does.
  public var recordsMax = 100

  /// The values above.
  public init() {}
}
