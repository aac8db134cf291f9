public import PaymentModels

/// One checkout on the device: where it stands and what is known of it.
///
/// ``after(_:)`` is the whole client half of a payment: every event is legal in every phase.
public struct CheckoutState: Hashable, Sendable {
  /// Where the checkout stands on the device. Each case names its successors, and no other is ever
  /// reached: a test compares them with every walk.
  public enum Phase: Hashable, Sendable {
    /// Nothing was done in this process; the stage of the record decides where a relaunch goes on.
    /// Next: `storingIntent`, `creating`, `awaitingPage`, `confirming`, `unresolved`, `settled`.
    case new
    /// The key is on its way to the store. Next: `creating`, `blocked`.
    case storingIntent
    /// The create is under way. Next: `storingPayment`, `unresolved`, `settled`, `blocked`.
    case creating
    /// The payment is on its way to the store. Next: `opening`, `awaitingPage`, `confirming`,
    /// `unresolved`, `settled`, `blocked`.
    case storingPayment
    /// The server is being asked for a page that may be opened. Next: `storingPayment`,
    /// `confirming`, `unresolved`, `settled`, `blocked`.
    case awaitingPage
    /// The page is being opened. Next: `presented`, `awaitingPage`, `confirming`, `unresolved`,
    /// `settled`, `blocked`.
    case opening
    /// The page is on the screen. Next: `confirming`, `awaitingPage`, `unresolved`, `settled`.
    case presented
    /// The payer has left the page and the server is being asked; the page may still be up for a
    /// moment. Next: `awaitingPage`, `unresolved`, `settled`.
    case confirming(pageIsUp: Bool)
    /// No proof yet, and nobody on this device asks. Next: `confirming`, `awaitingPage`,
    /// `settled`.
    case unresolved(CheckoutOutcome.Doubt)
    /// Proven; the outcome may still change when money comes late. Next: `unresolved`.
    case settled(CheckoutOutcome)
    /// The page did not open. Next: `storingIntent`, `awaitingPage`, `confirming`, `unresolved`,
    /// `settled`.
    case blocked(CheckoutObstacle)
  }

  /// Where it stands.
  public internal(set) var phase: Phase {
    didSet { if phase != .presented { isFinalReported = false } }
  }
  /// Whether the server has heard that the page on the screen calls itself final: a script that
  /// says it for ever is told on once.
  var isFinalReported = false
  /// What is, or is about to be, kept on the device.
  public internal(set) var record: CheckoutRecord
  /// Version of the newest answer; older ones are passed over.
  public internal(set) var version: Int64?

  /// When the answer came that is taken next, or was taken last.
  private(set) var answeredAt: Instant?

  /// A checkout that begins, or one that was found in the store by a new process.
  public init(record: CheckoutRecord) {
    self.record = record
    phase = .new
  }

  /// The payer taps again on what has not ended; sent before the `started` of that tap.
  public mutating func isWanted(at now: Instant) {
    if record.stage != .settled { record.createdAt = max(record.createdAt, now) }
  }

  /// The server has answered; sent before the `created` or `serverAnswered` of that answer. An
  /// outcome that it proves is settled then.
  public mutating func isAnswered(at now: Instant) { answeredAt = now }

  /// Whether a page may be on the screen.
  public var pageMayBeUp: Bool {
    switch phase {
    case .opening, .presented, .confirming(pageIsUp: true): true
    case .new, .storingIntent, .creating, .storingPayment, .awaitingPage,
      .confirming(pageIsUp: false), .unresolved, .settled, .blocked:
      false
    }
  }

  /// Whether a run of reads is meant to be under way until there is proof.
  public var isWatched: Bool {
    switch phase {
    case .awaitingPage, .confirming: true
    case .new, .storingIntent, .creating, .storingPayment, .opening, .presented, .unresolved,
      .settled, .blocked:
      false
    }
  }
}

/// The result of a step.
public struct CheckoutStep: Hashable, Sendable {
  /// The new state.
  public var state: CheckoutState
  /// What is to be done, in order.
  public var effects: [CheckoutEffect]
}
