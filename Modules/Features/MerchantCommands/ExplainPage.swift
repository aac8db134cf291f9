import HTTPExchange
import MerchantAPI
import StrictJSON

/// What happened to a payment, as one page that needs nothing else: no script, no other file.
struct ExplainPage {
  let payment: JSONValue
  let sentences: [JournalSentence]
  /// Whether there are more lines than are shown.
  let isCut: Bool

  var html: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
    style-src 'unsafe-inline'">
    <title>Payment \(text("payment_id"))</title>
    <style>
    \(Self.style)
    </style>
    </head>
    <body>
    <main>
    <h1>What happened to a payment</h1>
    <dl>
    \(facts.joined(separator: "\n"))
    </dl>
    <ol>
    \(sentences.map(Self.item).joined(separator: "\n"))
    </ol>
    \(isCut ? "<p>There are more lines; --json gives them all.</p>\n" : "")\
    <p class="key">\(key)</p>
    </main>
    </body>
    </html>

    """
  }

  private var facts: [String] {
    let amount = "\(text("amount")) \(text("currency"))"
    let rows = [
      ("payment", text("payment_id")), ("order", text("order_id")),
      ("provider", "\(text("provider")), \(text("provider_payment_id"))"),
      ("state", text("state")), ("order is", text("order_state")), ("amount", amount),
      ("captured", text("captured")), ("gone back", text("refunded")),
    ]
    return rows.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" }
  }

  private func text(_ name: String) -> String {
    Self.escaped(payment[name]?.text ?? "-")
  }

  private static func item(_ sentence: JournalSentence) -> String {
    let trust = JournalSentence.Class(rawValue: sentence.trust)?.rawValue ?? "hint"
    return """
      <li class="\(trust)\(sentence.isChange ? " change" : "")"><time>\(escaped(sentence.at))\
      </time> <b>\(escaped(sentence.trust))</b> <span>\(escaped(sentence.text))</span></li>
      """
  }

  private var key: String {
    JournalSentence.Class.allCases.map { "\($0.rawValue): \($0.meaning)" }
      .joined(separator: "; ") + "."
  }

  /// Also what would turn the writing direction is shown as what it is.
  private static func escaped(_ text: String) -> String { HTMLText.escaped(printable(text)) }

  private static let style = """
    :root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --line: #d5dae0;
      --soft: #5b6570; --proof: #0b6b3a; --notification: #7a4b00; --hint: #4a5560; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e8ebee; --paper: #15181c;
      --line: #343a42; --soft: #a0a9b3; --proof: #6fd39b; --notification: #efb65c;
      --hint: #a8b3bd; } }
    body { margin: 0; background: var(--paper); color: var(--ink);
      font: 16px/1.5 system-ui, sans-serif; }
    main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem; }
    h1 { font-size: 1.4rem; margin: 0 0 1rem; }
    dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr));
      gap: .75rem 1.5rem; margin: 0 0 1.5rem; }
    dt { color: var(--soft); font-size: .8rem; } dd { margin: 0; overflow-wrap: anywhere; }
    ol { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line); }
    li { display: grid; grid-template-columns: 15rem 7rem 1fr; gap: 0 1rem;
      padding: .5rem 0; border-bottom: 1px solid var(--line); }
    li.change span { font-weight: 600; }
    time { color: var(--soft); font-variant-numeric: tabular-nums; }
    b { font-weight: 600; } .proof b { color: var(--proof); }
    .notification b { color: var(--notification); } .hint b { color: var(--hint); }
    .key { color: var(--soft); font-size: .85rem; }
    @media (max-width: 40rem) { li { grid-template-columns: 1fr; } }
    """
}
