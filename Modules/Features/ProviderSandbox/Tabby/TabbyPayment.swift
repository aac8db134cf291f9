import PaymentModels
import StrictJSON

/// One payment together with the session that made it.
struct TabbyPayment: SandboxPayment {
  let id: String
  let sessionID: String
  let merchant: TabbyMerchant
  let createdAt: Instant
  let sessionExpiresAt: Instant
  let amount: Money
  /// What the merchant sent, as far as reads give it back.
  let request: CheckoutRequest
  /// Why pre-scoring rejected the session; nil if it did not.
  let rejection: RejectionReason?

  var status: TabbyStatus
  var reference: String
  /// Scheme, host and port under which the payer reaches the hosted page.
  let origin: String
  var captures: [Item] = []
  var refunds: [Item] = []
  var authorizedAt: Instant?
  var closedAt: Instant?
  var expiredAt: Instant?
  /// What happens at the end of a fault's delay.
  var pendingOutcome: (status: TabbyStatus, at: Instant)?
  var page = PageProgress()
  var trail = PaymentTrail<TabbyFaults>()
  /// Webhooks that were due to be sent, to pick the delay of the next.
  var noticeCount = 0

  /// A capture or a refund.
  struct Item: Sendable, Hashable {
    let id: String
    let createdAt: Instant
    let amount: Money
    /// Empty if the merchant gave none.
    let reference: String
    let reason: String?
    /// Tax, shipping and discount as sent, and the items.
    let details: [JSONMember]
  }

  var capturedMinorUnits: Int64 { captures.reduce(0) { $0 + $1.amount.minorUnits } }
  var refundedMinorUnits: Int64 { refunds.reduce(0) { $0 + $1.amount.minorUnits } }

  func isSessionOpen(at now: Instant) -> Bool {
    status == .created && rejection == nil && now < sessionExpiresAt
  }
}

/// One line of a payment's story in the ledger.
enum TabbyEvent: Hashable {
  case status(TabbyStatus)
  case pageOpened, phoneEntered, codeEntered, documentAdded
  case cardChosen, bankChosen, bankApproved, bankDeclined
  case cancelFollowed, returned
  case captured, refunded, updated

  /// Its name in the ledger; a status stands as the API writes it.
  var name: String {
    switch self {
    case .status(let status): status.rawValue
    case .pageOpened: "page_opened"
    case .phoneEntered: "phone_entered"
    case .codeEntered: "code_entered"
    case .documentAdded: "document_added"
    case .cardChosen: "card_chosen"
    case .bankChosen: "bank_chosen"
    case .bankApproved: "bank_approved"
    case .bankDeclined: "bank_declined"
    case .cancelFollowed: "cancel_followed"
    case .returned: "returned"
    case .captured: "captured"
    case .refunded: "refunded"
    case .updated: "updated"
    }
  }
}

/// How far the payer got on the hosted page.
struct PageProgress: Sendable, Hashable {
  var phone: String?
  var hasCode = false
  var hasDocument = false
  /// The payer chose to confirm in the bank's app and has not done so.
  var waitsForBank = false
  /// The payer confirmed; what comes of it may still be pending.
  var isConfirmed = false
  /// Times that the bank said no.
  var bankDeclines = 0
}

/// Why pre-scoring says no.
enum RejectionReason: String, Sendable {
  case notAvailable = "not_available"
  case amountTooHigh = "order_amount_too_high"
  case amountTooLow = "order_amount_too_low"
}
