import MerchantAPI
import PaymentModels
import StrictJSON

extension TillRunner {
  private static let heading = [
    "day", "time_zone", "provider", "account", "currency", "captured", "refunded",
    "charged_back", "in_review",
  ]

  /// Prints the money that moved on one day, one row for each account and currency.
  func export(
    day: String, zone name: String, _ asJSON: Bool
  ) async throws(CommandFailure) {
    guard let zone = DayZone(fixed: name) ?? zoneFile(name).flatMap({ DayZone(file: $0) }) else {
      throw CommandFailure(
        .wrongData,
        "there is no time zone \(name) on this machine: name one such as Asia/Dubai, "
          + "or an offset such as +04:00")
    }
    guard let (start, end) = zone.day(day) else {
      throw CommandFailure(
        .wrongData, "\(day) is no day that \(name) tells of: write it as 2026-11-30")
    }
    let json = try await read(.operator(.moneyTotals), query: "?from=\(start)&to=\(end)")
    if asJSON { return printJSON(json) }
    terminal.write(CSVText.row(Self.heading.map { .text($0) }))
    for total in json["totals"]?.elements ?? [] {
      let words = [day, name] + ["provider", "account", "currency"].map { total[$0]?.text ?? "" }
      let sums = Self.heading.suffix(4).map { total[$0]?.text ?? "" }
      terminal.write(
        CSVText.row(words.map { .text($0) } + sums.map { .number($0) }))
    }
  }
}
