import CheckoutLifecycle
import PaymentModels
public import ProviderInterface
import StrictJSON

/// What each provider can do, side by side. All of it comes from the providers themselves and
/// from the table of presentations.
public struct ProviderMatrix: Sendable {
  /// How it is shown.
  public enum Format: Hashable, Sendable {
    /// Aligned columns.
    case table
    /// One document.
    case json
    /// A table for a page in Docs/Providers, linked to the pages beside it.
    case markdown
  }

  private let subjects: [Subject]

  /// Compares providers in the order given.
  public init(_ providers: [any PaymentProvider]) {
    subjects = providers.map { provider in
      Subject(
        name: provider.name.rawValue, capabilities: provider.capabilities,
        presentation: PresentationStrategy.Platform.allCases.map { platform in
          (platform, PresentationRule.recommended(for: provider.name, on: platform))
        })
    }
  }

  /// The matrix as text that ends with a line end.
  ///
  /// - Parameter columnsMax: the terminal's columns, for the table; nil if nothing limits it.
  public func text(_ format: Format, columnsMax: Int? = nil) -> String {
    let lines =
      switch format {
      case .table: bands(columnsMax)
      case .json: [String(decoding: json.serialized(), as: UTF8.self)]
      case .markdown: markdown
      }
    return lines.map { $0 + "\n" }.joined()
  }

  /// As many providers beside one another as fit, the others below them.
  private func bands(_ columnsMax: Int?) -> [String] {
    var lines: [String] = []
    var rest = subjects[...]
    while !rest.isEmpty {
      var count = rest.count
      while count > 1, Self.band(rest.prefix(count)).width > columnsMax ?? .max { count -= 1 }
      if !lines.isEmpty { lines.append("") }
      lines += Self.band(rest.prefix(count)).lines(columnsMax: columnsMax)
      rest = rest.dropFirst(count)
    }
    return lines
  }

  private static func band(_ subjects: ArraySlice<Subject>) -> TextTable {
    TextTable(rows: [[""] + subjects.map(\.name)] + rows(subjects).flatMap(stacked))
  }

  private var markdown: [String] {
    let heading = [""] + subjects.map { "[\($0.name)](\($0.name).md)" }
    let rule = heading.map { _ in "---" }
    let lines = Self.rows(subjects[...]).map { row in row.map { $0.joined(separator: ", ") } }
    return ([heading, rule] + lines).map { "| \($0.joined(separator: " | ")) |" }
  }

  /// A row for each question, a column for each provider; several words in a cell where there are.
  private static func rows(_ subjects: ArraySlice<Subject>) -> [[[String]]] {
    Question.all.map { question in
      [[question.title]] + subjects.map { question.answer($0).words }
    }
  }

  /// The lines of a row whose cells have several words one below the other.
  private static func stacked(_ row: [[String]]) -> [[String]] {
    (0..<(row.map(\.count).max() ?? 0)).map { line in
      let cells = row.map { $0.indices.contains(line) ? $0[line] : "" }
      // What ends empty would leave spaces at the end of the line.
      return Array(cells.reversed().drop(while: \.isEmpty).reversed())
    }
  }

  private var json: JSONValue {
    .object([
      "providers": .array(
        subjects.map { subject in
          .object(
            [JSONMember(name: "provider", value: .string(subject.name))]
              + Question.all.map { question in
                JSONMember(name: question.member, value: question.answer(subject).json)
              })
        })
    ])
  }
}

/// One column of the matrix.
private struct Subject: Sendable {
  let name: String
  let capabilities: ProviderCapabilities
  let presentation: [(platform: PresentationStrategy.Platform, strategy: PresentationStrategy?)]
}

/// What stands in one cell, for people and for programs.
private struct Answer {
  let words: [String]
  let json: JSONValue

  init(_ word: String, _ json: JSONValue) {
    words = [word]
    self.json = json
  }

  init(_ words: [String], _ json: JSONValue? = nil) {
    self.words = words.isEmpty ? ["nothing"] : words
    self.json = json ?? .array(words.map { .string($0) })
  }
}

/// One row of the matrix.
private struct Question: Sendable {
  /// The question for people.
  let title: String
  /// The question for programs.
  let member: String
  let answer: @Sendable (Subject) -> Answer

  init(_ title: String, _ member: String, _ answer: @escaping @Sendable (Subject) -> Answer) {
    self.title = title
    self.member = member
    self.answer = answer
  }

