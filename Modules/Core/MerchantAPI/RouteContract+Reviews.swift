extension RouteID {
  /// Of cases for a person, and of comparing the books.
  var caseContract: RouteContract? {
    switch self {
    case .reviews:
      RouteContract(
        summary: "Open cases for a person, the oldest first.", access: .staff,
        parameters: [.after, .limit], answers: [.json("ReviewList", "A page of them.")])
    case .review:
      RouteContract(
        summary: "One case.", access: .staff, answers: [.json("Review", "The case.")])
    case .resolveReview:
      RouteContract(
        summary: "Decide a case.", access: .staff, parameters: [.idempotencyKey],
        body: .json("ResolveBody"), answers: [.json("Review", "The case as it stands now.")],
        problems: [.idempotencyMismatch, .conflict, .providerRefused, .operationNotOffered])
    case .moneyTotals:
      RouteContract(
        summary: "Money that moved from one moment to another, by account and currency.",
        access: .staff,
        parameters: ["from", "to"].map {
          RouteContract.Parameter(
            name: $0, note: "A moment of ISO 8601; the span has 31 days at the most.",
            schema: .moment, isRequired: true)
        }, answers: [.json("MoneyTotals", "The sums.")])
    case .reconcile:
      RouteContract(
        summary: "Compare a page of the providers' books with ours.", access: .staff,
        body: .json("ReconcileBody"), answers: [.json("Reconciliation", "What differs.")])
    default: nil
    }
  }
}
