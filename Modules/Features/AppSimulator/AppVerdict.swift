import CheckoutLifecycle
import CheckoutSession

/// Keeps count of the errand's checkouts and says when the process may end.
actor AppVerdict {
  private let stays: Bool
  private var expected: Set<CheckoutKey>?
  private var last: [CheckoutKey: CheckoutDisplay] = [:]
  private var inputEnded = false

  init(stays: Bool) { self.stays = stays }

  func expect(_ keys: [CheckoutKey]) -> AppExit? {
    expected = Set(keys)
    return exit
  }

  func note(_ update: CheckoutUpdate) -> AppExit? {
    last[update.key] = update.display
    return exit
  }

  func endInput() -> AppExit? {
    inputEnded = true
    return exit
  }

  /// Proof ends the process. Doubt and obstacles end it only when nobody can say more: an event
  /// on the input could still start another try.
  private var exit: AppExit? {
    guard let expected, !(stays && !inputEnded) else { return nil }
    let exits = expected.map { key -> AppExit? in
      switch last[key] {
      case .outcome(.succeeded): .done
      case .outcome(.failed), .outcome(.cancelled): .notPaid
      case .outcome(.unresolved): inputEnded ? .unresolved : nil
      case .notStarted: inputEnded ? .notPaid : nil
      case .preparing, .confirming, nil: nil
      }
    }
    guard !exits.contains(nil) else { return nil }
    if exits.contains(.unresolved) { return .unresolved }
    return exits.contains(.notPaid) ? .notPaid : .done
  }
}
