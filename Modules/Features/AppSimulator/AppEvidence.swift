import StrictJSON

/// What app processes printed, judged for what no payer may ever be shown: an end that nothing
/// proves, a page whose payment no store holds, doubt after success; and for a second payment.
struct AppEvidence: Sendable {
  /// The words of payments that end unpaid; an app shows them as they are.
  private static let unpaidEnds: Set<String> = ["rejected", "expired", "cancelled"]

  private let reports: [[JSONValue]]
  private var problems: [String] = []
  private var storedPayments: Set<String> = []
  /// The payment that the server has made, by checkout.
  private var made: [String: String] = [:]
  /// Statuses that the server has told, by payment; order states among them.
  private var proofs: [String: Set<String>] = [:]

  /// Reads the lines of processes, in the order in which they were started.
  init(_ reports: [[JSONValue]]) { self.reports = reports }

  /// What is wrong; `shown` are the unpaid ends that the story leads to.
  func problems(allowing shown: [String]) -> [String] {
    var evidence = self
    for report in reports {
      var succeeded: Set<String> = []
      for line in report { evidence.take(line, shown, &succeeded) }
    }
    return evidence.problems
  }

  private mutating func take(
    _ line: JSONValue, _ shown: [String], _ succeeded: inout Set<String>
  ) {
    let checkout = line["checkout"]?.text ?? ""
    let payment = line["payment_id"]?.text
    switch line["event"]?.text {
    case "stored":
      if payment != nil { storedPayments.insert(checkout) }
    case "open":
      if !storedPayments.contains(checkout) {
        problems.append("a page was opened before its payment was stored")
      }
    case "created", "read":
      if let payment, line["event"]?.text == "created" {
        if made[checkout, default: payment] != payment {
          problems.append("a checkout has two payments")
        }
        made[checkout] = payment
      }
      let words = [line["status"]?.text, line["order_state"]?.text].compactMap { $0 }
      proofs[payment ?? "", default: []].formUnion(words)
    case "show":
      judge(line, proofs[payment ?? ""] ?? [], shown)
      let word = line["outcome"]?.text ?? line["display"]?.text ?? "?"
      if word == "succeeded" {
        succeeded.insert(checkout)
      } else if succeeded.contains(checkout) {
        problems.append("\(word) was shown after succeeded")
      }
    default: break
    }
  }

  private mutating func judge(_ line: JSONValue, _ proof: Set<String>, _ shown: [String]) {
    guard let outcome = line["outcome"]?.text else { return }
    if outcome == "succeeded" {
      if proof.isDisjoint(with: ["authorized", "captured", "paid"]) {
        problems.append("succeeded was shown without proof")
      }
    } else if Self.unpaidEnds.contains(outcome) {
      if !proof.contains(outcome) { problems.append("\(outcome) was shown without proof") }
      if !shown.contains(outcome) { problems.append("\(outcome) was shown, which it never was") }
    }
  }
}
