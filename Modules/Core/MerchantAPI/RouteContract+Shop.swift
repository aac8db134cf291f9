extension RouteID {
  /// Of accounts and buyers.
  var shopContract: RouteContract? {
    switch self {
    case .providers:
      RouteContract(
        summary: "Each provider account, and whether new checkouts are paused there.",
        access: .staff, answers: [.json("ProviderList", "All of them.")])
    case .pauseProvider:
      RouteContract(
        summary: "Take no new checkouts at a provider or account; all else goes on.",
        access: .staff, body: .json("PauseBody"),
        answers: [.json("ProviderList", "All accounts as they stand now.")])
    case .resumeProvider:
      RouteContract(
        summary: "Take new checkouts there again.", access: .staff, body: .json("PauseBody"),
        answers: [.json("ProviderList", "All accounts as they stand now.")],
        problems: [.conflict])
    case .eraseBuyer:
      RouteContract(
        summary: "Erase what is kept of a buyer.", access: .staff, body: .json("EraseBody"),
        answers: [.json("Erasure", "What was erased, and what is kept.")], problems: [.notFound])
    default: nil
    }
  }
}
