import PaymentModels

/// A judge of payment stories that looks at the two ends: the providers' ledgers, and what reached
/// the shop and the payers. The book is what it judges; of the code that wrote the book it knows
/// nothing and shares none.
///
/// ```swift
/// let verdict = PaymentOracle.verdict(on: evidence)
/// ```
public struct PaymentOracle: Sendable {
  /// What has to hold.
  public enum Invariant: String, Sendable, CaseIterable {
    /// What the book counts as captured and returned is what the providers count.
    case moneyConserved = "money is conserved between provider and book"
    /// The book says paid exactly if a provider has the order's money.
    case paidIffCaptured = "paid iff captured"
    /// Goods go out once for an order, and no sooner than its money is there.
    case fulfilledOnce = "fulfilled exactly once, never before paid"
    /// No provider took more than was agreed, or gave back more than it took.
    case withinBounds = "captured within the amount, refunded within the captured"
    /// Nothing is shown as failed or cancelled without proof, and nothing as paid without money.
    case neverFalselyFailed = "nothing shown failed or paid without proof"
    /// The payer is shown in the end how it ended.
    case payerToldTheTruth = "the payer is told the truth in the end"
    /// What a provider knows, the book knows.
    case nothingUnknown = "every payment at a provider is in the book"
    /// A checkout that is asked for again under its key makes no second order.
    case orderedOnce = "a checkout makes one order"
    /// An event that a provider tells more than once is in the inbox once.
    case takenOnce = "a webhook is taken once"
    /// Whatever has not come to its end has somebody who looks after it.
    case nothingForgotten = "everything ends or is owned"
    /// No key of a provider gets to a device.
    case keysStayHome = "no provider key reaches a device"
    /// The journal tells how the stored state came to be.
    case journalTells = "the journal gives the stored state"
  }

  /// Something found wrong.
  public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// What does not hold.
    public var invariant: Invariant
    /// Where.
    public var detail: String
    /// Whether it may take a day, because money came after the payment had ended unpaid, or the
    /// merchant waits for it no more.
    public var isSlow = false
    /// Invariant and detail.
    public var description: String { "\(invariant.rawValue): \(detail)" }
  }

  /// What a judge makes of the evidence.
  public struct Verdict: Sendable, Hashable {
    /// What must never be.
    public var violations: [Finding] = []
    /// What must not stay: it becomes a violation if it lasts beyond the bound.
    public var unsettled: [Finding] = []
  }

  let evidence: PaymentEvidence
  let accounts: [OrderAccount]
  private let strangers: [LedgerPayment]

  /// Judges the evidence.
  public static func verdict(on evidence: PaymentEvidence) -> Verdict {
    do {
      let oracle = try PaymentOracle(evidence)
      return Verdict(violations: oracle.violations, unsettled: oracle.unsettled)
    } catch {
      let finding = Finding(invariant: .moneyConserved, detail: "the ledger cannot be read")
      return Verdict(violations: [finding])
    }
  }

  private init(_ evidence: PaymentEvidence) throws {
    self.evidence = evidence
    let ledger = try LedgerPayment.all(in: evidence.ledger)
    let accounts = evidence.book.map { order in
      OrderAccount(order, ledger: ledger, evidence)
    }
    let known = Set(accounts.flatMap { $0.ledger.map(\.id) })
    self.accounts = accounts
    strangers = ledger.filter { !known.contains($0.id) }
  }

  private var violations: [Finding] {
    var findings = evidence.leaks.map { Finding(invariant: .keysStayHome, detail: $0) }
    findings += evidence.journal.disorder.map { Finding(invariant: .journalTells, detail: $0) }
    if evidence.inbox.unowned > 0 {
      findings.append(
        Finding(
          invariant: .nothingForgotten,
          detail: "\(evidence.inbox.unowned) deliveries are nobody's to go on with"))
    }
    if evidence.inbox.twins > 0 {
      findings.append(
        Finding(
          invariant: .takenOnce,
          detail: "\(evidence.inbox.twins) rows of the inbox are of events that others are of"))
    }
    findings += strayLines
    findings += unproven
    findings += orderedTwice
    for account in accounts {
      findings += account.outOfBounds
      findings += account.overrefunded
      findings += account.overclaimed
      findings += account.wronglyFulfilled
      findings += account.falselyShown
      findings += account.forgotten
      findings += account.untoldByJournal
    }
    return findings
  }

  /// What a provider has and the book has not.
  private var unknown: [Finding] {
    let names = evidence.book.reduce(into: Set<String>()) { names, order in
      names.insert(order.orderID)
      names.formUnion(order.payments.map(\.paymentID))
    }
    return strangers.compactMap { payment in
      let who = "\(payment.provider)'s payment \(payment.id) of \(payment.reference)"
      // Written down before it was asked for: the book has its name, whatever became of the answer.
      guard names.contains(payment.reference) else {
        return Finding(invariant: .nothingUnknown, detail: "the book knows no order of \(who)")
      }
      // A create whose answer was lost leaves a payment whose page reached nobody; it can be found
      // again only where the provider has keys, and nobody can pay it.
      guard payment.wasOpened || payment.standing == .held || payment.standing == .taken else {
        return nil
      }
      return Finding(invariant: .nothingUnknown, detail: "\(who) is not in the book")
    }
  }

  private var unsettled: [Finding] {
    var findings = unknown
    if evidence.inbox.waiting > 0 {
      findings.append(
        Finding(
          invariant: .nothingForgotten,
          detail: "\(evidence.inbox.waiting) deliveries have not been worked on"))
    }
    findings += orderedByNobody
    findings += leftWaiting
    findings += unknownShown
    for account in accounts {
      findings += account.unbooked
      findings += account.wrongState
      findings += account.undelivered
      findings += account.untold
    }
    return findings
  }
}
