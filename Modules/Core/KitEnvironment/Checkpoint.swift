/// A point between two steps of the server, where a crash must lose nothing and do nothing twice.
///
/// A kill test has the process stop at one and kills it there; a simulated world crashes there.
public enum Checkpoint: String, Sendable, CaseIterable {
  /// A checkout's intent is on disk; the provider was not called yet.
  case intentCommitted = "intent_committed"
  /// The provider has answered the create; the answer is not on disk yet.
  case createAnswered = "create_answered"
  /// A webhook is on disk; it was not worked on yet.
  case eventCommitted = "event_committed"
  /// A change and its message are on disk; the message was not sent yet.
  case messageDue = "message_due"
}
