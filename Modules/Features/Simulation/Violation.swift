import PaymentOracle

/// What a violation is of: its text begins with it, then come order, ids and numbers.
package enum Violation {
  /// Stands before what had not come to its end in time.
  private static let unsettled = "does not settle: "

  /// What does not hold, without details: the same fault in another world has other ids in it.
  package static func kind(of text: String) -> String {
    let rest = text.hasPrefix(unsettled) ? text.dropFirst(unsettled.count) : text[...]
    return String(rest.prefix { $0 != ":" })
  }

  /// The promise of the kit that is broken; nil if the world itself stalled or turned in circles.
  package static func invariant(of text: String) -> String? {
    PaymentOracle.Invariant(rawValue: kind(of: text))?.rawValue
  }
}
