package import StrictJSON

/// One line of a journal, told as a sentence.
package struct JournalSentence: Sendable {
  /// How far a signal was trusted, and so what it may do.
  package enum Class: String, CaseIterable, Sendable {
    case hint
    case notification
    case proof

    /// What a signal of the class may do.
    package var meaning: String {
      switch self {
      case .hint: "may cause a read"
      case .notification: "causes a read soon, and proves nothing by itself"
      case .proof: "may change money state"
      }
    }
  }

  package let at: String
  package let trust: String
  package let text: String
  /// Whether anything was changed by it.
  package let isChange: Bool

  /// A line as the API gives it.
  package init(_ json: JSONValue) {
    at = json["at"]?.text ?? "?"
    trust = json["trust"]?.text ?? "?"
    let line = Line(
      channel: json["channel"]?.text ?? "?", name: json["operator"]?.text,
      event: json["event"]?.text ?? "?", trust: trust,
      change: json["change"]?.text, note: json["note"]?.text)
    isChange = line.change != nil
    text = line.sentence
  }

  /// A line by its parts.
  ///
  /// - Parameter operatorName: of whoever asked, if it was an operator.
  package init(
    at: String, channel: String, operatorName: String?, trust: String, event: String,
    change: String?, note: String?
  ) {
    self.at = at
    self.trust = trust
    isChange = change != nil
    text =
      Line(
        channel: channel, name: operatorName, event: event, trust: trust, change: change, note: note
      ).sentence
  }

  private struct Line {
    let channel: String
    /// Of the operator.
    let name: String?
    let event: String
    let trust: String
    let change: String?
    let note: String?

    var sentence: String {
      switch channel {
      case "device" where event == "checkout": return "The app asked for a page\(aside)."
      case "device" where trust != "proof": return "The app reported “\(event)”\(aside). \(effect)"
      case "operator": return "\(name ?? "An operator") asked for: \(event)\(aside). \(effect)"
      case "system": return system
      case "webhook" where event == "webhook":
        return "A webhook came\(aside). It causes a read and proves nothing by itself."
      case "webhook" where event == "signed webhook" && trust != "proof":
        return "A signed webhook did not count\(aside). Nothing was changed."
      default: return read
      }
    }

    /// What a read, an answer or a signed webhook brought.
    private var read: String {
      if event == "read failed" {
        return "\(who) brought no usable answer\(aside). Nothing was changed; it is tried again."
      }
      if channel == "call", event == "create refused" {
        return "The provider refused the payment\(aside)."
      }
      if channel == "call", event == "create unanswered" || event.hasSuffix(" not settled") {
        return "Our call brought no usable answer\(aside). Whether it was done is not known yet."
      }
      if let change { return "\(who) proved: \(change)\(aside)." }
      return "\(who) was ignored\(aside). Nothing was changed."
    }

    private var who: String {
      switch (channel, event) {
      case ("webhook", "signed webhook"): "A signed webhook"
      case ("webhook", _): "A read after a webhook"
      case ("device", _): "A read that the app asked for"
      case ("poll", _): "A scheduled read"
      case ("read", _): "A read that somebody asked for"
      case ("reconcile", _): "A read to reconcile the books"
      case ("call", _): "The provider's answer to our call"
      default: "\(channel): \(event)"
      }
    }

    private var system: String {
      switch event {
      case "order": "The order went \(change ?? "nowhere")\(aside)."
      case "review": "A person should look: \(change ?? "?")\(aside)."
      case "message": "The merchant's systems were told: \(change ?? "nothing yet")\(aside)."
      case "lapsed": "It is waited for no longer\(aside)."
      default: "The server decided: \(event)\(change.map { ", \($0)" } ?? "")\(aside)."
      }
    }

    private var aside: String { note.map { ": \($0)" } ?? "" }

    private var effect: String {
      change.map { "It changed: \($0)." } ?? "By itself it changed nothing."
    }
  }
}
