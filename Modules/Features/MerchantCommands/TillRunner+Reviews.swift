import KitEnvironment
import MerchantAPI
import PaymentModels
import StrictJSON

extension TillRunner {
  func listReviews(_ limit: Int, _ after: Int, _ asJSON: Bool) async throws(CommandFailure) {
    let json = try await read(.operator(.reviews), query: "?limit=\(limit)&after=\(after)")
    if asJSON { return printJSON(json) }
    let reviews = json["reviews"]?.elements ?? []
    guard !reviews.isEmpty else { return terminal.line("no open cases") }
    let rows = reviews.map { review in
      [
        review["review"]?.numberText ?? "?", age(review), text(review, "kind"),
        text(review, "order_id"), text(review, "order_state"), text(review, "detail"),
      ]
    }
    terminal.table(rows, heading: ["CASE", "AGE", "KIND", "ORDER", "STATE", "DETAIL"])
    if let next = json["next_after"]?.numberText {
      terminal.line("more: \(program) review list --after \(next)")
    }
  }

  func showReview(_ number: Int, _ asJSON: Bool) async throws(CommandFailure) {
    let json = try await read(.operator(.review(Int64(number))))
    if asJSON { printJSON(json) } else { printReview(json) }
  }

  func resolveReview(
    _ number: Int, _ decision: ReviewDecision, _ reason: String, _ key: String?, _ asJSON: Bool
  ) async throws(CommandFailure) {
    let key = key ?? environment.newUUID()
    let json: JSONValue
    do {
      json = try await post(
        .operator(.resolveReview(Int64(number))),
        body: ResolveBody(decision: decision, reason: reason).json,
        key: key)
    } catch {
      throw error.hintingAt(key: key)
    }
    if asJSON { printJSON(json) } else { printReview(json) }
  }

  private func printReview(_ json: JSONValue) {
    var rows = [
      ["case", json["review"]?.numberText ?? "?"], ["kind", text(json, "kind")],
      ["order", "\(text(json, "order_id"))  \(terminal.state(text(json, "order_state")))"],
      ["payment", text(json, "payment_id")], ["detail", text(json, "detail")],
      ["opened", "\(text(json, "opened_at")), \(age(json)) ago"],
    ]
    if json["decision"]?.text != nil {
      rows.append([
        "decided",
        "\(text(json, "decision")) by \(text(json, "decided_by")): "
          + text(json, "decision_reason"),
      ])
    }
    if let end = json["resolved_at"]?.text {
      rows.append(["closed", printable(end)])
    } else {
      let words = json["decisions"]?.elements?.compactMap(\.text).map(printable) ?? []
      rows.append([
        "next",
        "\(program) review resolve \(json["review"]?.numberText ?? "?") --decision "
          + words.joined(separator: "|") + " --reason …",
      ])
    }
    terminal.table(rows)
  }

  /// Minutes, hours or days: what a person sorts a queue by.
  private func age(_ json: JSONValue) -> String {
    let seconds = json["age_seconds"]?.int64 ?? 0
    return switch seconds {
    case ..<3_600: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3_600) h"
    default: "\(seconds / 86_400) d"
    }
  }
}
