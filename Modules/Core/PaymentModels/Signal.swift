/// How far a signal may be trusted, which decides what it may do.
public enum TrustClass: String, Hashable, Sendable, CaseIterable {
  /// Redirect, deep link, sheet closed, back, foreground, relaunch, push: may cause a read.
  case hint
  /// Webhook without a signature that the provider calls proof: may cause a read, soon.
  case notification
  /// Authenticated read from the provider, or a signed webhook that its document calls proof:
  /// may change money state.
  case proof
}

/// Which way a signal reached us.
public enum Channel: String, Hashable, Sendable, CaseIterable {
  /// A `signals` call, or a read, of the payer's app.
  case device
  /// A webhook delivery.
  case webhook
  /// A scheduled read.
  case poll
  /// A read caused by somebody who asked for the payment or order.
  case read
  /// A read caused by a comparison of the provider's book with ours.
  case reconcile
  /// The answer to a create, capture, refund or close of ours.
  case call
  /// An operator's command.
  case `operator`
  /// The kit's own decision, such as an automatic capture.
  case system

  /// Whether a proof of a payment's state may come this way: also by a read that the app asked for.
  public var bringsProof: Bool {
    switch self {
    case .device, .webhook, .poll, .read, .reconcile, .call: true
    case .operator, .system: false
    }
  }
}
