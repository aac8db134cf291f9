public import PaymentModels

extension OperationRow {
  /// How a case names the operation that it is about. The id makes cases of equal amounts differ,
  /// and tells a dismissal what to end.
  public var named: String { "\(kind.rawValue) \(id) of \(amount)" }

  /// How long one process keeps an operation to itself, unless it is told otherwise. Longer than
  /// the deadline of a provider call (15 s), so that a second send never starts while the first
  /// may be on its way.
  public static var lease: Duration { .seconds(20) }
}

extension Settlement {
  /// Opens the case of an operation, which is named in it.
  ///
  /// While another case of failed operations is open on the payment there is none: one that has
  /// no end asks again at its next try.
  ///
  /// - Parameter isEvent: whether the same may happen twice.
  /// - Throws: ``StoreError``.
  public func openFailure(
    of operation: OperationRow, _ order: OrderID, _ what: String, isEvent: Bool = false
  ) throws {
    try open(
      .operationFailed, order, operation.paymentID, operation.named + what, isEvent: isEvent)
  }

  /// Ends the case of an operation that the provider has taken on since: it may take days again,
  /// and asks anew if it is never shown.
  ///
  /// - Throws: ``StoreError``.
  public func endFailure(of operation: OperationRow, _ order: OrderID) throws {
    let row = try transaction.reviews(of: order).first {
      $0.isOpen && $0.isAbout(operation)
    }
    if let row { try end(row, "the provider has taken it on") }
  }

  /// Ends the refund without an end that a case names: a person has found that it came to
  /// nothing, and what it would have given back may be given back anew.
  func giveUpRefunds(_ review: ReviewRow) throws {
    let refunds = try refundsToGiveUp(review)
    for var operation in refunds {
      let step =
        switch (operation.acceptedAt, operation.state) {
        case (.some, _): "accepted"
        case (nil, .intent): "not sent"
        case (nil, _): "perhaps sent"
        }
      operation.state = .refused
      operation.detail = "given up: \(step), and no read ever showed it"
      operation.nextTryAt = nil
      try transaction.updateOperation(operation)
    }
    // Money that is still on its way back is no case again.
    if !refunds.isEmpty, let id = review.paymentID, let payment = try transaction.payment(id) {
      try reopenCases(of: payment)
    }
  }

  /// Why the refund that a case names cannot be given up now: its money may be on its way.
  func refusalToGiveUp(_ review: ReviewRow) throws -> String? {
    for operation in try refundsToGiveUp(review) {
      if let accepted = operation.acceptedAt, accepted > review.openedAt {
        return "The provider took \(operation.named) on at \(accepted), after the case was "
          + "opened: keep the case, and look whether the money arrives."
      }
      // A process that works on it has put it off by a lease; later tries are further off.
      if let next = operation.nextTryAt, next <= now + lease {
        return "A try of \(operation.named) is due or under way: decide again in a minute."
      }
    }
    return nil
  }

  /// Whether somebody will be asked about the money even if this is the order's last open case:
  /// another operation has yet to end, or what the refund was for is a case again.
  func isAskedElsewhere(_ review: ReviewRow) throws -> Bool {
    guard review.kind == .operationFailed, let id = review.paymentID,
      let payment = try transaction.payment(id)
    else { return false }
    let refunds = try refundsToGiveUp(review)
    let others = try transaction.operations(of: id).filter {
      $0.isInFlight && !refunds.contains($0)
    }
    return try !others.isEmpty || !refunds.isEmpty && !casesToReopen(of: payment).isEmpty
  }

  private func refundsToGiveUp(_ review: ReviewRow) throws -> [OperationRow] {
    guard let id = review.paymentID else { return [] }
    return try transaction.operations(of: id).filter {
      $0.kind == .refund && $0.isInFlight && review.isAbout($0)
    }
  }
}

extension ReviewRow {
  fileprivate func isAbout(_ operation: OperationRow) -> Bool {
    kind == .operationFailed && paymentID == operation.paymentID
      && detail.hasPrefix(operation.named)
  }
}
