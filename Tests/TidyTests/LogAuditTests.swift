import Testing

@Suite("Log lines")
struct LogAuditTests {
  private static let folders = [
    "Modules/Core/CheckoutService/", "Modules/Core/FulfilmentOutbox/", "Modules/Core/StatusSync/",
    "Modules/Features/MerchantServer/",
  ]

  /// Messages that are about no single payment, or about a delivery whose payment is not known.
  private static let others: Set<String> = [
    "a webhook could not be read", "a webhook endpoint was validated",
    "a webhook that names nothing known was put off", "a webhook was refused",
    "an account's reads are slowed down", "an account's reads of a minute are used up",
    "webhooks of accounts that are not configured were parked",
    "webhooks of other accounts were not looked at", "bodies of old webhooks were erased",
    "deliveries come that are not for this account",
    "due messages could not be taken", "due operations could not be begun",
    "due payments could not be taken", "new checkouts are paused",
    "new checkouts are taken again", "not ready", "the inbox was not tidied", "the store failed",
    "the store's log could not be emptied", "webhooks could not be taken",
  ]

  @Test func `what concerns a payment names it`() {
    var seen = 0
    for file in Project.house.swiftFiles {
      guard Self.folders.contains(where: file.path.hasPrefix) else { continue }
      for call in calls(in: file.text) {
        seen += 1
        let message = call.split(separator: "\"").dropFirst().first.map(String.init) ?? ""
        #expect(
          call.contains("\"payment_id\"") || Self.others.contains(message),
          "\(file.path): \(message)")
      }
    }
    #expect(seen > 20)
  }

  /// The arguments of each call of the log, by counting parentheses.
  private func calls(in text: String) -> [String] {
    text.components("environment.log(").dropFirst().map { rest in
      var depth = 1
      return String(
        rest.prefix { character in
          if character == "(" { depth += 1 }
          if character == ")" { depth -= 1 }
          return depth > 0
        })
    }
  }
}

extension String {
  /// What stands between occurrences of `word`.
  fileprivate func components(_ word: String) -> [Substring] {
    split(separator: word, omittingEmptySubsequences: false)
  }
}
