public import PaymentModels

/// The rows that one transaction sees and writes. Valid only inside the body that got it.
///
/// Lists come in the order of their key unless a method says otherwise, at most `limit` long.
/// A row that names an order or payment which is not stored throws `constraint`; journal entries
/// and webhook deliveries may name what they like.
public protocol PaymentTransaction: AnyObject {
  // Orders
  /// Adds an order. Throws `duplicate` if its id is taken.
  func insertOrder(_ order: OrderRow) throws
  /// The order, or nil.
  func order(_ id: OrderID) throws -> OrderRow?
  /// The order; its lines are left out by a store that would have to look for them.
  func orderWithoutLines(_ id: OrderID) throws -> OrderRow?
  /// Replaces the order's row and adds 1 to its version. Throws `stale` if the stored version is
  /// not the given one's, `missing` if there is no such order. The lines are a snapshot and stay
  /// as they were inserted.
  func updateOrder(_ order: OrderRow) throws

  // Payments
  /// Adds a payment. Throws `duplicate` if its id, or its order's attempt number, is taken.
  func insertPayment(_ payment: PaymentRow) throws
  /// The payment, or nil.
  func payment(_ id: PaymentID) throws -> PaymentRow?
  /// The payment that a provider's id belongs to, current or earlier.
  func payment(_ provider: ProviderName, _ id: ProviderPaymentID) throws -> PaymentRow?
  /// What is shown of a payment, or nil: for the one question that devices ask again and again.
  func shownPayment(_ id: PaymentID) throws -> ShownPayment?
  /// All payments of an order, by attempt number.
  func payments(of order: OrderID) throws -> [PaymentRow]
  /// Payments by id, newest first, those older than `before` only.
  func payments(before: PaymentID?, limit: Int) throws -> [PaymentRow]
  /// The same of those that a filter takes.
  func payments(matching filter: PaymentFilter, before: PaymentID?, limit: Int) throws
    -> [PaymentRow]
  /// Payments whose id begins with `prefix`, newest first.
  func payments(idPrefix prefix: String, limit: Int) throws -> [PaymentRow]
  /// Every provider that a payment was made at, by name.
  func paymentProviders() throws -> [ProviderName]
  /// Every account that a payment was made through, by provider and name.
  func paymentAccounts() throws -> [AccountKey]
  /// How many payments there are.
  func paymentCount() throws -> Int
  /// Replaces the row and adds 1 to its version; `stale` and `missing` as for orders. A payment
  /// that names its provider id, here and at insert, is linked to it as by ``link(_:_:to:)``.
  func updatePayment(_ payment: PaymentRow) throws
  /// Records that a provider's id belongs to a payment. Repeating it is fine; throws `duplicate`
  /// if it belongs to another payment.
  func link(_ provider: ProviderName, _ id: ProviderPaymentID, to payment: PaymentID) throws
  /// Every provider id linked to a payment, oldest first.
  func providerPaymentIDs(of payment: PaymentID) throws -> [ProviderPaymentID]
  /// Payments whose `schedule.nextReadAt` has come and that no lease holds, most overdue first;
  /// with `account`, those made through it.
  func paymentsDue(of account: AccountKey?, at now: Instant, limit: Int) throws -> [PaymentRow]
  /// The same of one account, and of those whose end is not known and that are waited for, or of
  /// all others.
  func paymentsDue(
    of account: AccountKey, isLive: Bool, at now: Instant, limit: Int
  ) throws -> [PaymentRow]
  /// Writes the fields that only say when and by whom the payment is read next, and leaves the
  /// row's version as it is, so that nobody who waits for a change is woken by them.
  /// Throws `missing` if there is no such payment.
  func schedulePayment(_ id: PaymentID, _ schedule: ReadSchedule) throws
  /// Makes everything that is pending due at `limit` at the latest: reads of payments whose end
  /// is not known, with their leases, operations in flight, `received` deliveries, and messages.
  /// For a clock that was set back: what was due by the old one would wait as long as it was ahead.
  func bringForward(to limit: Instant) throws

