import CheckoutLifecycle

/// The browser sessions of the system that the simulated app has running, one a checkout. A
/// session hands its end to the app that began it, once, and dies with the app's process.
actor AuthSessions {
  private var keys: [CheckoutKey] = []

  /// Begins the session of a checkout whose page is shown so; does nothing for others.
  func open(_ key: CheckoutKey, _ strategy: PresentationStrategy) {
    close(key)
    if strategy == .authSession { keys.append(key) }
  }

  /// The app takes a session down: nothing is handed over.
  func close(_ key: CheckoutKey) { keys.removeAll { $0 == key } }

  /// The sessions on the screen end, by a callback or by the payer; gives whose they were.
  func end() -> [CheckoutKey] {
    defer { keys = [] }
    return keys
  }
}
