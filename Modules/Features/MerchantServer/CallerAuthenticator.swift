public import PaymentModels

/// Knows whose token it is. The merchant fills this with its own sessions.
public protocol CallerAuthenticator: Sendable {
  /// Who the token speaks for; nil if it is not valid.
  func caller(of token: Secret) async -> Caller?
  /// Whether a token that speaks for nobody did so until its time ran out: its owner is told to
  /// sign in again. What is not known is not.
  func hasExpired(_ token: Secret) async -> Bool
}

extension CallerAuthenticator {
  /// No, where tokens have no end.
  public func hasExpired(_ token: Secret) async -> Bool { false }
}

/// Who calls the API.
public enum Caller: Hashable, Sendable {
  /// A payer's app: sees its own orders only.
  case user(Subject)
  /// The merchant's staff or tools, by the name that goes with the key: sees everything, may
  /// capture, refund, close, cancel and decide reviews. The name stands in the journal.
  case `operator`(OperatorName)
  /// The merchant's monitoring: may read the metrics and nothing else.
  case monitor

  /// Whether it is a payer's app.
  var isUser: Bool {
    switch self {
    case .user: true
    case .operator, .monitor: false
    }
  }
}
