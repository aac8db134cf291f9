public import PaymentModels

/// How many rows of each kind there are and since when the oldest waits: what monitoring asks.
/// Nothing in it names an order, a payment or a buyer.
public struct StoreStatistics: Hashable, Sendable {
  /// Rows of one kind.
  public struct Queue: Hashable, Sendable {
    /// How many.
    public var count: Int
    /// Since when the oldest is there; nil if there is none.
    public var oldest: Instant?

    /// No rows unless told.
    public init(count: Int = 0, oldest: Instant? = nil) {
      self.count = count
      self.oldest = oldest
    }

    /// With one more row.
    public mutating func add(_ instant: Instant) {
      count += 1
      oldest = min(oldest ?? instant, instant)
    }
  }

  /// Payments of one provider in one state.
  public struct Payments: Hashable, Sendable {
    /// At which provider.
    public var provider: ProviderName
    /// The state; all that the kit has never seen count as ``PaymentStatus/unknown(_:)`` of
    /// nothing.
    public var status: PaymentStatus
    /// How many.
    public var count: Int

    /// Collects the three.
    public init(provider: ProviderName, status: PaymentStatus, count: Int) {
      self.provider = provider
      self.status = status
      self.count = count
    }
  }

  /// A provider, and its payments that wait.
  public struct Waiting: Hashable, Sendable {
    /// Which provider.
    public var provider: ProviderName
    /// Payments whose end is not known and that are still waited for; the oldest by their last
    /// proof, or by their creation where there was none yet.
    public var queue: Queue

    /// Collects the two.
    public init(provider: ProviderName, queue: Queue) {
      self.provider = provider
      self.queue = queue
    }
  }

  /// Open reviews of one kind.
  public struct Reviews: Hashable, Sendable {
    /// Which kind.
    public var kind: ReviewKind
    /// How many, the oldest by when it was opened.
    public var queue: Queue

    /// Collects the two.
    public init(kind: ReviewKind, queue: Queue) {
      self.kind = kind
      self.queue = queue
    }
  }

  /// All payments, by provider and then state.
  public var payments: [Payments] = []
  /// Payments that are waited for, by provider.
  public var waiting: [Waiting] = []
  /// Operations without an end.
  public var operations = Queue()
  /// Deliveries that are to be worked on.
  public var receivedWebhooks = Queue()
  /// Deliveries that match nothing.
  public var unmatchedWebhooks = Queue()
  /// Deliveries that were verified and are not for their account.
  public var rejectedWebhooks = Queue()
  /// Deliveries that were given up.
  public var parkedWebhooks = Queue()
  /// Messages that were not acknowledged yet.
  public var messages = Queue()
  /// Messages that were given up.
  public var deadMessages = Queue()
  /// Open reviews, by kind.
  public var reviews: [Reviews] = []

  /// An empty store's.
  public init() {}
}
