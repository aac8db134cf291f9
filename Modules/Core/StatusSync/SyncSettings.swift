public import HTTPExchange
public import KitEnvironment
public import PaymentModels
public import PaymentStore

/// Bounds and waits of the status sync.
public struct SyncSettings: Sendable {
  /// What is done by itself once money is held or taken.
  public var policy = SettlementPolicy()
  /// Least time between two reads of one payment at the provider.
  public var readGap: Duration = .seconds(2)
  /// Provider reads at once.
  public var readsMax = 16
  /// Payments whose reads may wait or be under way; callers beyond get what is stored.
  public var readQueueMax = 10_000
  /// Reads of an account within any minute, where the merchant knows better than its provider's
  /// document. Of each process: two servers on one store take half each.
  public var readsPerMinute: [AccountKey: Int] = [:]
  /// The same for accounts whose provider names no limit: what the one that names one grants a
  /// test key, less a tenth for other calls.
  public var readsPerMinuteUsual = 2_700
  /// How long one process keeps a payment to itself for a read; longer than a call's deadline.
  public var lease: Duration = .seconds(20)
  /// The longest for which any worker over the same store keeps anything to itself. What is pending
  /// is brought no nearer than this when the clock was set back or the server starts.
  public var leaseLongest: Duration = .seconds(20)
  /// How often the store is looked at for what is due.
  public var tick: Duration = .milliseconds(500)
  /// Rows taken from the store at once.
  public var batchMax = 100
  /// How long an open payment is waited for. After that, and after a fresh read that still says
  /// "not paid", the order may be cancelled or tried anew; money that comes later is late money.
  public var lapseAfter: Duration = .seconds(86_400)
  /// How long held money may wait for its capture before a person is asked. Tabby captures by
  /// itself after 21 days, and cards let go sooner.
  public var holdAlertAfter: Duration = .seconds(3 * 86_400)
  /// Tries to work on a webhook before it is parked.
  public var webhookTriesMax = 12
  /// The same for one whose signed body may tell what no read can: a day of waits, since it may be
  /// lost for good while the provider is out.
  public var proofTriesMax = 300
  /// Tries of the last read of a payment's life: what it could still tell is most unlikely.
  public var lastReadTriesMax = 12
  /// Signed deliveries of each provider kept that match no payment, newest first. They wait for the
  /// answer to a create, and the schedule reads without them; a peer that makes ids up must not
  /// fill the disk.
  public var unmatchedMax = 1_000
  /// Reads a minute at one provider of ids that came in unsigned deliveries and that nobody knows:
  /// anybody can make ids up, and each costs one of the calls that the provider grants us. Beyond,
  /// such a delivery is answered with 503. The schedule reads what is ours without them.
  public var unknownReadsMax = 10
  /// Unsigned deliveries of each provider kept that name nothing known; beyond, another one is
  /// answered with 503. At a kilobyte each that is ten megabytes.
  public var unknownMax = 10_000
  /// How long those are kept: a create whose answer is not here by then has come to its end.
  public var unknownLife: Duration = .seconds(86_400)
  /// Worked-off deliveries of each provider kept, newest first: the provider's second delivery of
  /// an older event costs a read and changes nothing.
  public var doneMax = 100_000
  /// Rejected deliveries of each provider kept, newest first; one tells what is wrong.
  public var rejectedMax = 1_000
  /// Parked deliveries of each provider kept, newest first; more have one cause.
  public var parkedMax = 10_000
  /// How long the bytes of a delivery are kept; hash and ids stay.
  public var bodyLife: Duration = .seconds(30 * 86_400)
  /// How often the inbox is brought within its bounds.
  public var upkeepWait: Duration = .seconds(3_600)
  /// Longest body of a delivery that nobody signs, bytes: an id and a reference need 200.
  public var unsignedBodyMax = 1_024
  /// Where an account's deliveries may come from; one that is not named here takes them from
  /// anywhere. It stands beside the check of the signature and never for it.
  public var webhookSources: [AccountKey: [IPRange]] = [:]
  /// Proxies in front of the server, whose `X-Forwarded-For` counts.
  public var trustedProxies: [IPRange] = []
  /// Webhooks worked on at once; each mostly waits for a read.
  public var webhooksMax = 256
  /// Bounds of a comparison of the books.
  public var reconcile = ReconcileSettings()
  /// Waits after a read or a webhook's try that brought nothing.
  public var backoff = RetryPolicy(first: .seconds(1), cap: .seconds(300))

  /// The defaults.
  public init() {}
}
