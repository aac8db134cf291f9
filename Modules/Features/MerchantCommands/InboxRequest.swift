/// What `till webhook` asks of the merchant server.
public enum InboxRequest: Hashable, Sendable {
  /// Deliveries, newest first.
  case list(state: String?, provider: String?, limit: Int, before: String?)
  /// One of them; with its bytes if wanted.
  case show(String, withBody: Bool)
  /// Back into the queue.
  case requeue(String, reason: String)
  /// A stored one, checked and worked on once more.
  case replay(String, reason: String)
  /// One that was saved in a file.
  case replayFile(String, provider: String, receivedAt: String?, reason: String)
}
