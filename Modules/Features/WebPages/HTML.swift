import HTTPExchange

/// A piece of an HTML document.
///
/// Only literals of the source become markup. Every text that is put in is escaped, in content and
/// in quoted attributes alike, so no page can forget it.
///
/// ```swift
/// let row: HTML = "<td title=\"\(order.id)\">\(reason)</td>"
/// ```
public struct HTML: ExpressibleByStringInterpolation, Hashable, Sendable {
  /// The markup.
  public let text: String

  /// Markup of the source.
  public init(stringLiteral value: String) { text = value }

  /// Markup of the source with what is put in.
  public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// Puts values into markup, each escaped unless it is markup itself.
  public struct StringInterpolation: StringInterpolationProtocol {
    var text = ""

    /// Starts empty.
    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    /// Markup of the source.
    public mutating func appendLiteral(_ literal: String) { text += literal }

    /// A piece.
    public mutating func appendInterpolation(_ html: HTML) { text += html.text }

    /// A piece, or nothing.
    public mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }

    /// Pieces, one behind the other.
    public mutating func appendInterpolation(_ pieces: [HTML]) {
      for piece in pieces { text += piece.text }
    }

    /// A text, made safe.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      text += HTMLText.escaped(HTML.visible(value.description))
    }

    /// Markup that is there on a condition.
    public mutating func appendInterpolation(if condition: Bool, _ html: HTML) {
      if condition { text += html.text }
    }
  }

  /// With a sign in the place of what would turn the writing direction, hide text or break a line.
  private static func visible(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
