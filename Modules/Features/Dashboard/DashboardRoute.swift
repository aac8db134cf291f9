import MerchantAPI
import PaymentModels
import PaymentStore

/// A page of the dashboard, or something that a page asks for.
enum DashboardRoute: Hashable {
  /// `GET /dashboard`
  case overview
  /// `GET /dashboard/payments?state=…&provider=…&q=…&before=…`
  case payments
  /// `GET /dashboard/payments/{payment_id}`
  case payment(PaymentID)
  /// `GET` and `POST /dashboard/payments/{payment_id}/{capture|refund|close|read}`
  case action(PaymentAction, PaymentID)
  /// `GET /dashboard/reviews?after=…`
  case reviews
  /// `GET` and `POST /dashboard/reviews/{number}`
  case review(Int64)
  /// `GET /dashboard/inbox?state=…&before=…`
  case inbox
  /// `GET /dashboard/outbox?state=…&before=…`
  case outbox
  /// `GET` and `POST /dashboard/inbox/{webhook_id}`
  case delivery(WebhookID)
  /// `GET` and `POST /dashboard/outbox/{message_id}`
  case message(MessageID)
  /// `GET /dashboard/events?after=…&order=…`: server-sent events.
  case events
  /// `GET` and `POST /dashboard/sign-in`
  case signIn
  /// `POST /dashboard/sign-out`
  case signOut
  /// `GET /dashboard/assets/{hash}/{name}`
  case asset(String, String)

  /// The path that all others begin with.
  static let root = "/dashboard"

  /// Whether a path is the dashboard's business.
  static func owns(_ path: String) -> Bool {
    path == root || path.utf8.starts(with: "\(root)/".utf8)
  }

  /// The route of a path; nil if there is none.
  init?(path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(
      String.init)
    guard parts.first == "dashboard" else { return nil }
    switch (parts.count, parts.dropFirst().first) {
    case (1, _): self = .overview
    case (2, "payments"): self = .payments
    case (2, "reviews"): self = .reviews
    case (2, "inbox"): self = .inbox
    case (2, "outbox"): self = .outbox
    case (2, "events"): self = .events
    case (2, "sign-in"): self = .signIn
    case (2, "sign-out"): self = .signOut
    case (3, "payments") where isCanonicalUUID(parts[2]): self = .payment(PaymentID(parts[2]))
    case (3, "inbox") where isCanonicalUUID(parts[2]): self = .delivery(WebhookID(parts[2]))
    case (3, "outbox") where isCanonicalUUID(parts[2]): self = .message(MessageID(parts[2]))
    case (4, "payments") where isCanonicalUUID(parts[2]):
      guard let action = PaymentAction(rawValue: parts[3]) else { return nil }
      self = .action(action, PaymentID(parts[2]))
    case (3, "reviews"):
      guard let number = Int64(parts[2]), number > 0, "\(number)" == parts[2] else { return nil }
      self = .review(number)
    case (4, "assets"): self = .asset(parts[2], parts[3])
    default: return nil
    }
  }

  /// The path of the route.
  var path: String {
    switch self {
    case .overview: Self.root
    case .payments: "\(Self.root)/payments"
    case .payment(let id): "\(Self.root)/payments/\(id)"
    case .action(let action, let id): "\(Self.root)/payments/\(id)/\(action.rawValue)"
    case .reviews: "\(Self.root)/reviews"
    case .review(let number): "\(Self.root)/reviews/\(number)"
    case .inbox: "\(Self.root)/inbox"
    case .outbox: "\(Self.root)/outbox"
    case .delivery(let id): "\(Self.root)/inbox/\(id)"
    case .message(let id): "\(Self.root)/outbox/\(id)"
    case .events: "\(Self.root)/events"
    case .signIn: "\(Self.root)/sign-in"
    case .signOut: "\(Self.root)/sign-out"
    case .asset(let hash, let name): "\(Self.root)/assets/\(hash)/\(name)"
    }
  }

  /// Whether somebody who has signed in can be led there.
  var isPage: Bool {
    switch self {
    case .overview, .payments, .payment, .action, .reviews, .review, .inbox, .outbox, .delivery,
      .message:
      true
    case .events, .signIn, .signOut, .asset: false
    }
  }

  /// The methods that it takes.
  var methods: [String] {
    switch self {
    case .action, .review, .delivery, .message, .signIn: ["GET", "POST"]
    case .signOut: ["POST"]
    case .overview, .payments, .payment, .reviews, .inbox, .outbox, .events, .asset: ["GET"]
    }
  }
}

/// What can be done with a payment.
enum PaymentAction: String, Hashable, CaseIterable {
  /// Ask the provider how it stands.
  case read
  /// Take held money.
  case capture
  /// Give captured money back.
  case refund
  /// End it.
  case close

  /// As a button says it.
  var verb: String {
    switch self {
    case .read: "Read again"
    case .capture: "Capture"
    case .refund: "Refund"
    case .close: "Close"
    }
  }

  /// Whether it is for a payment in that state. The server decides again, with all it knows.
  func fits(_ status: PaymentStatus) -> Bool {
    switch self {
    case .read: true
    case .capture: status == .authorized
    case .refund: status == .captured
    case .close: !status.isFinalUnpaid && status != .captured
    }
  }

  /// The route of the API that does it.
  func route(_ id: PaymentID) -> Route {
    switch self {
    case .read: .operator(.readPayment(id))
    case .capture: .captures(id)
    case .refund: .refunds(id)
    case .close: .close(id)
    }
  }
}
