public import PaymentModels

/// How pages say things that are on many of them.
public enum PageWording {
  /// `needs_review` as people read it.
  public static func words(_ word: String) -> String {
    String(word.map { $0 == "_" ? " " : $0 })
  }

  /// How long ago; the moment itself stands in the markup.
  public static func age(_ moment: Instant, _ now: Instant) -> HTML {
    let age = span(now.since(moment))
    return "<time datetime=\"\(moment)\" title=\"\(moment)\" data-age>\(age) ago</time>"
  }

  /// How far off a moment is that may lie ahead.
  public static func due(_ moment: Instant, _ now: Instant) -> HTML {
    let wait = moment.since(now)
    let words = wait > .zero ? "in \(span(wait))" : "now"
    return "<time datetime=\"\(moment)\" title=\"\(moment)\">\(words)</time>"
  }

  /// A length of time in its largest unit; one that is negative counts as none.
  public static func span(_ duration: Duration) -> String {
    let seconds = max(0, duration.components.seconds)
    return switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3_600: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3_600) h"
    default: "\(seconds / 86_400) d"
    }
  }

  /// Rows of a table of facts; those without a value are left out.
  public static func facts(_ rows: [(String, HTML?)], areSums: Bool = false) -> HTML {
    let items = rows.compactMap { name, value in
      value.map { "<div><dt>\(name)</dt><dd>\($0)</dd></div>" as HTML }
    }
    return "<dl class=\"facts\(if: areSums, " sums")\">\(items)</dl>"
  }

  /// A table of things that wait or have happened; `none` stands in its place if it is empty.
  ///
  /// On a phone each row is a card, whose cells say their column by `data-name`.
  public static func list(_ head: [String], _ rows: [HTML], none: HTML) -> HTML {
    guard !rows.isEmpty else { return "<p class=\"empty\">\(none)</p>" }
    let cells = head.map { name -> HTML in
      "<th scope=\"col\"\(if: name == "Amount", " class=\"number\"")>\(name)</th>"
    }
    return """
      <table class="list"><thead><tr>\(cells)</tr></thead><tbody>\(rows)</tbody></table>
      """
  }
}
