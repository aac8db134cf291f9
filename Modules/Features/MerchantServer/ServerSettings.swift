public import HTTPExchange
public import KitEnvironment
public import PaymentModels

/// Bounds and waits of the merchant server.
public struct ServerSettings: Sendable {
  /// Entries of an order's journal after which device signals are not noted any more.
  public var signalEntriesMax = 500
  /// Entries on one page of a journal.
  public var journalEntriesMax = 1_000
  /// Longest span of `GET /v1/totals`.
  public var totalsSpanMax: Duration = .seconds(31 * 86_400)
  /// How long each worker of the backend has been silent, for `GET /readyz`.
  public var workerSilences: @Sendable () -> [WorkerSilence] = { [] }
  /// A worker that was silent for longer is taken for dead: a turn may wait for 256 slow reads.
  public var workerSilenceMax: Duration = .seconds(60)
  /// Bytes that are left on the store's disk; nil if nobody can tell.
  public var diskRoom: @Sendable () -> Int64? = { nil }
  /// With less than this, the server is not ready: its log and a checkpoint need so much.
  public var diskRoomMin: Int64 = 64 << 20
  /// Longest body of an API request, bytes.
  public var bodyBytesMax = 64 * 1_024
  /// Longest `?wait=`; a longer wish counts as this.
  public var waitMax: Duration = .seconds(30)
  /// How long an answer waits for a provider's read before it says `fresh: false`.
  public var freshWaitMax: Duration = .seconds(5)
  /// Requests that may wait for a change at once; beyond it they are answered at once.
  public var waitersMax = 20_000
  /// Payments or webhook deliveries on one page at the most.
  public var pageMax = 100
  /// How many requests one peer may send.
  public var rateLimits = RateLimits()
  /// Proxies in front of the server, whose `X-Forwarded-For` counts.
  public var trustedProxies: [IPRange] = []
  /// What `GET /checkout/api/egw/v1/payments/{id}` answers; nil answers nothing there.
  public var lookup: PaymentLookup?
  /// The apps that may open the server's addresses; none answers 404 below `/.well-known`.
  public var associations = AppAssociations()
  /// A word for this process, which `GET /healthz` tells: who asks at two addresses sees whether
  /// they lead to one. Nil tells none.
  public var instance: String?
  /// Where the page of `GET /return/{outcome}` leads: this, `/`, the outcome, and the query as it
  /// came. An app's deep link without a query: `tillshop://checkout`.
  public var appReturnBase: String

  /// The defaults, with the app's deep link.
  public init(appReturnBase: String) {
    self.appReturnBase = appReturnBase
  }
}

/// A provider's own app SDK asks the merchant for a payment's state, by the provider's id.
public struct PaymentLookup: Sendable {
  /// Whose payments are shown.
  public var provider: ProviderName
  /// The word for a state, as the account that the payment was made through has it.
  public var statusWord: @Sendable (ProviderAccount, PaymentStatus) -> String
  /// Requests answered in a minute, from whomever they come: nothing tells one caller from
  /// another, and each may cause a read at the provider.
  public var requestsPerMinuteMax = 600

  /// Shows the payments of one provider.
  public init(
    provider: ProviderName,
    statusWord: @escaping @Sendable (ProviderAccount, PaymentStatus) -> String
  ) {
    self.provider = provider
    self.statusWord = statusWord
  }
}