  static let all: [Question] = [
    Question("paid is proven by", "paid_proofs") { proofs($0.capabilities.paidProofs) },
    Question("undone is proven by", "undone_proofs") { proofs($0.capabilities.undoneProofs) },
    Question("a signed body may prove", "signed_body_proves") { subject in
      let facts = [
        ("paid", subject.capabilities.paidProofs), ("undone", subject.capabilities.undoneProofs),
      ]
      return Answer(facts.filter { $0.1.contains(.signedWebhook) }.map(\.0))
    },
    Question("unpaid for good at", "unpaid_ends") { Answer($0.capabilities.unpaidEnds) },
    Question("a repeated create makes", "create_has_idempotency_key") {
      let hasKey = $0.capabilities.createHasIdempotencyKey
      return Answer(hasKey ? "the same payment" : "another payment", .bool(hasKey))
    },
    Question("the payer's money is", "capture") { capture($0.capabilities.capture) },
    Question("a close ends", "close") { close($0.capabilities.close) },
    Question("a refund gives back", "refund") { refund($0.capabilities.refund) },
    Question("a lost operation is found by", "operations_carry_reference") {
      let carry = $0.capabilities.operationsCarryReference
      return Answer(carry ? "our id" : "its amount", .bool(carry))
    },
    Question("a webhook is known by", "webhook") { webhook($0.capabilities.webhook) },
    Question("webhooks are set up", "webhook_setup") { setup($0.capabilities.webhookSetup) },
    Question("its API lists", "listing") { subject in
      let listing = subject.capabilities.listing
      return Answer(
        listing == .none ? "nothing" : "paid payments", .string(listing.rawValue))
    },
    Question("the page opens in", "presentation") { presentation($0) },
    Question("waits between reads", "read_schedule_seconds") {
      schedule($0.capabilities.readSchedule)
    },
    Question("currencies of an account", "currencies") { subject in
      let codes = subject.capabilities.currencies.sorted()
      return Answer(subject.capabilities.currencyNote, .array(codes.map { .string($0) }))
    },
  ]

  private static func proofs(_ proofs: Set<ProviderCapabilities.Proof>) -> Answer {
    let known = ProviderCapabilities.Proof.allCases.filter(proofs.contains)
    let words = known.map { proof in
      switch proof {
      case .read: "read"
      case .transactionRead: "transaction read"
      case .signedWebhook: "signed webhook"
      }
    }
    return Answer(
      words.isEmpty ? "nothing" : words.joined(separator: " or "),
      .array(known.map { .string($0.rawValue) }))
  }

  private static func capture(_ capture: ProviderCapabilities.Capture) -> Answer {
    let text =
      switch capture {
      case .automatic: "taken at once"
      case .separate: "held, then captured"
      }
    return Answer(text, .string(capture.rawValue))
  }

  private static func close(_ close: ProviderCapabilities.Close) -> Answer {
    let text =
      switch close {
      case .none: "nothing"
      case .authorized: "what is held"
      case .unpaid: "what is held or unpaid"
      }
    return Answer(text, .string(close.rawValue))
  }

  private static func refund(_ refund: ProviderCapabilities.Refund) -> Answer {
    let text =
      switch refund {
      case .none: "nothing"
      case .full: "all at once"
      case .partial: "any part"
      }
    return Answer(text, .string(refund.rawValue))
  }

  private static func webhook(_ webhook: ProviderCapabilities.Webhook) -> Answer {
    let text =
      switch webhook {
      case .unsigned: "nothing"
      case .staticHeader: "a header of ours"
      case .signed: "its signature"
      }
    return Answer(text, .string(webhook.rawValue))
  }

  private static func setup(_ setup: ProviderCapabilities.WebhookSetup) -> Answer {
    switch setup {
    case .api(let webhooksMax):
      Answer(
        "by API, up to \(webhooksMax)",
        .object(["by": "api", "webhooks_max": .integer(Int64(webhooksMax))]))
    case .byHand(let place):
      Answer("by hand", .object(["by": "hand", "place": .string(place)]))
    }
  }

  private static func presentation(_ subject: Subject) -> Answer {
    let names = subject.presentation.map { $0.strategy?.rawValue ?? "nothing" }
    // Mostly it is the same everywhere.
    let words =
      Set(names).count == 1
      ? Array(names.prefix(1))
      : zip(names, subject.presentation).map { "\($0) (\($1.platform.rawValue))" }
    return Answer(
      words,
      .object(
        subject.presentation.map { pair in
          JSONMember(
            name: pair.platform.rawValue,
            value: pair.strategy.map { .string($0.rawValue) } ?? .null)
        }))
  }

  private static func schedule(_ waits: [Duration]) -> Answer {
    let seconds = waits.map(\.components.seconds)
    let text = "from \(span(seconds.first ?? 0)) to \(span(seconds.last ?? 0))"
    return Answer(text, .array(seconds.map { .integer($0) }))
  }

  private static func span(_ seconds: Int64) -> String {
    switch seconds {
    case 3_600...: "\(seconds / 3_600) h"
    case 60...: "\(seconds / 60) min"
    default: "\(seconds) s"
    }
  }
}
