import AppSimulator
import CommandLineParser
import MerchantCommands

/// A command line, one word in a line, is run, explained or refused; what it is told of itself
/// cannot steer a terminal. The first byte says whose it is.
func checkCommands(_ bytes: [UInt8]) throws(BrokenClaim) {
  var input = FuzzInput(bytes)
  let choice = input.choice(of: 2)
  let words = input.text().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  if choice == 0 {
    try check(tillCommand.parse(words))
  } else {
    try check(tillAppCommand.parse(words))
  }
}

private let tillAppCommand = Command<AppInvocation>(
  group: "till-app", "Plays a phone", commands: appCommands { invocation, _ in invocation })

private func check<Action>(_ outcome: CommandOutcome<Action>) throws(BrokenClaim) {
  switch outcome {
  case .run: break
  case .help(let text): try hold(text.contains("Usage:"), "help shows the usage")
  case .refused(let error):
    try hold(error.usage != nil && !error.message.isEmpty, "a refusal says why and what is right")
    let shown = error.description.unicodeScalars.filter { $0 != "\n" }
    try hold(
      shown.allSatisfy { $0.properties.generalCategory != .control },
      "a refusal holds no control character")
  }
}
