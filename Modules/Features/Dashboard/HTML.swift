import HTTPExchange

/// A piece of an HTML document.
///
/// Only literals of the source become markup. Every text that is put in is escaped, in content and
/// in quoted attributes alike, so no page can forget it.
///
/// ```swift
/// let row: HTML = "<td title=\"\(order.id)\">\(reason)</td>"
/// ```
struct HTML: ExpressibleByStringInterpolation, Hashable, Sendable {
  /// The markup.
  let text: String

  init(stringLiteral value: String) { text = value }

  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  struct StringInterpolation: StringInterpolationProtocol {
    var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ html: HTML) { text += html.text }

    mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }

    mutating func appendInterpolation(_ pieces: [HTML]) {
      for piece in pieces { text += piece.text }
    }

    mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      text += HTMLText.escaped(HTML.visible(value.description))
    }

    /// Markup that is there on a condition.
    mutating func appendInterpolation(if condition: Bool, _ html: HTML) {
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
