/// Text for HTML documents.
public enum HTMLText {
  /// The text made safe for HTML content and for quoted attributes; a browser reads it back as it
  /// was, character for character.
  public static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
