import StrictJSON

/// Asks the witnesses of a soak.
struct SoakWitnesses: Sendable {
  /// Payments of a page of `till payment list`, its most.
  private static let page = 100

  let stage: Stage
  let book: SoakBook

  /// What they say now.
  func books() async throws -> SoakBooks {
    var books = SoakBooks()
    books.payments = try await payments()
    books.ledger = try SoakBooks.Entry.all(
      in: try await stage.control("/sandbox/ledger", nil))
    books.cases = try await cases()
    for order in Set(books.payments.map(\.order)) {
      books.fulfilments[order] = await stage.fulfilments(order)
      books.revocations[order] = await stage.revocations(order)
    }
    books.cancelled = await book.cancelled
    books.late = await book.late
    return books
  }

  private func payments() async throws -> [SoakBooks.Payment] {
    var payments: [SoakBooks.Payment] = []
    var before: [String] = []
    while true {
      let page = try await json(["payment", "list", "--limit", "\(Self.page)"] + before)
      payments += try SoakBooks.Payment.all(in: page)
      guard let next = page["next_before"]?.text else { return payments }
      before = ["--before", next]
    }
  }

  private func cases() async throws -> [SoakBooks.Case] {
    var cases: [SoakBooks.Case] = []
    var after: [String] = []
    while true {
      let page = try await json(["review", "list", "--limit", "\(Self.page)"] + after)
      cases += try page.list("reviews").map {
        SoakBooks.Case(
          order: $0["order_id"]?.text ?? "?", kind: $0["kind"]?.text ?? "?",
          detail: $0["detail"]?.text ?? "?")
      }
      guard let next = page["next_after"]?.int64 else { return cases }
      after = ["--after", "\(next)"]
    }
  }

  // MARK: What is on its way, and what is stuck

  /// Webhooks that the providers have not got rid of, and messages that the shop has not got.
  func waiting() async throws -> Int {
    let ledger = try await stage.control("/sandbox/ledger", nil)
    let webhooks = try SoakBooks.webhooksWaiting(in: ledger)
    return webhooks + (try await count("messages", ["outbox", "list", "--waiting"]))
  }

  /// What nobody works on any more, and what the doctor finds wrong.
  func stuck() async throws -> [String] {
    var problems: [String] = []
    let dead = try await count("messages", ["outbox", "list", "--dead"])
    if dead > 0 { problems.append("\(dead) messages were given up") }
    let parked = try await count("webhooks", ["webhook", "list", "--state", "parked"])
    if parked > 0 { problems.append("\(parked) webhooks are parked") }
    let doctor = try await stage.till(["doctor", "--offline", "--config", stage.settings])
    let report = try JSONValue(parsing: Array(doctor.lines.joined().utf8))
    let failed = try report.list("checks").filter { $0["standing"]?.text == "fail" }
    problems += failed.map {
      "till doctor: \($0["name"]?.text ?? "?"): \($0["fact"]?.text ?? "?")"
    }
    let isStoreWhole = report["checks"]?.elements?.contains {
      $0["name"]?.text == "store" && $0["standing"]?.text == "ok"
    }
    if isStoreWhole != true { problems.append("till doctor does not call the store whole") }
    return problems
  }

  /// What a comparison of the books leaves: differences, payments that could not be read.
  func differences(applies: Bool = false) async throws -> [JSONValue] {
    let till = try await stage.till(
      ["reconcile", "--since", "24h"] + (applies ? ["--apply"] : []))
    let pages = till.lines.compactMap { try? JSONValue(parsing: Array($0.utf8)) }
    let found = pages.flatMap {
      ($0["differences"]?.elements ?? []).filter { $0["settled"]?.boolean != true }
        + ($0["not_read"]?.elements ?? [])
    }
    guard found.isEmpty, till.code != 0 else { return found }
    throw StoryFailure("till reconcile ended with \(till.code): \(till.lines.last ?? "")")
  }

  private func count(_ member: String, _ arguments: [String]) async throws -> Int {
    try await json(arguments).list(member).count
  }

  private func json(_ arguments: [String]) async throws -> JSONValue {
    let till = try await stage.till(arguments)
    guard till.code == 0 else {
      throw StoryFailure("till \(arguments[0]) ended with \(till.code): \(till.lines.last ?? "")")
    }
    return try JSONValue(parsing: Array(till.lines.joined().utf8))
  }
}
