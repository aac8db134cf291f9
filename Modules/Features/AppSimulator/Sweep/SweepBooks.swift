import PaymentModels
import StrictJSON

/// What is wrong after a kill.
enum SweepFault: Hashable, Sendable {
  /// Money or goods that must be there are not.
  case lost(String)
  /// They are there more than once.
  case doubled(String)
  /// Anything else: a story that does not come to its end, a wrong word on the payer's phone.
  case wrong(String)

  /// For a reader.
  var line: String {
    switch self {
    case .lost(let text): "LOST     \(text)"
    case .doubled(let text): "DOUBLED  \(text)"
    case .wrong(let text): "WRONG    \(text)"
    }
  }
}

/// What the witnesses say of one payment, and what they must say. None of them shares code with
/// the server: the provider's ledger, a fresh `till` process, the receiver of the goods.
struct SweepBooks: Hashable, Sendable {
  /// What all payments of the ledger have taken and given back, in minor units.
  var captured: Int64
  var refunded: Int64
  /// The same in the server's book of the order.
  var bookCaptured: Int64
  var bookRefunded: Int64
  /// The order's state.
  var state: String
  /// How often the goods went out, were called back, and the shop was told of a refund.
  var fulfilments: Int
  var revocations: Int
  var refundMessages: Int

  /// What a payment must end as: a lamp sold once, a part of it given back by the operator and
  /// another part by the provider.
  static let right = SweepBooks(
    captured: 340_00, refunded: 70_00, bookCaptured: 340_00, bookRefunded: 70_00, state: "paid",
    fulfilments: 1, revocations: 0, refundMessages: 2)

  /// Where they differ from what is right.
  var faults: [SweepFault] {
    let right = Self.right
    let counts: [(String, seen: Int64, wanted: Int64)] = [
      ("captured at the provider", captured, right.captured),
      ("refunded at the provider", refunded, right.refunded),
      ("captured in the book", bookCaptured, right.bookCaptured),
      ("refunded in the book", bookRefunded, right.bookRefunded),
      ("fulfilments", Int64(fulfilments), Int64(right.fulfilments)),
      ("revocations", Int64(revocations), Int64(right.revocations)),
      ("messages of a refund", Int64(refundMessages), Int64(right.refundMessages)),
    ]
    let sums: [SweepFault] = counts.compactMap { what, seen, wanted in
      guard seen != wanted else { return nil }
      let text = "\(what): \(seen), must be \(wanted)"
      return seen < wanted ? .lost(text) : .doubled(text)
    }
    guard state != right.state else { return sums }
    return sums + [.wrong("order: \(state), must be \(right.state)")]
  }
}

extension SweepBooks {
  /// Minor units of a decimal of the ledger or of the server.
  static func minorUnits(_ json: JSONValue?) throws -> Int64 {
    guard let text = json?.text, let dirham = Currency(iso4217: "AED") else {
      throw StoryFailure("a sum is missing")
    }
    return try Money(decimal: text, currency: dirham).minorUnits
  }
}
