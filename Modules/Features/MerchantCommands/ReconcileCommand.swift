import CommandLineParser
import MerchantAPI

let reconcileCommand = Command<TillAction>(
  "reconcile", "Compares the providers' books with ours",
  discussion: """
    Reads, at their providers, the payments that anything happened to since then, those that \
    have no end yet, and those whose money can still go back: for 180 days. Where a \
    provider lists payments, those that the book does not know are found too. Without --apply \
    nothing is changed. With it each payment that differs gets a read as any other, which \
    settles what a read may settle; the rest is a person's.

    Exit codes, for cron: 0 the books agree, or --apply brought them together; 1 they differ; \
    75 something could not be read, so nothing is known of it: run it again.
    """,
  options: [
    .option(
      "since", "SPAN", "How far back: 90m, 24h, 7d",
      kind: .checked(
        expected: "a span such as 24h, from 1m to 366d", { spanSeconds($0) != nil }),
      default: "24h"),
    .flag("apply", "Settles what a read may settle"),
    .flag("json", "Print the server's pages as they are, in JSON, and a summary"),
  ],
  examples: [("till reconcile --since 25h", "once a day, without a gap between two days")]
) { arguments in
  .ask(
    .reconcile(
      sinceSeconds: spanSeconds(arguments.required("since")) ?? 0, applies: arguments.has("apply")),
    asJSON: arguments.has("json"))
}

/// Seconds of `90m`, `24h` or `7d`; nil for anything else.
private func spanSeconds(_ text: String) -> Int64? {
  let units: [Character: Int64] = ["m": 60, "h": 3_600, "d": 86_400]
  guard let unit = text.last.flatMap({ units[$0] }), !text.hasPrefix("+"),
    let count = Int64(text.dropLast()), count > 0,
    count <= ReconcileBody.sinceSecondsMax / unit
  else { return nil }
  return count * unit
}
