public import PaymentModels
public import StrictJSON

/// What a judge may look at: what the providers and the shop know, what payers were shown, and what
/// the merchant's book claims. Times are the providers'. The book was read before the ledger.
public struct PaymentEvidence: Sendable {
  /// A message that reached the shop and was acknowledged.
  public struct Receipt: Sendable, Hashable {
    /// When.
    public var at: Instant
    /// The id that the shop dedupes by.
    public var messageID: String
    /// `order.fulfil`, `order.revoke`, …
    public var type: String
    /// About which order.
    public var orderID: String

    /// Collects the values.
    public init(at: Instant, messageID: String, type: String, orderID: String) {
      self.at = at
      self.messageID = messageID
      self.type = type
      self.orderID = orderID
    }
  }

  /// Something that a payer was shown.
  public struct Screen: Sendable, Hashable {
    /// When.
    public var at: Instant
    /// Of which checkout.
    public var checkout: String
    /// Its order, once known.
    public var orderID: String?
    /// Its payment, once known.
    public var paymentID: String?
    /// `preparing`, `confirming`, `not_started`, or the word of an outcome: `succeeded`,
    /// `cancelled`, `rejected`, `expired`, `still_confirming`, `under_review`; or `left` once the
    /// payer has gone on to another checkout of the order, and sees this one no more.
    public var shows: String

    /// Collects the values.
    public init(
      at: Instant, checkout: String, orderID: String?, paymentID: String?, shows: String
    ) {
      self.at = at
      self.checkout = checkout
      self.orderID = orderID
      self.paymentID = paymentID
      self.shows = shows
    }
  }

  /// `GET /sandbox/ledger` of the providers' sandboxes.
  public var ledger: JSONValue
  /// In the order of arrival, repeats included.
  public var receipts: [Receipt]
  /// In the order of showing.
  public var screens: [Screen]
  /// By order id.
  public var book: [BookOrder]
  /// Orders that the merchant asked to cancel: money that comes for them waits for a person.
  public var cancelled: Set<String>
  /// Orders of which a person has decided a case.
  public var decided: Set<String>
  /// Whether goods may go out as soon as money is held.
  public var fulfilsOnHold: Bool
  /// Whether money that is held is taken without an operator.
  public var takesHeldMoney: Bool
  /// Where something was seen that nobody may know there, one sentence each.
  public var leaks: [String]
  /// Deliveries of providers that the book is to work on.
  public var inbox: BookInbox
  /// The book's journal, followed line by line up to what the book was when it was read.
  public var journal: JournalReplay
  /// By payment: minor units that the merchant asked to be given back, where that was a part.
  public var partsAsked: [String: Int64]

  /// Collects the evidence.
  public init(
    ledger: JSONValue, receipts: [Receipt], screens: [Screen], book: [BookOrder],
    cancelled: Set<String> = [], decided: Set<String> = [], fulfilsOnHold: Bool = false,
    takesHeldMoney: Bool = true, leaks: [String] = [], partsAsked: [String: Int64] = [:],
    inbox: BookInbox = BookInbox(), journal: JournalReplay
  ) {
    self.ledger = ledger
    self.receipts = receipts
    self.screens = screens
    self.book = book
    self.cancelled = cancelled
    self.decided = decided
    self.fulfilsOnHold = fulfilsOnHold
    self.takesHeldMoney = takesHeldMoney
    self.leaks = leaks
    self.partsAsked = partsAsked
    self.inbox = inbox
    self.journal = journal
  }
}

/// What the merchant's store has to do with deliveries.
public struct BookInbox: Sendable, Hashable {
  /// Deliveries that are still to be worked on.
  public var waiting: Int
  /// Those of them that nobody comes back to.
  public var unowned: Int
  /// Rows of an event that another row is of, by the provider's own id of the event or, while both
  /// wait, by their bytes.
  public var twins: Int

  /// Collects the counts.
  public init(waiting: Int = 0, unowned: Int = 0, twins: Int = 0) {
    self.waiting = waiting
    self.unowned = unowned
    self.twins = twins
  }
}

/// An order as the merchant's store has it.
public struct BookOrder: Sendable, Hashable {
  /// The order.
  public var orderID: String
  /// What the shop asks for it, minor units.
  public var total: Int64
  /// `pending`, `paid`, …
  public var state: String
  /// Kinds of its open cases.
  public var openReviews: [String]
  /// Messages that no receiver has acknowledged, those given up included.
  public var undelivered: Int
  /// Messages that a receiver has acknowledged.
  public var delivered: Int
  /// Messages that are sent no more, until a person has them sent.
  public var givenUp: Int
  /// Payments in the order of their attempts.
  public var payments: [BookPayment]

  /// Collects the claims.
  public init(
    orderID: String, total: Int64, state: String, openReviews: [String] = [],
    undelivered: Int = 0, delivered: Int = 0, givenUp: Int = 0, payments: [BookPayment]
  ) {
    self.orderID = orderID
    self.total = total
    self.state = state
    self.openReviews = openReviews
    self.undelivered = undelivered
    self.delivered = delivered
    self.givenUp = givenUp
    self.payments = payments
  }
}

/// A payment as the merchant's store has it. Sums are minor units.
public struct BookPayment: Sendable, Hashable {
  /// The kit's own id.
  public var paymentID: String
  /// Every id that the provider gave for it.
  public var providerPaymentIDs: [String]
  /// `created`, `captured`, …
  public var status: String
  /// Sum of captures.
  public var captured: Int64
  /// Sum of refunds and charge-backs.
  public var returned: Int64
  /// Whether somebody looks after what is not at its end: a next read, a next try.
  public var isOwned: Bool
  /// Captures, refunds and closes without an end, but for those that the provider has taken on, and
  /// those that a person was asked about by an open case.
  public var operationsInFlight: Int
  /// Whether the provider has taken an operation on and does not show it yet: it is waited for, and
  /// put before a person when it takes too long.
  public var isAwaitingProvider: Bool
  /// Whether the merchant waits for it no more: it is looked at once a day.
  public var isLapsed: Bool
  /// Whether one worker has it to itself for longer than any works on it, so that no other may.
  public var isStuck: Bool

  /// Collects the claims.
  public init(
    paymentID: String, providerPaymentIDs: [String], status: String, captured: Int64,
    returned: Int64 = 0, isOwned: Bool = true, operationsInFlight: Int = 0,
    isAwaitingProvider: Bool = false, isLapsed: Bool = false, isStuck: Bool = false
  ) {
    self.paymentID = paymentID
    self.providerPaymentIDs = providerPaymentIDs
    self.status = status
    self.captured = captured
    self.returned = returned
    self.isOwned = isOwned
    self.operationsInFlight = operationsInFlight
    self.isAwaitingProvider = isAwaitingProvider
    self.isLapsed = isLapsed
    self.isStuck = isStuck
  }
}
