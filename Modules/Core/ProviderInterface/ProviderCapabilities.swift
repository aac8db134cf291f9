/// What a provider can do, as data, so that callers branch on a fact and not on a name.
public struct ProviderCapabilities: Hashable, Sendable {
  /// How the payer's money becomes ours.
  public enum Capture: String, Hashable, Sendable, CaseIterable {
    /// The provider takes it by itself when the payer pays.
    case automatic
    /// It is held first and captured by a call of ours.
    case separate
  }

  /// What a close of ours can end.
  public enum Close: String, Hashable, Sendable, CaseIterable {
    /// Nothing.
    case none
    /// What is held and not captured.
    case authorized
    /// That, and a payment that nobody has paid yet.
    case unpaid
  }

  /// What a refund of ours can give back.
  public enum Refund: String, Hashable, Sendable, CaseIterable {
    /// Nothing: it is made with the provider.
    case none
    /// All of the payment at once.
    case full
    /// Any part, several times.
    case partial
  }

  /// What tells that a webhook comes from the provider.
  public enum Webhook: String, Hashable, Sendable, CaseIterable {
    /// Nothing.
    case unsigned
    /// A header with a value that we chose.
    case staticHeader = "static_header"
    /// A signature over its bytes.
    case signed
  }

  /// What shows beyond doubt where a payment stands.
  public enum Proof: String, Hashable, Sendable, CaseIterable {
    /// An authenticated read of the payment.
    case read
    /// An authenticated read of the transaction that paid it, where the account may ask.
    case transactionRead = "transaction_read"
    /// The body of a webhook, signed by a scheme that is confirmed for the account.
    case signedWebhook = "signed_webhook"
  }

  /// Which payments the provider's API lists.
  public enum Listing: String, Hashable, Sendable, CaseIterable {
    /// None: a payment that the local book does not know cannot be found.
    case none
    /// Those that hold or held money, by ``PaymentListing``.
    case holdingMoney = "holding_money"
  }

  /// How the provider learns where webhooks go.
  public enum WebhookSetup: Hashable, Sendable {
    /// By ``WebhookRegistering``, for so many webhooks of one account.
    case api(webhooksMax: Int)
    /// A person enters the URL; `place` says where, as the end of a sentence.
    case byHand(place: String)
  }

  /// Whether a repeat of a create with the same key gives the same payment. If not, a lost
  /// create cannot be found again and a repeat makes a new provider payment.
  public var createHasIdempotencyKey: Bool
  /// How the payer's money becomes ours.
  public var capture: Capture
  /// What a close of ours can end.
  public var close: Close
  /// What a refund of ours can give back.
  public var refund: Refund
  /// Whether captures and refunds that a read shows carry our id of the operation, by which one
  /// whose answer was lost is found again.
  public var operationsCarryReference: Bool
  /// Whether the money of a payment goes back once at most, however often a refund is sent. If
  /// not, one whose answer was lost and that no read shows is never sent again.
  public var refundsOnce: Bool
  /// What tells that a webhook comes from the provider.
  public var webhook: Webhook
  /// How the provider learns where webhooks go.
  public var webhookSetup: WebhookSetup
  /// Which payments its API lists.
  public var listing: Listing
  /// What proves that a payment is paid.
  public var paidProofs: Set<Proof>
  /// What proves that paid money went back, by a refund, a dispute or a cancellation.
  public var undoneProofs: Set<Proof>
  /// The provider's words after which nobody can pay a payment any more. A time limit that
  /// passed, or a declined card, is none of them unless the provider says so.
  public var unpaidEnds: [String]
  /// When to read a payment that is not final: waits counted from its creation; the last one
  /// repeats.
  public var readSchedule: [Duration]
  /// Reads of one account that may be made within any minute; nil if its document says nothing.
  public var readsPerMinute: Int?
  /// Currencies that it takes, as codes.
  public var currencies: Set<String>
  /// Which currencies an account may have, in words.
  public var currencyNote: String

  /// Collects the facts.
  public init(
    createHasIdempotencyKey: Bool, capture: Capture, close: Close, refund: Refund,
    operationsCarryReference: Bool = true, refundsOnce: Bool = false,
    webhook: Webhook, webhookSetup: WebhookSetup = .byHand(place: "with the provider"),
    listing: Listing = .none, paidProofs: Set<Proof> = [.read], undoneProofs: Set<Proof> = [.read],
    unpaidEnds: [String] = [], readSchedule: [Duration], readsPerMinute: Int? = nil,
    currencies: Set<String>, currencyNote: String = "one, by setting"
  ) {
    precondition(!readSchedule.isEmpty, "every provider needs a read schedule")
    self.createHasIdempotencyKey = createHasIdempotencyKey
    self.capture = capture
    self.close = close
    self.refund = refund
    self.operationsCarryReference = operationsCarryReference
    self.refundsOnce = refundsOnce
    self.webhook = webhook
    self.webhookSetup = webhookSetup
    self.listing = listing
    self.paidProofs = paidProofs
    self.undoneProofs = undoneProofs
    self.unpaidEnds = unpaidEnds
    self.readSchedule = readSchedule
    self.readsPerMinute = readsPerMinute
    self.currencies = currencies
    self.currencyNote = currencyNote
  }
}
