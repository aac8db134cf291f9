import HTTPExchange
import ProviderSandbox
import StrictJSON

/// What a fake provider did to webhooks and outcomes.
enum SandboxFault: String, CaseIterable {
  case webhooksTwice = "webhooks of a provider come twice"
  case webhooksLate = "webhooks of a provider come late"
  case webhooksNever = "webhooks of a provider never come"
  case outcomeLate = "the outcome at a provider comes late"
  case refundLate = "a refund at a provider takes its time"
  case refundRefused = "a provider refuses refunds in a dispute"
  case bankFails = "the bank fails behind a provider"

  /// The word for an answer that went wrong.
  static func word(of kind: AnswerFaultKind) -> String { "answer of a provider: \(kind.rawValue)" }

  /// All words.
  static var words: [String] {
    allCases.map(\.rawValue) + AnswerFaultKind.allCases.map(word)
  }
}

extension SandboxStack {
  /// Counts what the fake providers did beside their plain course: each answer that was spoilt, and
  /// what they do to every payment once for each that a payer has opened.
  ///
  /// - Parameter drawn: the settings that they began with.
  func misdeeds(_ drawn: Settings) async -> CoverageTable {
    var table = CoverageTable()
    var opened: [String: Int] = [:]
    for payment in await ledger()["payments"]?.elements ?? [] {
      let events = payment["events"]?.elements ?? []
      guard events.contains(where: { $0["event"] == "page_opened" }) else { continue }
      opened[payment["provider"]?.text ?? "", default: 0] += 1
    }
    for (provider, faults) in drawn.faults {
      for fault in faults.ofPayments {
        if let times = opened[provider] { table.reach(.fault, fault.rawValue, times) }
      }
      let place = provider == "tabby" ? "" : "/\(provider)"
      let answer = await respond(
        to: HTTPRequest(method: "GET", target: "/sandbox/settings\(place)"))
      let left = (try? JSONValue(parsing: answer.body))?.find("faults.answers")?.elements ?? []
      for (rule, left) in zip(faults.answers, left) {
        let times = rule.times - (left["times"]?.int64 ?? rule.times)
        if times > 0 { table.reach(.fault, SandboxFault.word(of: rule.kind), Int(times)) }
      }
    }
    return table
  }
}

/// The faults of one provider, as far as they are counted.
private struct CountedFaults {
  let answers: [(kind: AnswerFaultKind, times: Int64)]
  let ofPayments: [SandboxFault]

  init<Call>(
    _ answers: [AnswerFault<Call>], copies: Int64, drops: Bool, isLate: Bool,
    _ others: [SandboxFault: Bool]
  ) {
    self.answers = answers.map { ($0.kind, $0.times) }
    let webhooks: [SandboxFault: Bool] =
      drops
      ? [.webhooksNever: true] : [.webhooksTwice: copies > 1, .webhooksLate: isLate]
    ofPayments = SandboxFault.allCases.filter { webhooks[$0] == true || others[$0] == true }
  }
}

extension SandboxStack.Settings {
  fileprivate var faults: [(provider: String, CountedFaults)] {
    [
      (
        "tabby",
        CountedFaults(
          tabby.faults.answers, copies: tabby.faults.webhookCopies,
          drops: tabby.faults.dropsWebhooks,
          isLate: tabby.faults.webhookDelaysMs.contains { $0 > 0 },
          [
            .outcomeLate: tabby.faults.authorizeDelayMs > 0,
            .refundRefused: tabby.faults.isDisputed,
          ])
      ),
      (
        "futa",
        CountedFaults(
          futa.faults.answers, copies: futa.faults.webhookCopies,
          drops: futa.faults.dropsWebhooks, isLate: futa.faults.webhookDelayMs > 0,
          [.outcomeLate: futa.faults.outcomeDelayMs > 0])
      ),
      (
        "rais",
        CountedFaults(
          rais.faults.answers, copies: rais.faults.webhookCopies,
          drops: rais.faults.dropsWebhooks, isLate: rais.faults.webhookDelayMs > 0,
          [.outcomeLate: rais.faults.paidDelayMs > 0])
      ),
      (
        "tebex",
        CountedFaults(
          tebex.faults.answers, copies: tebex.faults.webhookCopies,
          drops: tebex.faults.dropsWebhooks, isLate: tebex.faults.webhookDelayMs > 0,
          [.outcomeLate: tebex.faults.completeDelayMs > 0])
      ),
      (
        "seb",
        CountedFaults(
          seb.faults.answers, copies: seb.faults.webhookCopies, drops: seb.faults.dropsWebhooks,
          isLate: seb.faults.webhookDelayMs > 0,
          [
            .outcomeLate: seb.faults.settleDelayMs > 0,
            .refundLate: seb.faults.refundDelayMs > 0, .bankFails: seb.faults.bankFails,
          ])
      ),
    ]
  }
}
