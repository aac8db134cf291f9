import MerchantAPI
import PaymentModels
import PaymentStore

/// How pages say things that are on many of them.
enum Wording {
  /// A state as a word in a coloured shape; the word alone says it too.
  static func pill(_ status: PaymentStatus) -> HTML {
    let state = PaymentFilter.State(status)
    let word: HTML =
      if case .unknown(let raw) = status { "unknown: \(raw)" } else { "\(state.rawValue)" }
    return "<span class=\"pill s-\(state.rawValue)\">\(word)</span>"
  }

  static func pill(_ payment: PaymentRow) -> HTML {
    switch payment.createState {
    case .intent: "<span class=\"pill s-created\">creating</span>"
    case .created, .refused: pill(payment.status)
    }
  }

  static func pill(_ state: OrderState) -> HTML {
    "<span class=\"pill s-\(state.rawValue)\">\(words(state.rawValue))</span>"
  }

  /// `needs_review` as people read it.
  static func words(_ word: String) -> String {
    String(word.map { $0 == "_" ? " " : $0 })
  }

  /// How long ago; the moment itself stands in the markup.
  static func age(_ moment: Instant, _ now: Instant) -> HTML {
    let age = span(now.since(moment))
    return "<time datetime=\"\(moment)\" title=\"\(moment)\" data-age>\(age) ago</time>"
  }

  /// How far off a moment is that may lie ahead.
  static func due(_ moment: Instant, _ now: Instant) -> HTML {
    let wait = moment.since(now)
    let words = wait > .zero ? "in \(span(wait))" : "now"
    return "<time datetime=\"\(moment)\" title=\"\(moment)\">\(words)</time>"
  }

  /// A length of time in its largest unit; one that is negative counts as none.
  static func span(_ duration: Duration) -> String {
    let seconds = max(0, duration.components.seconds)
    return switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3_600: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3_600) h"
    default: "\(seconds / 86_400) d"
    }
  }

  /// A moment to the millisecond, for eyes that compare; the day where it is another than before.
  static func clock(_ moment: Instant, showsDay: Bool) -> HTML {
    let text = moment.description
    let day = String(text.prefix { $0 != "T" })
    let time = String(text.dropFirst(day.count + 1).prefix(8))
    let fraction = text.dropFirst(day.count + 9).prefix { $0 != "Z" }
    let digits = fraction.isEmpty ? ".000" : String(fraction)
    let date: HTML = " <span class=\"day\">\(day)</span>"
    return """
      <time datetime="\(text)" title="\(text)">\(time)<small>\(digits)</small>\
      \(if: showsDay, date)</time>
      """
  }

  /// An amount with its currency, so that it never breaks over lines.
  static func money(_ amount: Money) -> HTML {
    "<span class=\"money\">\(amount.decimal) <abbr>\(amount.currency.code)</abbr></span>"
  }

  /// The end of an id, by which people tell two apart: its front is the time.
  static func short(_ id: some TextIdentifier) -> String {
    id.rawValue.utf8.count > 14 ? "…\(id.rawValue.suffix(12))" : id.rawValue
  }

  /// The channel that learned something, in the words of the metrics.
  static func channel(_ channel: Channel) -> String {
    switch channel {
    case .device: "read for the app"
    case .webhook: "webhook"
    case .poll: "scheduled read"
    case .read: "read on demand"
    case .reconcile: "reconcile"
    case .call: "our call"
    case .operator: "operator"
    case .system: "server"
    }
  }

  /// Rows of a table of facts; those without a value are left out.
  static func facts(_ rows: [(String, HTML?)], areSums: Bool = false) -> HTML {
    let items = rows.compactMap { name, value in
      value.map { "<div><dt>\(name)</dt><dd>\($0)</dd></div>" as HTML }
    }
    return "<dl class=\"facts\(if: areSums, " sums")\">\(items)</dl>"
  }
}

extension JournalSentence {
  init(_ entry: JournalEntry) {
    self.init(
      at: entry.at.description, channel: entry.channel.rawValue,
      operatorName: entry.operatorName?.rawValue, trust: entry.trust.rawValue, event: entry.event,
      change: entry.change, note: entry.note)
  }
}
