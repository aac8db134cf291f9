import MerchantAPI
import PaymentModels
import PaymentStore
import WebPages

/// What happened to a payment, drawn as three lanes with the words beside.
///
/// It is a table, so that whoever hears it gets every line in words; the drawing is one cell of
/// each row. The lanes of all rows meet, and the server's lane takes the colour of the state that
/// the payment has from there on. Shape and colour tell how far a signal was trusted.
struct Timeline {
  let file: PaymentFile

  var html: HTML {
    let isLate = file.payment.createdAt < (file.journal.first?.at ?? file.payment.createdAt)
    return """
      <section class="timeline" aria-labelledby="timeline-title">
      <div class="head"><h2 id="timeline-title">Timeline</h2>\(Self.legend)</div>
      <table><thead><tr><th scope="col">Time <span class="soft">UTC</span></th>
      <th scope="col" class="lanes-head"><div><span>Device</span> \
      <span>Server</span> <span>Provider</span></div></th>
      <th scope="col">Trust</th><th scope="col">What happened</th></tr></thead>
      <tbody>\(rows)</tbody></table>
      \(if: file.journal.isEmpty, "<p class=\"empty\">Nothing was noted\(if: isLate, " yet").</p>")
      \(more)
      </section>
      """
  }

  private var rows: [HTML] {
    var state = PaymentFilter.State.created.rawValue
    var last: JournalEntry?
    return file.journal.enumerated().map { index, entry in
      let before = state
      if let next = Self.stateAfter(entry) { state = next }
      let place = Place(
        isFirst: index == 0, isLast: index == file.journal.count - 1, before: before, after: state)
      let gap = last.map { entry.at.since($0.at) } ?? .zero
      let showsDay = last?.at.description.prefix(10) != entry.at.description.prefix(10)
      last = entry
      return Self.row(entry, place, gap: gap, showsDay: showsDay)
    }
  }

  private var more: HTML? {
    file.journalNext.map { next in
      let path = DashboardRoute.payment(file.payment.id).path
      return "<p><a class=\"button\" href=\"\(path)?after=\(next)\">Later lines</a></p>"
    }
  }

  private struct Place {
    let isFirst: Bool
    let isLast: Bool
    /// State of the payment above and below the mark.
    let before: String
    let after: String
  }

  private static func row(
    _ entry: JournalEntry, _ place: Place, gap: Duration, showsDay: Bool
  ) -> HTML {
    let sentence = JournalSentence(entry)
    let wait: HTML? =
      gap >= .seconds(1) ? "<span class=\"gap soft\">+ \(PageWording.span(gap))</span>" : nil
    return """
      <tr class="\(if: sentence.isChange, "change ")t-\(entry.trust.rawValue)">
      <td class="when">\(Wording.clock(entry.at, showsDay: showsDay))\(wait)</td>
      <td class="lanes">\(drawing(entry, place))</td>
      <td class="trust">\(shape(entry.trust))<span>\(entry.trust.rawValue)</span></td>
      <td class="what">\(sentence.text)</td></tr>
      """
  }

  // MARK: Drawing

  /// Which of the three equal columns a lane stands in, and how far down in a row its mark is.
  private enum Lane: Int {
    case device
    case server
    case provider

    static let markAt = 22

    /// The middle of the column, as a share of the drawing's width, which the style sets.
    var x: String {
      switch self {
      case .device: "16.667%"
      case .server: "50%"
      case .provider: "83.333%"
      }
    }

    /// The party that a signal came from. A proof that the app asked for is the provider's.
    init(_ entry: JournalEntry) {
      switch entry.channel {
      case .device: self = entry.trust == .proof ? .provider : .device
      case .webhook, .poll, .read, .reconcile, .call: self = .provider
      case .operator, .system: self = .server
      }
    }
  }

  private static func drawing(_ entry: JournalEntry, _ place: Place) -> HTML {
    let lane = Lane(entry)
    let (top, bottom) = (
      place.isFirst ? "\(Lane.markAt)" : "0", place.isLast ? "\(Lane.markAt)" : "100%"
    )
    let sides = [Lane.device, .provider].map { side -> HTML in
      """
      <line class="lane" x1="\(side.x)" x2="\(side.x)" y1="\(top)" y2="\(bottom)"/>
      """
    }
    let server = Lane.server.x
    let changes: HTML =
      "<circle class=\"changed l-\(place.after)\" cx=\"\(server)\" cy=\"\(Lane.markAt)\" r=\"6\"/>"
    return """
      <svg width="100%" height="100%" aria-hidden="true" focusable="false">\(sides)\
      <line class="state l-\(place.before)" x1="\(server)" x2="\(server)" y1="\(top)" \
      y2="\(Lane.markAt)"/><line class="state l-\(place.after)" x1="\(server)" x2="\(server)" \
      y1="\(Lane.markAt)" y2="\(bottom)"/>\(arrow(from: lane, entry.trust))\
      \(if: entry.change != nil && lane != .server, changes)\
      <svg x="\(lane.x)" y="\(Lane.markAt)" class="at"><g transform="translate(-9 -9)">\
      \(mark(entry.trust))</g></svg></svg>
      """
  }

  private static func arrow(from lane: Lane, _ trust: TrustClass) -> HTML? {
    guard lane != .server else { return nil }
    let y = Lane.markAt
    let tip: HTML = lane == .device ? "M-8 0L-15 -4V4Z" : "M8 0L15 -4V4Z"
    // The line ends below the tip, whatever the width: the tip and the mark are drawn over it.
    let end = lane == .device ? "43%" : "57%"
    return """
      <line class="arrow t-\(trust.rawValue)" x1="\(lane.x)" x2="\(end)" y1="\(y)" y2="\(y)"/>\
      <svg x="\(Lane.server.x)" y="\(y)" class="at"><path class="tip t-\(trust.rawValue)" \
      d="\(tip)"/></svg>
      """
  }

  /// The mark of a trust class, in a box of 18 by 18: a ring, a diamond, a full square.
  private static func mark(_ trust: TrustClass) -> HTML {
    switch trust {
    case .hint: "<circle class=\"mark-hint\" cx=\"9\" cy=\"9\" r=\"5.5\"/>"
    case .notification: "<path class=\"mark-notification\" d=\"M9 1.5L16.5 9L9 16.5L1.5 9Z\"/>"
    case .proof:
      "<rect class=\"mark-proof\" x=\"3\" y=\"3\" width=\"12\" height=\"12\" rx=\"2.5\"/>"
    }
  }

  private static func shape(_ trust: TrustClass) -> HTML {
    """
    <svg class="shape" width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" \
    focusable="false">\(mark(trust))</svg>
    """
  }

  private static let legend: HTML = {
    let entries = JournalSentence.Class.allCases.map { trust -> HTML in
      let shape = TrustClass(rawValue: trust.rawValue).map { Timeline.shape($0) }
      return "<li>\(shape)<b>\(trust.rawValue)</b> <span>\(trust.meaning)</span></li>"
    }
    return "<ul class=\"legend\" aria-label=\"Legend\">\(entries)</ul>"
  }()

  /// The state that an entry brought, as a class of the style; nil if it brought none.
  private static func stateAfter(_ entry: JournalEntry) -> String? {
    guard entry.trust == .proof, entry.channel.bringsProof || entry.event == "create ended",
      let change = entry.change
    else { return nil }
    for part in change.split(separator: ",") {
      let words = part.split(separator: " ")
      guard words.count == 3, words[1] == "→" else { continue }
      return PaymentFilter.State(PaymentStatus(stored: String(words[2]))).rawValue
    }
    return nil
  }
}
