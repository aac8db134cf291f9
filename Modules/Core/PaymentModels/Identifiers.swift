/// An identifier that is a distinct type around its text, so that an order's id can never be
/// passed where a payment's is wanted.
public protocol TextIdentifier: RawRepresentable, Hashable, Comparable, Sendable,
  CustomStringConvertible
where RawValue == String {
  /// Wraps a text that the caller has already checked or that came from the store.
  init(_ rawValue: String)
}

extension TextIdentifier {
  /// Wraps any text.
  public init(rawValue: String) { self.init(rawValue) }
  /// The bare text.
  public var description: String { rawValue }
  /// Order of the texts, by Unicode scalars; for UUIDv7 texts that is order of creation.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The merchant's order: one purchase, paid by at most one of its payments.
public struct OrderID: TextIdentifier {
  /// A lower-case UUID of version 7.
  public let rawValue: String
  /// Wraps a checked text.
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// One payment: one attempt to pay an order at one provider. This is the kit's own
/// `payment_id`, made before the provider is asked; the provider's id is
/// ``ProviderPaymentID``.
public struct PaymentID: TextIdentifier {
  /// A lower-case UUID of version 7.
  public let rawValue: String
  /// Wraps a checked text.
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The id that a provider gave to a payment (Tabby `payment.id`, a Tebex basket ident, …).
public struct ProviderPaymentID: TextIdentifier {
  /// The provider's text, unchanged.
  public let rawValue: String
  /// Wraps the provider's text.
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// A capture, refund or close that we ask a provider for, once.
public struct OperationID: TextIdentifier {
  /// A lower-case UUID of version 7; also the reference that the provider dedupes by.
  public let rawValue: String
  /// Wraps a checked text.
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// A received webhook delivery as stored in the inbox.
public struct WebhookID: TextIdentifier {
  /// A lower-case UUID of version 7.
  public let rawValue: String
  /// Wraps a checked text.
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// A message of the outbox; receivers dedupe by it.
public struct MessageID: TextIdentifier {
  /// A lower-case UUID of version 7.
  public let rawValue: String
  /// Wraps a checked text.
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// A payment provider's short name as it stands in routes, rows and logs: `tabby`.
public struct ProviderName: TextIdentifier {
  /// Lower-case ASCII letters.
  public let rawValue: String
  /// Wraps a checked text.
  public init(_ rawValue: String) { self.rawValue = rawValue }
  /// Tabby, pay in instalments (UAE, KSA, Kuwait).
  public static let tabby = ProviderName("tabby")
  /// Futa, mobile money and bank payments shown inside an app.
  public static let futa = ProviderName("futa")
  /// Raïs, cards with 3-D Secure.
  public static let rais = ProviderName("rais")
  /// Tebex, hosted baskets.
  public static let tebex = ProviderName("tebex")
  /// SEB, cards, banks and Click to Pay.
  public static let seb = ProviderName("seb")
}

/// One account of the merchant at a provider: the keys and store code that made a payment, and
/// that every later call about it must use.
public struct ProviderAccount: TextIdentifier {
  /// A name from the configuration.
  public let rawValue: String
  /// Wraps a name from the configuration.
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// Who an app token speaks for: the merchant's own user id.
public struct Subject: TextIdentifier {
  /// The merchant's user id.
  public let rawValue: String
  /// Wraps the merchant's user id.
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// Who of the merchant's staff or tools asked for something: the name that goes with a key.
public struct OperatorName: TextIdentifier {
  /// The name, as the settings have it.
  public let rawValue: String
  /// Wraps a name.
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// Whether money is real.
public enum PaymentMode: String, Hashable, Sendable, CaseIterable {
  /// Test keys, no money moves.
  case test
  /// Live keys, real money.
  case live
}

/// Whether `text` is a UUID in its canonical lower-case form (8-4-4-4-12 hexadecimal digits).
///
/// Ids from outside pass this check before they reach a URL path or a query.
public func isCanonicalUUID(_ text: String) -> Bool {
  let bytes = Array(text.utf8)
  guard bytes.count == 36 else { return false }
  return bytes.enumerated().allSatisfy { index, byte in
    switch index {
    case 8, 13, 18, 23: byte == UInt8(ascii: "-")
    default: (48...57).contains(byte) || (97...102).contains(byte)
    }
  }
}
