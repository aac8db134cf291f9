import CheckoutLifecycle

/// A story that can be played at every row that is not excluded.
struct MatrixStory: Sendable {
  /// How it ends, in words that every provider has its own for.
  enum End: Sendable {
    /// Paid once, by the only payment.
    case paid
    /// The first payment expired, the second one is paid.
    case paidAtSecondTry
    /// Refused for good.
    case refused
  }

  /// Last part of a run's name.
  let name: String
  /// What happens, in one line.
  let title: String
  /// How it ends.
  var end = End.paid
  /// What the server is set up with.
  var settings = StageSettings()
  /// Why a row cannot play it; nil if it can.
  var exclusion: @Sendable (MatrixRow) -> String? = { _ in nil }
  /// Plays it and gives the order that it was about.
  let play: @Sendable (Scene) async throws -> String

  /// The story at one row.
  func story(at row: MatrixRow) -> Story {
    Story(
      name: "\(row.name)/\(name)", title: title,
      play: { try await play(Scene(cast: $0, row: row)) }, ending: end.ending(row.payer.facts))
  }
}

extension MatrixStory.End {
  fileprivate func ending(_ facts: HostedPage) -> Story.Ending {
    switch self {
    case .paid:
      Story.Ending(
        order: "paid", fulfilments: 1, provider: [facts.paid], payments: ["captured"],
        captured: facts.price)
    case .paidAtSecondTry:
      Story.Ending(
        order: "paid", fulfilments: 1, provider: [facts.expired ?? "", facts.paid],
        payments: ["expired", "captured"], captured: facts.price, shown: ["expired"])
    case .refused:
      Story.Ending(
        order: "pending", fulfilments: 0, provider: [facts.rejected ?? ""],
        payments: ["rejected"], captured: facts.nothing, shown: ["rejected"])
    }
  }
}

/// Why a row cannot play a story.
extension MatrixStory {
  /// For links that come without the page that made them.
  static let needsLinks: @Sendable (MatrixRow) -> String? = { row in
    switch row.strategy.returnWay {
    case .link: nil
    case .callback: "the return is handed to the process that began the session, and dies with it"
    case .navigation: "the return is a navigation of the app's own page, and goes with it"
    }
  }

  /// For returns that come more than once.
  static let needsRepeats: @Sendable (MatrixRow) -> String? = { row in
    row.traits.repeats.contains(.returned) ? nil : "a session hands its return over once"
  }

  /// For returns of another payment.
  static let needsForeignReturns: @Sendable (MatrixRow) -> String? = { row in
    row.strategy.returnWay == .navigation
      ? "a page goes to no return address but its own" : nil
  }

  static let needsExpiry: @Sendable (MatrixRow) -> String? = { row in
    row.payer.facts.expired == nil ? "nothing ends a page of this provider" : nil
  }

  static let needsRefusal: @Sendable (MatrixRow) -> String? = { row in
    row.payer.facts.rejected == nil ? "this provider refuses nobody for good" : nil
  }
}
