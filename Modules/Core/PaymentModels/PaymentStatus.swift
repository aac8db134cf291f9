/// Where one payment stands, in the kit's own words; each provider module maps to these.
public enum PaymentStatus: Hashable, Sendable {
  /// Known to us, nothing paid yet. Legal next: every state but `created`.
  case created
  /// The payer has acted and the provider works on it. Legal next: all but `created`, `pending`.
  case pending
  /// The money is held for us. Legal next: `captured`, `cancelled`.
  case authorized
  /// The money was taken. Final; refunds are items beside it.
  case captured
  /// The provider refused. Only late money follows: `authorized`, `captured`.
  case rejected
  /// The payer's time ran out or the payer cancelled. Only late money follows.
  case expired
  /// Closed without capture, proven by the provider. Only late money follows.
  case cancelled
  /// A value that the kit has never seen, kept as it came. Every state may follow.
  case unknown(String)

  /// Whether nothing more will be paid here, as far as the provider says.
  public var isFinalUnpaid: Bool {
    switch self {
    case .rejected, .expired, .cancelled: true
    case .created, .pending, .authorized, .captured, .unknown: false
    }
  }

  /// Whether the payer is done waiting: money held or taken, or proof that there is none.
  public var isFinalForPayer: Bool {
    switch self {
    case .authorized, .captured, .rejected, .expired, .cancelled: true
    case .created, .pending, .unknown: false
    }
  }

  /// Whether the provider holds or has taken the payer's money.
  public var holdsMoney: Bool {
    switch self {
    case .authorized, .captured: true
    case .created, .pending, .rejected, .expired, .cancelled, .unknown: false
    }
  }

  /// Whether the step to `next` stands in the table of legal edges.
  ///
  /// A step that does not is still stored when an authenticated read says so; it then opens a
  /// review. Staying in the same state is always legal.
  public func allows(_ next: PaymentStatus) -> Bool {
    if self == next { return true }
    switch self {
    case .created: return true
    case .pending: return next != .created
    case .authorized: return next == .captured || next == .cancelled
    case .captured: return false
    case .rejected, .expired, .cancelled: return next.holdsMoney
    case .unknown: return true
    }
  }
}

extension PaymentStatus: CustomStringConvertible {
  /// The word that stands in rows, answers and logs: `authorized`; `unknown:NEW_WORD`.
  public var description: String {
    switch self {
    case .created: "created"
    case .pending: "pending"
    case .authorized: "authorized"
    case .captured: "captured"
    case .rejected: "rejected"
    case .expired: "expired"
    case .cancelled: "cancelled"
    case .unknown(let raw): "unknown:\(raw)"
    }
  }

  /// Reads back what ``description`` wrote. Any other word becomes ``unknown(_:)``.
  public init(stored text: String) {
    switch text {
    case "created": self = .created
    case "pending": self = .pending
    case "authorized": self = .authorized
    case "captured": self = .captured
    case "rejected": self = .rejected
    case "expired": self = .expired
    case "cancelled": self = .cancelled
    default:
      // By scalars: a combining mark behind the colon would hide it from a search by characters.
      let prefix = "unknown:".unicodeScalars
      let scalars = text.unicodeScalars
      self = .unknown(
        scalars.starts(with: prefix) ? String(scalars.dropFirst(prefix.count)) : text)
    }
  }
}