  // Items
  /// Adds or replaces a movement of money, by payment, kind and provider item id.
  ///
  /// - Parameter learnedAt: now; the first one stays, also when the movement is replaced.
  func putItem(_ item: PaymentItem, of payment: PaymentID, learnedAt: Instant) throws
  /// The money that moved from `start` on and before `end`, by account and currency, in their
  /// order. A movement counts at the time that the provider names, else when it was learned.
  func moneyTotals(from start: Instant, to end: Instant) throws -> [MoneyTotal]
  /// All movements on a payment, by kind and then provider item id.
  func items(of payment: PaymentID) throws -> [PaymentItem]

  // Operations
  /// Adds an operation. Throws `duplicate` if its id is taken.
  func insertOperation(_ operation: OperationRow) throws
  /// The operation, or nil.
  func operation(_ id: OperationID) throws -> OperationRow?
  /// Replaces the operation's row. Throws `missing` if there is none.
  func updateOperation(_ operation: OperationRow) throws
  /// All operations of a payment, by id.
  func operations(of payment: PaymentID) throws -> [OperationRow]
  /// Operations without an end whose `nextTryAt` has come, by that time and then id.
  func operationsDue(at now: Instant, limit: Int) throws -> [OperationRow]

  // Inbox
  /// Adds a webhook delivery. Throws `duplicate` if its id is taken; at the end of the body, if
  /// nothing else is asked of the store after it.
  func insertWebhook(_ webhook: WebhookRow) throws
  /// The delivery, or nil.
  func webhook(_ id: WebhookID) throws -> WebhookRow?
  /// Replaces the delivery's row. Throws `missing` if there is none.
  func updateWebhook(_ webhook: WebhookRow) throws
  /// Deliveries in state `received` whose `nextTryAt` has come, oldest first; with `account`, those
  /// that came to it.
  func webhooksDue(of account: AccountKey?, at now: Instant, limit: Int) throws -> [WebhookRow]
  /// A delivery with the same provider and body hash that is `received`, `unmatched` or
  /// `rejected`, if any.
  func openWebhook(_ provider: ProviderName, bodyHash: String) throws -> WebhookRow?
  /// The first delivery to an account with that event id of the provider's, if any.
  func webhook(
    _ provider: ProviderName, _ account: ProviderAccount, eventID: String
  ) throws -> WebhookRow?
  /// Deliveries, newest first: those in a state, at a provider and with a smaller id than `before`,
  /// each if given.
  func webhooks(
    in state: WebhookRow.State?, at provider: ProviderName?, before: WebhookID?, limit: Int
  ) throws -> [WebhookRow]
  /// Deliveries in state `unmatched` that name this provider's id, or this payment of ours.
  func unmatchedWebhooks(
    _ provider: ProviderName, naming id: ProviderPaymentID?, or payment: PaymentID?
  ) throws -> [WebhookRow]
  /// How many deliveries to a provider are in that state.
  func webhookCount(in state: WebhookRow.State, at provider: ProviderName) throws -> Int
  /// Deletes the oldest deliveries to a provider in that state until `newest` are left, at most
  /// `limit` of them. Returns how many.
  @discardableResult
  func removeWebhooks(
    _ provider: ProviderName, in state: WebhookRow.State, keeping newest: Int, limit: Int
  ) throws -> Int
  /// Deletes unsigned deliveries in state `unmatched` that came before `time`, at most `limit` of
  /// them. Returns how many.
  func removeUnsignedWebhooks(receivedBefore time: Instant, limit: Int) throws -> Int
  /// Erases the bytes and headers of deliveries that came before `time`, at most `limit` of them,
  /// and notes `now` as when. Returns how many.
  func eraseWebhookBodies(
    receivedBefore time: Instant, limit: Int, at now: Instant
  ) throws -> Int

