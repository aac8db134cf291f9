import CommandLineParser

/// What the stories can be shown to catch, in debug builds only: a server or an app that is wrong
/// on purpose.
enum BrokenKit {
  /// `--broken`, where whole stories are played.
  static let options = option(
    BrokenServer.allCases.map(\.rawValue) + BrokenClient.allCases.map(\.rawValue))

  /// `--broken` with these words; nothing in a release build.
  static func option(_ words: [String]) -> [Parameter] {
    #if DEBUG
      [
        .option(
          "broken", "HOW", "Breaks one rule on purpose, to show that the demo notices",
          kind: .choice(words))
      ]
    #else
      []
    #endif
  }

  /// The word that was given.
  static func word(_ arguments: Arguments) -> String? {
    options.isEmpty ? nil : arguments.text("broken")
  }
}
