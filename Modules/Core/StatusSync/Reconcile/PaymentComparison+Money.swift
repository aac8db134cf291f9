import PaymentModels
import PaymentStore
import ProviderInterface

/// Movements of money, and what they make of a payment's state.
extension PaymentComparison {
  /// Movements that the provider shows in the payment's own currency, the newest answer's word.
  private var toldItems: [PaymentItem] {
    var items: [PaymentItem] = []
    for item in current.flatMap(\.items) where item.amount.currency == payment.amount.currency {
      items.removeAll { $0.kind == item.kind && $0.providerItemID == item.providerItemID }
      items.append(item)
    }
    return items
  }

  /// By how much the provider shows more, or less, than the book, movement by movement.
  private func changes(_ kind: PaymentItem.Kind) -> [(item: PaymentItem, change: Int64)] {
    toldItems.filter { $0.kind == kind }.compactMap { item in
      let booked = book.items.first {
        $0.kind == kind && $0.providerItemID == item.providerItemID
      }
      let change = item.amount.minorUnits - (booked?.amount.minorUnits ?? 0)
      return change == 0 ? nil : (item, change)
    }
  }

  /// What of it no operation of ours that is under way explains.
  private func elsewhere(_ kind: PaymentItem.Kind) -> Int64 {
    let own = Set(inFlight.map(\.id.rawValue))
    return changes(kind).filter { pair in pair.item.reference.map { !own.contains($0) } ?? true }
      .reduce(0) { $0 + $1.change }
  }

  private var inFlight: [OperationRow] { book.operations.filter(\.isInFlight) }

  /// Whether an operation of a kind is under way and may have done what the provider shows.
  private func explains(_ kinds: OperationRow.Kind...) -> Bool {
    inFlight.contains { kinds.contains($0.kind) }
  }

  // MARK: The outcome

  func outcomeDifferences(_ told: PaymentStatus) -> [Difference] {
    let booked = payment.status
    let captured = elsewhere(.capture)
    if booked != told, let kind = kind(from: booked, to: told) {
      let isOwn =
        switch kind {
        case .missing: explains(.capture, .close) && captured == 0 && booked == .authorized
        case .voided: explains(.close)
        default: false
        }
      return isOwn ? [] : [stateDifference(kind, told, captured)]
    }
    guard captured != 0 else { return [] }
    return [
      difference(
        .missing, booked: "\(booked)", told: "\(told), other captures", amount: money(captured),
        by: .read)
    ]
  }

  private func stateDifference(
    _ kind: Difference.Kind, _ told: PaymentStatus, _ captured: Int64
  ) -> Difference {
    // The one step that the settlement does not take: money is not forgotten for a strange word.
    let isStored: Bool =
      if case .unknown = told { !payment.status.holdsMoney } else { true }
    let amount: Money? =
      switch kind {
      case .missing where captured != 0: money(captured)
      case .missing: told.holdsMoney ? payment.amount : nil
      case .voided: payment.amount
      default: nil
      }
    return difference(
      kind, booked: "\(payment.status)", told: "\(told)", amount: amount,
      by: isStored ? .read : .person)
  }

  /// What a step says; nil for one that is on its way.
  private func kind(
    from booked: PaymentStatus, to told: PaymentStatus
  ) -> Difference.Kind? {
    if case .unknown = told { return .state }
    if booked.holdsMoney { return heldKind(from: booked, to: told) }
    if told.holdsMoney { return .missing }
    if booked.isFinalUnpaid { return .state }
    return told.isFinalUnpaid ? .missing : nil
  }

  private func heldKind(
    from booked: PaymentStatus, to told: PaymentStatus
  ) -> Difference.Kind {
    if told.isFinalUnpaid { return .voided }
    return booked == .authorized && told == .captured ? .missing : .state
  }

  // MARK: Money that went back

  func takenBackDifferences(_ told: PaymentStatus) -> [Difference] {
    var found: [Difference] = []
    let refunded = elsewhere(.refund)
    // Where a refund does not bear our id, one of ours that is under way may be it.
    let isOwn = !capabilities.operationsCarryReference && explains(.refund)
    if refunded != 0, !isOwn {
      found.append(
        difference(
          .refunded, booked: "refunded \(money(book.items.sum(.refund)).decimal)",
          told: "refunded \(money(toldItems.sum(.refund)).decimal)", amount: money(refunded),
          by: .read))
    }
    let takenBack = elsewhere(.chargeback)
    let standing = current.compactMap(\.dispute).last
    if takenBack != 0 || standing.map({ $0 != payment.dispute }) ?? false {
      found.append(
        difference(
          .disputed, booked: "dispute \(payment.dispute?.rawValue ?? "unknown")",
          told: "dispute \(standing?.rawValue ?? "told by its money")", amount: money(takenBack),
          by: .read))
    }
    return found
  }

  /// Movements of the book that the provider does not show, where its answers would show them.
  var absentDifferences: [Difference] {
    let showsUndone = capabilities.undoneProofs.contains(.read)
    let showsTaken = toldItems.contains { $0.kind == .capture }
    return PaymentItem.Kind.allCases.compactMap { kind in
      guard kind == .capture ? showsTaken : showsUndone else { return nil }
      let sum = book.items.filter { item in
        item.kind == kind
          && !toldItems.contains { $0.kind == kind && $0.providerItemID == item.providerItemID }
      }.sum(kind)
      guard sum != 0 else { return nil }
      return difference(
        .absent, booked: "\(kind.rawValue) of \(money(sum).decimal)", told: "none",
        amount: money(sum), by: .person)
    }
  }

  // MARK: What takes too long

  func waitDifferences(_ told: PaymentStatus) -> [Difference] {
    let old = inFlight.filter {
      let limit = $0.acceptedAt == nil ? settings.stuckAfter : settings.acceptedStuckAfter
      return now.since($0.createdAt) > limit
    }
    var found = old.map { operation in
      let isProven =
        operation.kind == .close
        ? told == .captured || told.isFinalUnpaid
        : toldItems.contains { $0.reference == operation.id.rawValue }
      return difference(
        .stuck, booked: "\(operation.kind.rawValue) \(operation.state.rawValue)",
        told: isProven ? "done" : "not shown",
        amount: operation.kind == .close ? nil : operation.amount,
        by: isProven ? .read : .schedule)
    }
    let age = now.since(payment.createdAt)
    let isOpen = payment.status == .created || payment.status == .pending
    if isOpen, told == .created || told == .pending, !payment.lapsed, age > lapseAfter {
      found.append(
        difference(
          .stuck, booked: "\(payment.status) since \(payment.createdAt)", told: "\(told)",
          by: .read))
    }
    if payment.status == .authorized, told == .authorized, inFlight.isEmpty,
      age > settings.heldAfter
    {
      found.append(
        difference(
          .stuck, booked: "held since \(payment.createdAt) and not captured", told: "\(told)",
          amount: payment.amount, by: .person))
    }
    return found
  }

  // MARK: Totals

  /// Captured, and gone back, as the provider shows it; what it cannot show counts as booked.
  var toldSums: (captured: Int64, goneBack: Int64) {
    let goneBack = toldItems.sum(.refund) + toldItems.sum(.chargeback)
    let booked = book.items.sum(.refund) + book.items.sum(.chargeback)
    let showsUndone = capabilities.undoneProofs.contains(.read)
    return (toldItems.sum(.capture), showsUndone ? goneBack : max(goneBack, booked))
  }
}
