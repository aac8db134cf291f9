import AppSimulator
import SystemRuntime

extension RunOutput {
  /// Tells this process's standard output, with a bar that is drawn over itself on a terminal.
  ///
  /// - Parameter name: the command under `till-app` that plays the runs.
  static func live(
    _ name: String, isJSON: Bool = false, broken: String?, _ variables: [String: String]
  ) -> Self {
    let isTerminal = ProcessFacts.isTerminal(.output) && variables["TERM"] != "dumb" && !isJSON
    // Erases the bar before a line and at the end.
    let erase = isTerminal ? "\r\u{1B}[K" : ""
    let draw: @Sendable (String) -> Void = { Output.write(erase + $0) }
    let breaking = broken.map { "--broken \($0) " } ?? ""
    return RunOutput(
      line: { Output.write(erase + $0 + "\n") }, draw: isTerminal ? draw : nil, isJSON: isJSON,
      command: "\(Program.nameAsTyped) \(name) \(breaking)--filter")
  }
}

extension RunRecord {
  /// Writes the record into a directory, beside what the run's processes left there.
  func keep(in place: String) throws {
    try Files.write(timeline + problems, to: "\(place)/timeline.txt")
    for (index, lines) in printed.enumerated() {
      try Files.write(lines, to: "\(place)/app-\(index + 1).log")
    }
  }
}
