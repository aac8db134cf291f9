import CommandLineParser

let exportCommand = Command<TillAction>(
  "export", "Prints the money that moved on a day, as CSV",
  discussion: """
    A movement counts on the day that the provider names, else on the day it was learned. \
    in_review is what of the captured money belongs to orders with a review that nobody has \
    closed, as it is now.
    """,
  options: [
    .option(
      "day", "DAY", "Which day: 2026-11-30",
      kind: .checked(expected: "a day such as 2026-11-30", { DayZone.utc.day($0) != nil }),
      count: .required),
    .option(
      "zone", "ZONE", "Where the day is one: a name such as Asia/Dubai, or +04:00",
      default: "UTC"),
    .flag("json", "Print the server's answer as it is, in JSON"),
  ],
  examples: [("till export --day 2026-11-30 --zone Asia/Dubai > day.csv", "for the books")]
) {
  .ask(
    .export(day: $0.required("day"), zone: $0.required("zone")), asJSON: $0.has("json"))
}
