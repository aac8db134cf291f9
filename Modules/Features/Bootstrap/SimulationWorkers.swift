import Simulation
import StrictJSON
import SystemRuntime

/// Plays worlds in processes of their own, a limited number in each: what a party's crash leaves
/// behind is never freed, so a process of very many worlds would grow without end.
struct SimulationWorkers: Sendable {
  /// Worlds of one process: some hundred megabytes by its end.
  static let worldsMax = 1_000

  let command: SimulateInvocation
  /// Where all of them put their files; theirs go with it, also when they are killed.
  let scratch: String
  let variables: [String: String]

  /// Worlds of one process, and which of their plays it is.
  private struct Batch: Sendable {
    let seed: UInt64
    let runs: Int
    let play: Int
  }

  /// Plays them.
  ///
  /// - Parameter each: told of each world that has ended, with which of its plays it was; false
  ///   ends all.
  /// - Throws: ``Stopped`` if a process ended before its last world.
  func run(each: (WorldOutcome, Int) -> Bool) async throws {
    let (outcomes, feed) = AsyncStream.makeStream(of: (WorldOutcome, Int).self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { feed.finish() }
        try await self.playAll { feed.yield(($0, $1)) }
      }
      for await (outcome, play) in outcomes where !each(outcome, play) {
        // Enough are wrong; what the others would say is not waited for.
        return group.cancelAll()
      }
      try await group.waitForAll()
    }
  }

  /// The batches; the two plays of one lie side by side, so that they run at the same time.
  private var batches: [Batch] {
    let size = min(Self.worldsMax, max(1, (command.runs + command.jobs - 1) / command.jobs))
    return stride(from: 0, to: command.runs, by: size).flatMap { start in
      (0..<(command.playsTwice ? 2 : 1)).map { play in
        Batch(
          seed: command.seed &+ UInt64(start), runs: min(size, command.runs - start), play: play)
      }
    }
  }

  private func playAll(_ tell: @escaping @Sendable (WorldOutcome, Int) -> Void) async throws {
    let (batches, jobs) = (batches, command.jobs)
    try await withThrowingTaskGroup(of: Void.self) { lanes in
      for lane in 0..<jobs {
        lanes.addTask {
          for index in stride(from: lane, to: batches.count, by: jobs) {
            try await self.play(batches[index], tell)
          }
        }
      }
      try await lanes.waitForAll()
    }
  }

  private func play(
    _ batch: Batch, _ tell: @escaping @Sendable (WorldOutcome, Int) -> Void
  ) async throws {
    var environment = variables
    environment["TMPDIR"] = scratch
    guard let program = ProcessFacts.programPath() else {
      throw ConfigurationError("/proc/self/exe", "cannot be read; --jobs 1 plays in one process")
    }
    let process = try ChildProcess(
      program,
      arguments: [
        "simulate", "--runs", "\(batch.runs)", "--seed", "\(batch.seed)", "--jobs", "1",
        "--faults", command.kindNames, "--json", "--no-shrink",
      ],
      environment: environment)
    let (count, failures) = try await withTaskCancellationHandler {
      var (count, failures) = (0, 0)
      for await line in process.lines {
        let json = try JSONValue(parsing: Array(line.utf8))
        // The last line is a summary, which says nothing new here.
        guard json["virtual_ms"] != nil else { continue }
        let outcome = try WorldOutcome(json: json)
        count += 1
        if outcome.failure != nil { failures += 1 }
        tell(outcome, batch.play)
      }
      return (count, failures)
    } onCancel: {
      process.send(.kill)
    }
    try Task.checkCancellation()
    let end = await process.wait()
    guard count == batch.runs || failures >= Campaign.failuresMax else {
      throw Stopped(seed: batch.seed &+ UInt64(count), end: end)
    }
  }

  /// A process ended before its last world: a trap, or a lack of memory.
  struct Stopped: Error, CustomStringConvertible {
    let seed: UInt64
    let end: ChildProcess.End

    var description: String {
      "the process that played worlds ended (\(end)) in the world of seed \(seed); "
        + "see it with `\(Program.nameAsTyped) simulate --seed \(seed) --trace`"
    }
  }
}
