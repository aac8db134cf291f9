import PaymentModels

/// Where a payment at the fake SEB stands. `INITIALIZED` and `SENT_FOR_PROCESSING` are documented,
/// the other words are settings.
enum SEBStatus: String, Sendable, CaseIterable {
  case initialized = "INITIALIZED"
  case sentForProcessing = "SENT_FOR_PROCESSING"
  case authorized = "AUTHORIZED"
  case captured = "CAPTURED"
  case refunded = "REFUNDED"
  case failed = "FAILED"
  case cancelled = "CANCELLED"
  case expired = "EXPIRED"
}

/// One payment of the fake SEB.
struct SEBPayment: SandboxPayment {
  let id: String
  let verificationKey: String
  let terms: SEBTerms
  let createdAt: Instant
  let expiresAt: Instant
  /// Scheme, host and port of the hosted page, and the path in front of it.
  let base: String
  var status = SEBStatus.initialized
  /// Tries, oldest first: one payment may need several.
  var sessions: [SEBSession] = []
  var captured: Money
  var refunded: Money
  /// When the bank has done what it was told.
  var settlesAt: Instant?
  /// Refunds that do not count yet.
  var pendingRefunds: [(amount: Money, at: Instant)] = []
  var trail = PaymentTrail<SEBFaults>()

  /// Whether the payer can still do something on the page.
  func isOpen(at now: Instant) -> Bool { status == .initialized && now < expiresAt }

  /// The try that is under way; nil if none is.
  var session: SEBSession? { sessions.last.flatMap { $0.status.isFinal ? nil : $0 } }
}

/// One try at a payment, by one method.
struct SEBSession: Sendable {
  let id: String
  let method: SEBMethod
  var status: SEBSessionStatus
}

/// A method of the page, by the values that the document gives for opening the page at one.
enum SEBMethod: String, Sendable, CaseIterable {
  case card
  case bank
  case clickToPay = "click-to-pay"
}

/// Where a try stands: EGW, *Checkout sessions*; the complete list.
enum SEBSessionStatus: String, Sendable, CaseIterable {
  case initialized = "INITIALIZED"
  case waitingAuthentication = "WAITING_AUTHENTICATION"
  case waitingChallenge = "WAITING_CHALLENGE"
  case waitingPreSCA = "WAITING_PRE_SCA"
  case waitingSCA = "WAITING_SCA"
  case waitingConfirmation = "WAITING_CONFIRMATION"
  case sentForProcessing = "SENT_FOR_PROCESSING"
  case failed = "FAILED"
  case completed = "COMPLETED"

  var isFinal: Bool { self == .failed || self == .completed }
}

/// A test card of the gateway's sandbox: any name, any future expiry, any three digits.
enum SEBCard: Sendable, Hashable {
  /// 5186 0000 0000 0005: authorises, after the bank's question.
  case authorises
  /// 5186 0000 0000 0013: fails.
  case fails

  /// Nil for every other number.
  init?(number: String) {
    switch number.filter({ $0 != " " && $0 != "-" }) {
    case "5186000000000005": self = .authorises
    case "5186000000000013": self = .fails
    default: return nil
    }
  }
}
