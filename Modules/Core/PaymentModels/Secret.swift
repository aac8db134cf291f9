/// A text that must not be seen: a key, a token, a webhook secret.
///
/// Whatever prints it (a log line, an error, a debugger) shows `‹redacted›`. Only
/// ``reveal()`` gives the text, so each place that uses it can be found by that name.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  private let text: String

  /// Wraps a secret text.
  public init(_ text: String) {
    self.text = text
  }

  /// The secret itself, to be sent or compared and never logged or shown. Only a secret that a
  /// provider has the app hold is ever stored.
  public func reveal() -> String { text }

  /// Whether there is nothing in it but white space.
  public var isBlank: Bool { text.allSatisfy(\.isWhitespace) }

  /// Always `‹redacted›`.
  public var description: String { "‹redacted›" }
  /// Always `‹redacted›`.
  public var debugDescription: String { description }
  /// No children, so that `dump` and crash reports show nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
