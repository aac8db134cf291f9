import MerchantAPI
import PaymentModels
import PaymentStore
import WebPages

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
    "<span class=\"pill s-\(state.rawValue)\">\(PageWording.words(state.rawValue))</span>"
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
}

extension JournalSentence {
  init(_ entry: JournalEntry) {
    self.init(
      at: entry.at.description, channel: entry.channel.rawValue,
      operatorName: entry.operatorName?.rawValue, trust: entry.trust.rawValue, event: entry.event,
      change: entry.change, note: entry.note)
  }
}
