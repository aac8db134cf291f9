public import PaymentModels

/// What the fake SEB accepts, and how it behaves where the public pages leave a choice.
///
/// Each value but the client can be changed while it runs, through the control API.
public struct SEBSandboxSettings: Sendable {
  /// Clients that are given tokens.
  public var clients: [SEBSandboxClient]
  /// Life of a token, by the machine's clock. Not documented.
  public var tokenLifeMs: Int64 = 300_000
  /// Whether money is taken at once, or held until a capture. Not documented.
  public var capturesAtOnce = true
  /// Life of an unpaid payment. Not documented.
  public var lifeMs: Int64 = 86_400_000
  /// Word of `paymentStatus` for money that is held. Not documented, as the next five.
  public var authorizedWord: String? = "AUTHORIZED"
  /// Word for money that was taken.
  public var capturedWord: String? = "CAPTURED"
  /// Word for money that was given back.
  public var refundedWord: String? = "REFUNDED"
  /// Word for a payment that was refused for good.
  public var failedWord: String? = "FAILED"
  /// Word for a payment that was cancelled.
  public var cancelledWord: String? = "CANCELLED"
  /// Word for a payment whose time ran out.
  public var expiredWord: String? = "EXPIRED"
  /// Where the answer to a create names the page. Not documented.
  public var redirectPlace = SEBRedirectPlace.flat
  /// Whether amounts in answers are numbers, as the older examples have them.
  public var showsNumbers = false
  /// Whether a payment states its sums. Not documented.
  public var showsSums = true
  /// Whether a refund may be of a part. Not documented.
  public var allowsPartialRefunds = true
  /// Whether an operation is answered by the payment, or by nothing of use. Not documented.
  public var answersWithPayment = true
  /// The query parameter by which the page is opened at one method. Not documented.
  public var methodParameter: String? = "method"
  /// Where callbacks go; nil sends none, as the document says of a shop without the setting.
  public var webhookURL: String?
  /// Waits before the repeats of a callback, as documented: 1 s, 5 min, 1 h, 1, 2 and 3 days.
  public var webhookRetryMs: [Int64] = [
    1_000, 300_000, 3_600_000, 86_400_000, 172_800_000, 259_200_000,
  ]
  /// Faults of every payment that has none of its own.
  public var faults = SEBFaults()

  /// The assumed behaviour, for the given clients.
  public init(clients: [SEBSandboxClient] = [.demo]) { self.clients = clients }
}

/// A client of the fake SEB, and the shop that it acts for.
public struct SEBSandboxClient: Sendable, Hashable {
  /// Its id.
  public var id: String
  /// Its secret.
  public var secret: Secret
  /// The merchant as a participant.
  public var participantID: String
  /// The shop.
  public var shopAgreementID: String

  /// Collects the values.
  public init(id: String, secret: Secret, participantID: String, shopAgreementID: String) {
    self.id = id
    self.secret = secret
    self.participantID = participantID
    self.shopAgreementID = shopAgreementID
  }

  /// The client of demos; it opens nothing but a sandbox.
  public static let demo = SEBSandboxClient(
    id: "till-demo", secret: Secret("till-demo-secret-0001"), participantID: "till-participant",
    shopAgreementID: "till-shop")
}

/// Where the answer to a create names the page.
public enum SEBRedirectPlace: String, Sendable, CaseIterable {
  /// `checkoutRedirect`, as SEB's page reads it.
  case flat
  /// `_links.checkoutRedirect.href`, as the gateway's sessions have it.
  case links
}

/// Ways to misbehave, at large or for one payment.
public struct SEBFaults: Sendable, Hashable {
  /// A bank payment that was confirmed stays `SENT_FOR_PROCESSING` so long.
  public var settleDelayMs: Int64 = 3_000
  /// The bank does not pay what was confirmed.
  public var bankFails = false
  /// A refund counts so much later.
  public var refundDelayMs: Int64 = 0
  /// Times that each callback is sent.
  public var webhookCopies: Int64 = 1
  /// Wait before each callback.
  public var webhookDelayMs: Int64 = 0
  /// Send no callback at all.
  public var dropsWebhooks = false
  /// Decimal that reads of the payment show instead of its own amount.
  public var readAmount: String?
  /// Answers that go wrong, first match first.
  public var answers: [SEBAnswerFault] = []

  /// No fault.
  public init() {}
}

/// Spoils the answer to some calls.
public typealias SEBAnswerFault = AnswerFault<SEBCall>

/// A call of the merchant's server.
public enum SEBCall: String, Sendable, CaseIterable {
  /// `POST …/openid-connect/token`
  case token
  /// `POST /egw/v1/payments/cit`
  case create
  /// `GET /egw/v1/payments/{paymentId}`
  case read
  /// `POST /egw/v1/payments/{paymentId}/capture`
  case capture
  /// `POST /egw/v1/payments/{paymentId}/cancel`
  case cancel
  /// `POST /egw/v1/refunds`
  case refund
}
