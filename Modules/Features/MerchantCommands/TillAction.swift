public import CommandLineParser
public import PaymentModels

/// What a command line of `till` asks for.
public enum TillAction: Hashable, Sendable {
  /// Something that the merchant server answers.
  case ask(Request, asJSON: Bool)
  /// Something about where an account's webhooks go, which its provider answers.
  case endpoint(EndpointCommand, settings: String, asJSON: Bool)
  /// A look at settings, store, server and providers.
  case doctor(settings: String, asksProviders: Bool, asJSON: Bool)
  /// The checklist before real money moves.
  case goLive(settings: String, publicURL: String?, asJSON: Bool)
  /// A copy of a server's store, or a store from a copy.
  case copyStore(StoreCopy, settings: String, asJSON: Bool)
  /// The files of a new shop.
  case draft(ShopDraftOptions)
  /// Where a page for people is.
  case open(PageToOpen, inBrowser: Bool)
  /// What each provider can do.
  case providers(ProviderMatrix.Format)
  /// A local provider sandbox.
  case sandbox(SandboxOptions)
  /// A sample of the shop's receiver of fulfilment messages.
  case receive(ReceiverOptions)
  /// The providers' checklists against a backend.
  case conformance(ConformanceOptions)
  /// Sandbox and server together, until stopped.
  case run
  /// What lets a shell complete this command line.
  case completions(CompletionShell)

  /// A request to the merchant server.
  public enum Request: Hashable, Sendable {
    /// A new checkout: products with quantities, or an order that exists.
    case createCheckout(provider: String, items: [Item], order: String?, key: String?)
    /// One order.
    case showOrder(String)
    /// Everything that happened to an order.
    case explainOrder(String)
    /// Ask to cancel an order.
    case cancelOrder(String, reason: String)
    /// Everything that happened to a payment.
    case explainPayment(String, ExplainFormat)
    /// Money that moved on one day.
    case export(day: String, zone: String)
    /// One payment.
    case showPayment(String)
    /// One payment, read at its provider although it may have come to its end.
    case readPayment(String)
    /// The newest payments.
    case listPayments(limit: Int, before: String?)
    /// Follow a payment until it has come to its end.
    case watchPayment(String, seconds: Int)
    /// Something about received webhooks.
    case inbox(InboxRequest)
    /// Open cases, the oldest first.
    case listReviews(limit: Int, after: Int)
    /// One case.
    case showReview(Int)
    /// A decision about a case.
    case resolveReview(Int, ReviewDecision, reason: String, key: String?)
    /// Compare the providers' books with ours.
    case reconcile(sinceSeconds: Int64, applies: Bool)
    /// Something about messages to the shop's own systems.
    case outbox(OutboxRequest)
    /// What is paused.
    case listProviders
    /// Take no new checkouts at a provider, or take them again.
    case pause(provider: String, account: String?, isPaused: Bool, reason: String)
    /// Erase what is kept of a buyer.
    case eraseBuyer(String, reason: String)
    /// A capture, refund or close.
    case operate(Operation, payment: String, amount: String?, reason: String, key: String?)
  }

  /// A product and how many.
  public struct Item: Hashable, Sendable {
    /// The merchant's product id.
    public var product: String
    /// Pieces.
    public var quantity: Int64

    /// Builds an item.
    public init(product: String, quantity: Int64) {
      self.product = product
      self.quantity = quantity
    }

    /// Reads `PRODUCT` or `PRODUCT:QUANTITY`.
    init?(_ text: String) {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard let product = parts.first, !product.isEmpty, parts.count <= 2,
        parts.last?.hasPrefix("+") == false,
        let quantity = parts.count == 2 ? Int64(parts[1]) : 1, quantity > 0
      else { return nil }
      self.init(product: String(product), quantity: quantity)
    }
  }

  /// What an operator may do to a payment.
  public enum Operation: String, Hashable, Sendable {
    /// Take held money.
    case capture
    /// Give captured money back.
    case refund
    /// Cancel what is not captured.
    case close
  }
}

/// What `till endpoint` is to do, and for which account.
public struct EndpointCommand: Hashable, Sendable {
  /// What to do.
  public enum Request: Hashable, Sendable {
    /// Show the webhooks that the provider knows.
    case list
    /// Have it deliver to a URL.
    case register(url: String)
    /// Have it deliver to one of its webhooks no more.
    case remove(id: String)
  }

  /// What to do.
  public var request: Request
  /// At which provider.
  public var provider: String
  /// For which of its accounts; nil if there is one alone.
  public var account: String?

  /// Builds a command.
  public init(_ request: Request, provider: String, account: String? = nil) {
    self.request = request
    self.provider = provider
    self.account = account
  }
}

/// How `till sandbox` is to run.
public struct SandboxOptions: Hashable, Sendable {
  /// Port on 127.0.0.1; 0 lets the system choose.
  public var port: Int
  /// Whether requests must fit the published schema.
  public var isStrict: Bool

  /// Builds options.
  public init(port: Int, isStrict: Bool) {
    self.port = port
    self.isStrict = isStrict
  }
}