  // Outbox
  /// Adds a message. Throws `duplicate` if its id, or its order's sequence, is taken.
  func insertMessage(_ message: MessageRow) throws
  /// Replaces the message's row. Throws `missing` if there is none.
  func updateMessage(_ message: MessageRow) throws
  /// Undelivered messages whose `nextTryAt` has come, by that time and then id; of each order
  /// only the undelivered one with the lowest sequence.
  func messagesDue(at now: Instant, limit: Int) throws -> [MessageRow]
  /// The message, or nil.
  func message(_ id: MessageID) throws -> MessageRow?
  /// Messages, newest first: those in a state and with a smaller id than `before`, each if given.
  func messages(
    in state: MessageRow.State?, before: MessageID?, limit: Int
  ) throws -> [MessageRow]
  /// All messages of an order, by sequence.
  func messages(of order: OrderID) throws -> [MessageRow]

  // Journal
  /// Adds an entry; the store gives it the next sequence number.
  func appendJournal(_ entry: JournalEntry) throws
  /// The entries of an order and of all its payments, in their order; those with a greater
  /// sequence than `after` only.
  func journal(of order: OrderID, after: Int64, limit: Int) throws -> [JournalEntry]
  /// All entries with a greater sequence than `after`, in their order.
  func journal(after: Int64, limit: Int) throws -> [JournalEntry]
  /// The entry that last changed a payment by proof; nil if none did.
  func lastChange(of payment: PaymentID) throws -> JournalEntry?
  /// When anything was last noted about a payment; nil if never.
  func lastNoted(_ payment: PaymentID) throws -> Instant?
  /// The entries behind which a delivery is, newest first.
  func journal(of webhook: WebhookID, limit: Int) throws -> [JournalEntry]

  // Idempotency keys of our own API
  /// What a key was first used for, or nil.
  func idempotency(_ scope: String, _ key: String) throws -> IdempotencyRow?
  /// Records a key's first use. Throws `duplicate` if it is known.
  func insertIdempotency(_ row: IdempotencyRow) throws

  // Pauses
  /// Every pause, by provider and then account, that of all accounts first.
  func pauses() throws -> [PauseRow]
  /// Adds a pause, or replaces the one of the same provider and account.
  func putPause(_ pause: PauseRow) throws
  /// Ends the pause of exactly that provider and account. Returns whether there was one.
  func removePause(_ provider: ProviderName, _ account: ProviderAccount?) throws -> Bool

  // Buyers
  /// Erases what the store keeps of a buyer and that no book needs: the bytes of deliveries about
  /// their payments, the requests by which those were made, and pages and secrets of those that
  /// have come to their end. What is still worked on stays.
  func eraseBuyer(_ subject: Subject, at now: Instant) throws -> ErasedBuyer

  // Reviews
  /// Opens a review unless one of the kind is open on that payment (or order, if none). Returns
  /// whether it was opened.
  func openReview(_ review: ReviewRow) throws -> Bool
  /// Replaces what was decided about a review, by its number, and when it was closed; the rest
  /// stays as it was opened. Throws `missing` if there is none.
  func updateReview(_ review: ReviewRow) throws
  /// The review of that number, or nil.
  func review(_ number: Int64) throws -> ReviewRow?
  /// Open reviews with a greater number than `after`, by number, so the oldest first.
  func openReviews(after number: Int64, limit: Int) throws -> [ReviewRow]
  /// All reviews of an order, oldest first.
  func reviews(of order: OrderID) throws -> [ReviewRow]

  // Upkeep
  /// Writes one small row, by which is learned whether anything can be written.
  func probe(at now: Instant) throws

  // Monitoring
  /// What there is, in numbers.
  func statistics() throws -> StoreStatistics
}

extension PaymentTransaction {
  /// The first entries of an order and of all its payments, in their order.
  public func journal(of order: OrderID, limit: Int) throws -> [JournalEntry] {
    try journal(of: order, after: 0, limit: limit)
  }
}
