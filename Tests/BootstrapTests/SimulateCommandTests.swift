@testable import Bootstrap
import CommandLineParser
import Testing

struct SimulateCommandTests {
  private func refusal(_ line: String) -> String? {
    let command = SimulateInvocation.command { $0 }
    let words = line.split(separator: " ").map(String.init)
    return if case .refused(let error) = command.parse(words) { "\(error)" } else { nil }
  }

  @Test(arguments: [
    ("--replay file --runs 3", "--replay plays the world of its file: leave --runs out"),
    ("--replay file --seed 3", "--replay plays the world of its file: leave --seed out"),
    ("--replay file --faults disk", "--replay plays the world of its file: leave --faults out"),
    (
      "--replay file --seed 1 --faults none",
      "--replay plays the world of its file: leave --seed and --faults out"
    ),
    ("--replay file --twice", "--twice is of a campaign: leave --trace and --replay out"),
    ("--trace --runs 2", "--trace is of one world: leave --runs out"),
  ])
  func `options that do not go together are refused`(_ line: String, _ words: String) {
    let refusal = refusal(line)
    #expect(refusal?.contains(words) == true, "\(refusal ?? "taken")")
  }

  @Test(arguments: [
    "", "--replay file", "--replay file --trace --json", "--seed 3 --trace", "--runs 5 --twice",
    "--seed 3 --runs 1 --trace --faults none",
  ])
  func `those that do are taken`(_ line: String) {
    #expect(refusal(line) == nil)
  }
}
