import KitEnvironment
import PaymentModels
import PaymentStore

/// Ways back to where it should be that a world can tell of.
enum Recovery: String, CaseIterable {
  case serverDiedBefore = "the server died before its commit"
  case serverDiedAfter = "the server died between its commit and the answer"
  case appDiedBefore = "an app died before its commit"
  case appDiedAfter = "an app died between its commit and the answer"
  case createRepeated = "a create failed and was repeated"
  case createEnded = "a create without an answer was ended"
  case lateAnswer = "an answer came after the payment was made otherwise"
  case twin = "a payment with a twin at its provider"
  case earlyWebhook = "a webhook came before the create's answer"
  case readFailed = "a read failed and came again"
  case lapsed = "a payment lapsed"
  case operationRepeated = "an operation was tried more than once"
  case messageRepeated = "a message reached the shop twice"
  case byPoll = "learned by the schedule"
  case byWebhook = "learned by a webhook"
  case byRead = "learned by a read that somebody asked for"
  case byCall = "learned by the answer to a call"
  case byReconcile = "learned by a comparison of the books"
  case lateMoney = "money came late"
  case goodsBack = "goods were called back"
  case caseDecided = "a case was decided by an operator"
  case caseByPolicy = "a case was decided by policy"
  case caseAnswered = "a case was answered by a proof"
  case sqlite = "a world on SQLite"
  case signedInAgain = "a payer whose token had run out signed in again"
}

extension CoverageTable {
  mutating func reach(_ recovery: Recovery) { reach(.recovery, recovery.rawValue) }

  /// What the code knows and no world can come to; Docs/Simulation.md says why.
  private static let unreachable: Set<String> = [
    "pending → authorized", ReviewKind.modeMismatch.rawValue, Recovery.lateAnswer.rawValue,
    Recovery.earlyWebhook.rawValue,
  ]

  /// Everything of a section that a world can come to.
  static func known(_ section: Section) -> [String] {
    words(of: section).filter { !unreachable.contains($0) }
  }

  private static func words(of section: Section) -> [String] {
    switch section {
    case .fault:
      return NetworkFault.allCases.map(\.rawValue)
        + WorldPart.Outage.allCases.map { "provider \($0.rawValue)" }
        + Checkpoint.allCases.map { "server crash at \($0.rawValue)" }
        + WorldPart.ProviderMove.allCases.map { "own \($0.rawValue) of a provider" }
        + SandboxFault.words
        + [
          "app crash", "clock set back", "clock set forward", "full disk", "new operator key",
          "new webhook secret", "partition", "server crash", "server restart", "sign-in runs out",
          "slow disk",
        ]
    case .checkpoint: return Checkpoint.allCases.map(\.rawValue)
    case .edge:
      return statuses.flatMap { from in
        statuses.filter { $0 != from && from.allows($0) }.map { "\(from) → \($0)" }
      }
    case .review: return ReviewKind.allCases.map(\.rawValue)
    case .screen:
      return [
        "cancelled", "confirming", "expired", "not_started", "preparing", "rejected",
        "still_confirming", "succeeded", "under_review",
      ]
    case .message: return MessageRow.Kind.allCases.map { "order.\($0.rawValue)" }
    case .errand:
      return ["cancel", "capture", "close", "pause", "reconcile", "redeliver", "refund"]
        + ["part of a capture", "part of a refund"]
        + ReviewDecision.allCases.map { "decide \($0.rawValue)" }
    case .recovery: return Recovery.allCases.map(\.rawValue)
    }
  }

  /// The states that have a name; words that nobody knows are one world's own.
  static let statuses: [PaymentStatus] = [
    .created, .pending, .authorized, .captured, .rejected, .expired, .cancelled,
  ]
}
