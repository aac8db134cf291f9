/// The colours of states, as pills and as the server's lane, and of trust classes.
enum PillStyle {
  static let text =
    rules(
      [
        "--green": ["s-captured", "s-paid", "o-done", "w-processed", "m-delivered", "l-captured"],
        "--blue": ["s-authorized", "o-accepted", "l-authorized"],
        "--violet": ["s-pending", "o-intent", "o-unknown", "w-received", "m-waiting", "l-pending"],
        "--teal": ["s-refunded", "h-open"],
        "--amber": [
          "s-needs_review", "s-unknown", "w-unmatched", "w-parked", "h-paused", "l-unknown",
        ],
        "--red": ["s-rejected", "o-refused", "w-rejected", "m-dead", "l-rejected"],
        "--grey": [
          "s-created", "s-expired", "s-cancelled", "mode", "l-created", "l-expired", "l-cancelled",
        ],
      ]) + """
      .pill { display: inline-block; white-space: nowrap; border-radius: 1rem;
        padding: 0 .5625rem; font-size: .8125rem; font-weight: 550; line-height: 1.5rem;
        color: var(--c); background: color-mix(in srgb, var(--c) var(--tint), var(--panel)); }
      .pill::before { content: ""; display: inline-block; width: .5rem; height: .5rem;
        margin-right: .375rem; border-radius: 50%; background: var(--c); }
      .mode::before { display: none; }
      .s-created::before, .s-pending::before, .o-intent::before, .o-unknown::before,
      .w-received::before, .m-waiting::before { background: none; border: 2px solid var(--c); }
      .s-authorized::before, .o-accepted::before { background:
        linear-gradient(90deg, var(--c) 50%, transparent 50%); border: 2px solid var(--c); }
      .s-rejected::before, .o-refused::before, .w-rejected::before, .m-dead::before,
      .s-expired::before, .s-cancelled::before { border-radius: 0;
        background: linear-gradient(var(--c), var(--c)) center / 100% 3px no-repeat; }
      .s-needs_review::before, .s-unknown::before, .w-unmatched::before, .w-parked::before {
        border-radius: 1px; transform: rotate(45deg) scale(.9); }
      .trust-proof { color: var(--green); } .trust-notification { color: var(--amber); }

      """

  private static func rules(_ colours: KeyValuePairs<String, [String]>) -> String {
    colours.map { colour, names in
      names.map { ".\($0)" }.joined(separator: ", ") + " { --c: var(\(colour)); }\n"
    }.joined()
  }
}
